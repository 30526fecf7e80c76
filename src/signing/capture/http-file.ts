import type { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import { captureFault } from './capture-fault.ts';
import { type CapturedRequest, shown } from './captured-request.ts';
import { CommandFiles } from './command-files.ts';
import { type CaptureReader, mentionsSignature } from './source.ts';

const SEPARATOR = /^###.*$/m;
const COMMENT = /^\s*(?:#|\/\/)/;
const VARIABLE = /^@([\w.-]+)[ \t]*=(.*)$/gm;
/** Empty lines, comments and variables before a request. */
const PREAMBLE = /^(?:(?:[^\S\n]*(?:(?:#|\/\/).*)?|@[\w.-]+[ \t]*=.*)\n)+/;
/** A character of an address, or a placeholder, which may contain spaces. */
const PART = /(?:\{\{[^{}\n]*\}\}|(?!\{\{[^{}\n]*\}\})\S)/;
const REQUEST_LINE = new RegExp(
  `^(?:([A-Z]{3,10})[ \\t]+)?((?=https?://|/|\\{\\{|[\\w.-]+(?::\\d+)?/)${PART.source}+)(?:[ \\t]+HTTP/[\\d.]+)?[ \\t]*$`,
);
const HEADER = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/;
/** A line that continues the address of the request line: a long query, or a part of the path. */
const CONTINUATION = /^\s*[?&]|^\s+\//;
const MAX_LINE = 10_000;
/** A script of JetBrains, before or after a request. */
const SCRIPT = /^[<>]\s*\{%[\s\S]*?(?:%\}|$(?![\s\S]))/gm;
const PLACEHOLDER = /\{\{([^{}\n]{1,200})\}\}/g;
/** A reference of JetBrains to the file of a response. */
const RESPONSE_FILE = /^(?:<>|>>!?|>)\s+\S.*$/gm;
const BODY_FILE = /^<(?:@\w*)?\s+(\S.*)$/;
const MAX_DEPTH = 5;
const MAX_LENGTH = 20_000_000;

/** Reads `.http` and `.rest` files, of the REST Client of VS Code and of JetBrains. */
export const HTTP_FILE: CaptureReader = {
  format: 'http-file',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && looksLikeFile(head),
  read: (capture, readFile) => {
    const text = withoutScripts(capture.textAs('http-file'));
    // The last assignment of a name applies.
    const variables = new Map(
      Array.from(text.matchAll(VARIABLE), ([, name = '', value = '']) => [name, value.trim()]),
    );
    const files = new CommandFiles('http-file', readFile);
    return text
      .split(SEPARATOR)
      .map((part) => `${part}\n`.replace(PREAMBLE, ''))
      .filter((request) => request !== '')
      .map((request) => ({
        looksSigned: mentionsSignature(request),
        read: () => readRequest(request, variables, files),
      }));
  },
};

/** Whether a text has separators, variables, a body file or an address of several lines. */
function looksLikeFile(head: string): boolean {
  const text = `${withoutScripts(head)}\n`;
  const request = text.replace(PREAMBLE, '');
  const [first = '', second = ''] = request.split('\n', 2);
  if (!REQUEST_LINE.test(first)) return false;
  if (request !== text || SEPARATOR.test(head) || CONTINUATION.test(second)) return true;
  return /\{\{|^https?:/.test(first) || /^[ \t]*\n<(?:@\w*)?\s+\S/m.test(text);
}

function withoutScripts(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SCRIPT, '');
}

async function readRequest(
  request: string,
  variables: ReadonlyMap<string, string>,
  files: CommandFiles,
): Promise<CapturedRequest> {
  const headEnd = request.search(/^[^\S\n]*$/m);
  const [requestLine = '', ...others] = request.slice(0, headEnd).trimEnd().split('\n');
  const [, method, address = ''] = REQUEST_LINE.exec(requestLine.slice(0, MAX_LINE)) ?? [];
  if (address === '') throw unreadable(`${shown(requestLine)} is not a request line`);
  const lines = others.filter((line) => !COMMENT.test(line));
  const queryEnd = lines.findIndex((line) => !CONTINUATION.test(line));
  const query = lines.splice(0, queryEnd === -1 ? lines.length : queryEnd);
  const headers = lines.map((line): Header => {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name !== undefined) return [name, substituted(value.trim(), variables)];
    throw unreadable(`${shown(line)} is not a header`);
  });
  const url = substituted([address, ...query.map((line) => line.trim())].join(''), variables);
  const host = headers.find(([name]) => /^host$/i.test(name))?.[1];
  return {
    format: 'http-file',
    method: method ?? 'GET',
    url: url.startsWith('/') && host ? `https://${host}${url}` : url,
    headers,
    ...files.content(await bodyOf(request.slice(headEnd), variables, files), headers),
  };
}

async function bodyOf(
  written: string,
  variables: ReadonlyMap<string, string>,
  files: CommandFiles,
): Promise<Uint8Array> {
  const text = written.replace(RESPONSE_FILE, '').trim();
  const [, path] = BODY_FILE.exec(text) ?? [];
  // `<@` substitutes variables in the file; `<` does not.
  if (path === undefined) return utf8Bytes(substituted(text, variables));
  if (!text.startsWith('<@')) return files.bytes(substituted(path, variables), 'the body (<)');
  const content = await files.text(substituted(path, variables), 'the body (<@)');
  return utf8Bytes(substituted(content, variables));
}

function substituted(text: string, variables: ReadonlyMap<string, string>): string {
  let length = text.length;
  const replaced = (part: string, depth: number): string =>
    part.replace(PLACEHOLDER, (whole, inner: string) => {
      const name = inner.trim();
      if (!/^[$%\w.-]/.test(name)) return whole;
      const value = variables.get(name.replace(/^%/, ''));
      if (value === undefined || depth >= MAX_DEPTH)
        throw captureFault(
          'http-file',
          name.startsWith('$') ? 'generated-variable' : 'unknown-variable',
          [name],
        );
      length += value.length;
      if (length > MAX_LENGTH) throw unreadable('its variables expand to a text that is too long');
      return replaced(value, depth + 1);
    });
  return replaced(text, 0);
}

function unreadable(subject: string): MopError {
  return captureFault('http-file', 'unreadable-request', [subject]);
}
