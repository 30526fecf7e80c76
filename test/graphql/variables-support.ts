import type { GraphQLSchema } from 'graphql';
import { type GivenValue, readVariables, type Variables } from '../../src/graphql/variables.ts';
import { printJson } from '../../src/json/print.ts';
import { operationOf, parseObject, schemaOf } from './support.ts';

/** `key=text`; for an upload, the text is the path. */
export interface Given {
  readonly literal?: readonly string[];
  readonly string?: readonly string[];
  readonly file?: readonly string[];
  readonly json?: string;
  readonly uploads?: readonly string[];
}

const split = (text: string): [string, string] => {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
};

/** The variables of an operation that declares these. */
export function read(declared: string, given: Given, schema?: GraphQLSchema): Variables {
  const values = (['literal', 'string', 'file'] as const).flatMap((origin) =>
    (given[origin] ?? []).map((text): GivenValue => {
      const [key, value] = split(text);
      return { key, text: value, origin };
    }),
  );
  const uploads = (given.uploads ?? []).map((text) => {
    const [key, file] = split(text);
    return { key, file };
  });
  const json = given.json === undefined ? undefined : parseObject(given.json);
  const header = declared === '' ? '' : `(${declared})`;
  return readVariables(
    operationOf(`query ${header} { a }`),
    { json, given: [...values, ...uploads] },
    schema,
  );
}

export function readJson(...given: Parameters<typeof read>): string {
  return printJson(read(...given).json);
}

/** A schema with an input of every kind. */
export const SCHEMA = schemaOf(`
  type Query { a(in: In, one: One, deep: [[In!]]): Int }
  enum Kind { PAID REFUND true_ }
  input In { n: Int, s: String, f: Float, id: ID, k: Kind, list: [String!], in: In, file: Upload }
  input One @oneOf { id: ID, name: String }
  scalar Upload
  scalar File
  scalar Json`);
