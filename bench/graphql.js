/** A large schema read and a document validated, and one query, each against the least there is. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compare, MOP, peakMemory, run, withDirectory, withSandbox } from './measure.js';

const SCHEMA_BYTES = 1_200_000;
const RUNS = 11;

await withDirectory(async (directory) => {
  const schema = join(directory, 'schema.graphql');
  const document = join(directory, 'query.graphql');
  const bare = join(directory, 'bare.mjs');
  writeFileSync(schema, largeSchema());
  writeFileSync(
    document,
    '{ type7 { id name related(first: 3) { id } ...F } } fragment F on Type7 { note }',
  );
  writeFileSync(bare, bareProgram(schema, document));

  const env = { MOP_CONFIG_DIR: join(directory, 'none') };
  const args = ['gql', 'validate', document, '--schema', schema, '--quiet'];
  const validate = () => run(process.execPath, [MOP, ...args], env);
  const program = () => run(process.execPath, [bare]);
  await compare(
    'a document against a 1.2 MB schema, against graphql-js alone',
    1.5,
    validate,
    program,
    RUNS,
  );
  const peak = await peakMemory(args, env, directory);
  console.log(`peak memory of that: ${peak.toFixed(0)} MiB (at most 400 wanted)`);

  await withSandbox(async ({ gql_url: endpoint }) => {
    const query = () =>
      run(process.execPath, [MOP, 'gql', '{ bill { count } }', '--endpoint', endpoint], env);
    const node = () => run(process.execPath, ['-e', '0']);
    await compare('mop gql with one call', 4, query, node, RUNS);
  });
});

/** What anybody would write for it. */
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

/** Objects with interfaces, arguments, descriptions, enums and inputs, as a public API has them. */
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
