import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../server/bad-request.ts';
import { type FormFile, type FormPart, readForm } from '../../server/form.ts';

/** The values that the scalar `Upload` accepts. */
const received = new WeakSet<object>();

/** Whether a value is a file that {@link readOperations} read. */
export function isReceived(value: unknown): value is FormFile {
  return typeof value === 'object' && value !== null && received.has(value);
}

/**
 * The parameters of a GraphQL request sent as a form, with the files inserted (GraphQL multipart
 * request specification).
 *
 * @throws {MopError} `usage` for any other form.
 */
export async function readOperations(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts = await readForm(incoming);
  const operations = objectIn(parts, 'operations');
  for (const [name, paths] of Object.entries(objectIn(parts, 'map'))) {
    const file = parts.find((part) => part.name === name && 'file' in part);
    if (!file) throw badRequest(`the form has no file ${JSON.stringify(name)}`);
    if (!Array.isArray(paths)) throw badRequest(`${JSON.stringify(name)} of map is not a list`);
    received.add(file);
    for (const path of paths) place(file, String(path), operations);
  }
  return operations;
}

function objectIn(parts: readonly FormPart[], name: string): Record<string, unknown> {
  const part = parts.find((part) => part.name === name && 'value' in part);
  const value = part && 'value' in part ? jsonValue(part.value) : undefined;
  if (isObject(value)) return value;
  throw badRequest(`the form has no JSON object in its field ${name}`);
}

/** The value of a JSON text; undefined when it is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the null at a path such as `variables.files.0` with a file. */
function place(file: FormPart, path: string, operations: Record<string, unknown>): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce(memberOf, operations as unknown);
  if (memberOf(parent, last) !== null) {
    throw badRequest(`${JSON.stringify(path)} of map is not the path of a null in operations`);
  }
  (parent as Record<string, unknown>)[last] = file;
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isParent ? (value as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
