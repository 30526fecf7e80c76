import { expect } from 'vitest';
import { chooseOperation, parseDocument } from '../../src/graphql/document.ts';
import { executeLocally } from '../../src/graphql/local-execution.ts';
import { describeError } from '../../src/graphql/response.ts';
import { printJson } from '../../src/json/print.ts';
import { parseObject, schemaOf } from './support.ts';

export interface Local {
  readonly sdl: string;
  readonly data: string;
  readonly variables?: string;
  readonly operation?: string;
}

export async function execute(text: string, { sdl, data, variables = '{}', operation }: Local) {
  const document = parseDocument(text, 'q');
  return executeLocally({
    schema: schemaOf(sdl),
    document,
    operation: chooseOperation(document, operation),
    variables: parseObject(variables),
    data: parseObject(data),
  });
}

/** The data of an execution without errors, as JSON text. */
export async function dataOf(text: string, local: Local): Promise<string> {
  const { json, data, errors } = await execute(text, local);
  expect(errors).toEqual([]);
  expect(printJson(json)).toBe(`{"data":${data && printJson(data)}}`);
  return data ? printJson(data) : 'none';
}

/** The errors of an execution, one per line, and its data. */
export async function errorsOf(
  text: string,
  local: Local,
): Promise<[errors: string[], data: unknown]> {
  const { json, errors } = await execute(text, local);
  const { data } = JSON.parse(printJson(json)) as { readonly data: unknown };
  return [errors.map((error) => describeError({ ...error, locations: [] }, 'q')), data];
}
