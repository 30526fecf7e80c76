import { MopError } from '../errors.ts';
import type { Credentials } from './request-fields.ts';

/** Checks arguments for callers without types: a `TypeError` would not name the argument. */

/** @throws {MopError} `usage` unless the secret is text. The message does not show it. */
export function assertSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string') return;
  throw new MopError('usage', `the secret is ${kindOf(secret)}, not text`, {
    hint: 'pass the api secret as text, such as process.env.MOP_API_SECRET',
  });
}

/** @throws {MopError} `usage` unless key and secret are text. */
export function assertCredentials(credentials: unknown): asserts credentials is Credentials {
  const { apiKey, secret } = (credentials ?? {}) as Partial<Record<keyof Credentials, unknown>>;
  assertSecret(secret);
  if (typeof apiKey === 'string') return;
  throw new MopError('usage', `the api key is ${kindOf(apiKey)}, not text`, {
    hint: 'pass the credentials as { apiKey, secret }',
  });
}

/** @throws {MopError} `usage` for an address that is not text, such as a `URL`. */
export function assertUrl(url: unknown): void {
  if (url === undefined || typeof url === 'string') return;
  throw new MopError('usage', `the url is ${kindOf(url)}, not text`, {
    hint: 'pass the address as text, such as url.href',
  });
}

/** @throws {MopError} `usage` unless an argument is an object. A default does not replace null. */
export function assertOptions(name: string, options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new MopError('usage', `the ${name} are ${kindOf(options)}, not an object`, {
    hint: 'pass an object, or leave the argument out',
  });
}

/** @throws {MopError} `usage` unless the headers are a list of pairs. */
export function assertHeaders(headers: unknown): void {
  const isPair = (header: unknown): boolean =>
    Array.isArray(header) &&
    header.length === 2 &&
    header.every((part) => typeof part === 'string');
  if (Array.isArray(headers) && headers.every(isPair)) return;
  throw new MopError('usage', 'the headers are not a list of [name, value] pairs', {
    hint: 'pass Object.entries(headers), or pairs built from rawHeaders, which keep the case',
  });
}

/** @throws {MopError} `usage` unless the body is text or the fields of a form. */
export function assertBody(body: unknown): void {
  if (!Array.isArray(body)) {
    assertText(body);
  } else if (!body.every(isFormField)) {
    throw new MopError('usage', 'the body is neither text nor form fields', {
      hint: 'pass the JSON text, or a list of { name, value } and { name, file } with text values',
    });
  }
}

function isFormField(field: unknown): boolean {
  const { name, ...content } = (field ?? {}) as Record<string, unknown>;
  // The presence of `file` distinguishes a file from a text field.
  const text = 'file' in content ? content.file : content.value;
  return typeof name === 'string' && typeof text === 'string';
}

/** @throws {MopError} `usage` unless the body is text. */
export function assertText(body: unknown): asserts body is string {
  if (typeof body === 'string') return;
  throw new MopError('usage', `the body is ${kindOf(body)}, not text`, {
    hint: 'pass the JSON text: parsing changes the digits and the order that are signed',
  });
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (value instanceof Uint8Array) return 'bytes';
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}
