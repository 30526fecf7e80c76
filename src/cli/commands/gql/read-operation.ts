import { basename } from 'node:path';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { MopError, quoted } from '../../../errors.ts';
import { chooseOperation, parseDocument } from '../../../graphql/document.ts';
import type { GivenUpload, GivenValue, Variables } from '../../../graphql/variables.ts';
import { object } from '../../../json/build.ts';
import { type JsonObject, repeatedName } from '../../../json/value.ts';
import {
  argumentText,
  isStdin,
  parseObject,
  splitAssignment,
  withArgumentHint,
} from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import { fileAssignment } from '../../context/request-content.ts';
import type { VariableOptions } from './gql-options.ts';

/** A document with its selected operation. */
export interface SelectedOperation {
  /** The name of the document in messages. */
  readonly name: string;
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The operation that an argument and `--operation` select. */
export async function readOperation(
  given: string,
  operationName: string | undefined,
  io: Io,
): Promise<SelectedOperation> {
  const text = await argumentText(given, io);
  const isFile = given.startsWith('@') && !isStdin(given);
  const name = isFile ? basename(given.slice(1)) : 'document';
  const document = await withArgumentHint(given, () => parseDocument(text, name));
  return { name, text, document, operation: chooseOperation(document, operationName) };
}

/** The variables that the options give an operation. */
export async function variablesOf(
  { operation }: SelectedOperation,
  { variables, field, rawField, upload }: VariableOptions,
  io: Io,
  schema: GraphQLSchema | undefined,
  canUpload: boolean,
): Promise<Variables> {
  const assignments = field ?? rawField ?? upload ?? [];
  const { length: declared } = operation.variableDefinitions ?? [];
  if (declared + assignments.length === 0 && variables === undefined) {
    return { json: object({}), uploads: [] };
  }
  // The types of graphql-js take a tenth of the start of a query.
  const { readVariables, uploadKey } = await import('../../../graphql/variables.ts');
  const json = variables === undefined ? undefined : await readObject(variables, 'variables', io);
  const given: (GivenValue | GivenUpload)[] = [];
  // One after the other: only the first may read standard input.
  for (const { typed: isLiteral, text, isUpload } of assignments) {
    if (isUpload) {
      given.push(await readUpload(text));
      continue;
    }
    // `k[]` is an empty list, as in gh.
    const isEmpty = text.endsWith('[]') && !text.includes('=');
    const typed = isLiteral || isEmpty;
    const assignment = isEmpty ? `${text.slice(0, -2)}=[]` : text;
    const [key, value] = splitAssignment(assignment, typed ? '-F' : '-f');
    const isFile = typed && value.startsWith('@');
    const uploaded = isFile && canUpload ? uploadKey(operation, key, schema) : undefined;
    if (uploaded !== undefined) {
      throw new MopError('usage', `${key} takes a file, and -F reads a text`, {
        hint: quoted`send the file with --upload ${`${uploaded}=${value}`}`,
      });
    }
    given.push(
      isFile
        ? { key, text: await argumentText(value, io), origin: 'file' }
        : { key, text: value, origin: typed ? 'literal' : 'string' },
    );
  }
  return readVariables(operation, { json, given }, schema);
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;[ -~]{1,200})?$/;

/** `key=@PATH`, or `key=@PATH;type=TYPE` as in curl. Other semicolons belong to the path. */
async function readUpload(given: string): Promise<GivenUpload> {
  const at = given.lastIndexOf(';type=');
  const type = at < 0 ? '' : given.slice(at + ';type='.length);
  const isTyped = MEDIA_TYPE.test(type);
  const { name, file } = await fileAssignment(isTyped ? given.slice(0, at) : given, '--upload');
  return { key: name, file, ...(isTyped && { type }) };
}

/** An option that takes a JSON object: the text, `@FILE` or `-`. */
export async function readObject(given: string, subject: string, io: Io): Promise<JsonObject> {
  const hint = 'write them as {"NAME": VALUE, …}, each name once';
  const text = await argumentText(given, io);
  const object = await withArgumentHint(given, () => parseObject(text, subject, hint));
  const twice = repeatedName(object);
  if (twice === undefined) return object;
  throw new MopError('usage', `${JSON.stringify(twice)} occurs twice in the ${subject}`, { hint });
}
