import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  alternate,
  clientEnv,
  MOP,
  newDirectory,
  peak,
  ratio,
  run,
  runWithPeak,
  startSandbox,
} from '../measure.js';

export const title = 'GraphQL';
export const notes =
  '`gql validate` of a document with a large schema, against a program of ten lines with graphql-js; `gql` with one query to `mop sandbox`, against `node -e 0`.';

const SCHEMA_BYTES = 1_200_000;

export async function* rows() {
  const directory = newDirectory();
  const schema = join(directory, 'schema.graphql');
  const document = join(directory, 'query.graphql');
  const bare = join(directory, 'bare.mjs');
  writeFileSync(schema, largeSchema());
  writeFileSync(
    document,
    '{ type7 { id name related(first: 3) { id } ...F } } fragment F on Type7 { note }',
  );
  writeFileSync(bare, bareProgram(schema, document));

  const env = clientEnv('http://127.0.0.1:9');
  const args = ['gql', 'validate', document, '--schema', schema, '--quiet'];
  const validate = () => runWithPeak(args, { env });
  const program = () => run(process.execPath, [bare]);
  const rounds = await alternate([validate, program], 9);
  yield ratio('`gql validate` with 1.2 MB', 1.5, rounds);
  yield peak('peak memory of the same run', 400, rounds);

  const { gql_url: endpoint } = await startSandbox();
  const call = [MOP, 'gql', '{ bill { count } }', '--endpoint', endpoint];
  const query = () => run(process.execPath, call, { env });
  const node = () => run(process.execPath, ['-e', '0']);
  yield ratio('`gql` of one query', 4, await alternate([query, node], 21));
}

function bareProgram(schema, document) {
  const graphql = createRequire(import.meta.url).resolve('graphql/index.mjs');
  return `
    import { readFileSync } from 'node:fs';
    import { buildSchema, parse, validate } from ${JSON.stringify(graphql)};
    const schema = buildSchema(readFileSync(${JSON.stringify(schema)}, 'utf8'));
    const errors = validate(schema, parse(readFileSync(${JSON.stringify(document)}, 'utf8')));
    if (errors.length > 0) throw errors[0];
  `;
}

/** Objects with interfaces, arguments, descriptions, enums and inputs, like a public API. */
function largeSchema() {
  const parts = ['interface Node { id: ID! } interface Named { name: String! }'];
  const fields = [];
  for (let n = 0, bytes = 0; bytes < SCHEMA_BYTES; n++) {
    fields.push(
      `  "Field ${n} of the query."\n  type${n}(id: ID, order: Order${n} = ASC): Type${n}`,
    );
    parts.push(`
"""
Type ${n} of a large API, described in a sentence that is as long as such sentences are.
"""
type Type${n} implements Node & Named {
  "The identifier."
  id: ID!
  "The name that people read."
  name: String!
  note(format: String = "plain", limit: Int = 100): String @deprecated(reason: "Use name.")
  related(first: Int, after: String, filter: Filter${n}): [Type${Math.max(0, n - 1)}!]!
}

enum Order${n} {
  "The smallest first."
  ASC
  "The largest first."
  DESC
}

input Filter${n} {
  "Matches the start of the name."
  name: String
  ids: [ID!]
  order: Order${n} = ASC
}
`);
    bytes += parts.at(-1).length + fields.at(-1).length;
  }
  return `${parts.join('')}\ntype Query {\n${fields.join('\n')}\n}\n`;
}
