import { MopError } from '../errors.ts';
import { isCredential } from '../redaction/credentials.ts';
import { isPrivateTransport } from './address.ts';
import type { HttpRequest } from './request.ts';

type Headers = HttpRequest['headers'];

/** Pairs from the alternating names and values of Node and undici. */
export function headerPairs(raw: readonly string[]): Headers {
  const pairs: [name: string, value: string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return pairs;
}

/** A parameter of a media type: its name, and its value with or without quotes. */
const PARAMETER = /;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

/** The media type in a Content-Type, in lower case, and its parameters (RFC 9110 8.3.1). */
export function mediaType(contentType = '') {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  return { type: (contentType.split(';')[0] ?? '').trim().toLowerCase(), parameters };
}

/** Headers of the connection, which mop sets. */
const RESERVED =
  /^(?:connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Checks headers that a caller adds (contract section 2); throws `usage`. No message shows a value.
 */
export function checkHeaders(headers: Headers, url: URL): void {
  for (const [name, value] of headers) {
    checkHeader(name, value);
    checkCredential(`the header ${name}`, name, value, url);
  }
}

/** @throws {MopError} `usage` for a header that cannot be sent, or that mop sets itself. */
export function checkHeader(name: string, value: string, reserved = RESERVED): void {
  if (!isHeaderName(name) || !isHeaderValue(value)) {
    throw new MopError('usage', `the header ${JSON.stringify(name)} cannot be sent`, {
      hint: 'a name contains letters, digits and dashes; a value is one line of Latin-1',
    });
  }
  if (reserved.test(name)) {
    throw new MopError('usage', `the header ${name} is set by mop`, { hint: 'remove it' });
  }
}

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Throws `usage` for a credential on an unencrypted connection to another machine. */
export function checkCredential(subject: string, name: string, value: string, url: URL): void {
  if (!isCredential(name, value) || isPrivateTransport(url)) return;
  throw new MopError(
    'usage',
    `${subject} looks like a credential, but ${url.host} is requested over plain ${url.protocol.replace(':', '')}`,
    { hint: 'use an https or wss address: plain connections can be read on the network' },
  );
}

/** Merges headers: `given` ones replace `own` ones of the same name. */
export function withHeaders(own: Headers, given: Headers): Headers {
  const names = given.map(([name]) => name.toLowerCase());
  return [...own.filter(([name]) => !names.includes(name.toLowerCase())), ...given];
}

/** Headers by name; values of one name keep their order. */
export function headersByName(headers: Headers): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries(byName);
}
