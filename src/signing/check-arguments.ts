import { MopError, own, quoted } from '../errors.ts';
import type { Credentials } from './request-fields.ts';

// Callers without types get a MopError `usage`: a `TypeError` would not name the argument.

const TEXTS = {
  secret: 'the api secret as text, such as process.env.MOP_API_SECRET',
  'api key': 'the credentials as { apiKey, secret }',
  url: 'the address as text, such as url.href',
  body: 'the JSON text: parsing changes the digits and the order of fields',
};

export function assertText(name: keyof typeof TEXTS, value: unknown): asserts value is string {
  assertArgument(isText(value), `the ${name} is ${kindOf(value)}, not text`, TEXTS[name]);
}

export function assertCredentials(credentials: unknown): asserts credentials is Credentials {
  const { apiKey, secret } = (credentials ?? {}) as Partial<Record<keyof Credentials, unknown>>;
  assertText('secret', secret);
  assertText('api key', apiKey);
}

/** The options have a default, which does not replace null. */
export function assertOptions(name: string, options: unknown): void {
  const isObject = typeof options === 'object' && options !== null;
  const fault = `the ${name} are ${kindOf(options)}, not an object`;
  assertArgument(isObject, fault, 'an object, or leave the argument out');
}

export function assertHeaders(headers: unknown): void {
  const isPair = (header: unknown): boolean =>
    Array.isArray(header) && header.length === 2 && header.every(isText);
  assertArgument(
    Array.isArray(headers) && headers.every(isPair),
    'the headers are not a list of [name, value] pairs',
    'Object.entries(headers), or pairs built from rawHeaders, which keep the case',
  );
}

export function assertBody(body: unknown): void {
  if (!Array.isArray(body)) assertText('body', body);
  // The presence of `file` distinguishes a file from a text field.
  const isField = (field: Record<string, unknown> | null): boolean =>
    field !== null && isText(field.name) && isText('file' in field ? field.file : field.value);
  assertArgument(
    !Array.isArray(body) || body.every(isField),
    'the body is neither text nor form fields',
    'the JSON text, or a list of { name, value } and { name, file } with text values',
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function assertArgument(isRight: boolean, fault: string, wanted: string): void {
  if (!isRight) throw new MopError('usage', fault, { hint: quoted`pass ${own(wanted)}` });
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (value instanceof Uint8Array) return 'bytes';
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}
