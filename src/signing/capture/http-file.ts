import type { MopError } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { CommandFiles } from './command-files.ts';
import { readContent } from './content.ts';
import { type CaptureReader, mentionsSignature } from './source.ts';

const SEPARATOR = /^###.*$/m;
const COMMENT = /^\s*(?:#|\/\/)/;
const VARIABLE = /^@([\w.-]+)\s*=(.*)$/;
/** A character of an address, or a placeholder, which may contain spaces. */
const PART = /(?:\{\{[^{}\n]*\}\}|(?!\{\{[^{}\n]*\}\})\S)/;
const REQUEST_LINE = new RegExp(
  `^(?:([A-Z]{3,10})[ \\t]+)?((?=https?://|/|\\{\\{|[\\w.-]+(?::\\d+)?/)${PART.source}+)(?:[ \\t]+HTTP/[\\d.]+)?[ \\t]*$`,
);
const HEADER = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/;
/** A line that continues the address of the request line: a long query, or a part of the path. */
const CONTINUATION = /^\s*[?&]|^\s+\//;
/** Maximum length of a request line. */
const MAX_LINE = 10_000;
/** The start of a JetBrains script, before or after a request. */
const SCRIPT = /^[<>]\s*\{%/m;
const PLACEHOLDER = /\{\{([^{}\n]{1,200})\}\}/g;
/** A reference of JetBrains to the file of a response. */
const RESPONSE_FILE = /^(?:<>|>>!?|>)\s+\S.*$/gm;
const BODY_FILE = /^<(?:@\w*)?\s+(\S.*)$/;
/** Maximum depth of nested substitutions. */
const MAX_ROUNDS = 5;
/** Maximum length of a text after substitution. */
const MAX_LENGTH = 20_000_000;

type Variables = ReadonlyMap<string, string>;

/** Reads `.http` and `.rest` files, of the REST Client of VS Code and of JetBrains. */
export const HTTP_FILE: CaptureReader = {
  format: 'http-file',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && looksLikeFile(head),
  read: (capture, readFile) => {
    const text = withoutScripts(capture.textAs('http-file').replaceAll('\r\n', '\n'));
    const variables = variablesOf(text);
    const files = new CommandFiles('http-file', readFile);
    return text
      .split(SEPARATOR)
      .filter((part) => part.split('\n').some((line) => line.trim() !== '' && !isPreamble(line)))
      .map((part) => ({
        looksSigned: mentionsSignature(part),
        read: () => readRequest(part, variables, files),
      }));
  },
};

/**
 * Whether a text has features that a single message lacks: separators, variables, the name of a
 * body file, an address of several lines.
 */
function looksLikeFile(head: string): boolean {
  const lines = withoutScripts(head).split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() !== '' && !isPreamble(line));
  const [first = '', second = ''] = lines.slice(Math.max(start, 0));
  if (!REQUEST_LINE.test(first)) return false;
  const [line = ''] = lines;
  if (lines.some((each, index) => BODY_FILE.test(each) && lines[index - 1]?.trim() === ''))
    return true;
  if (CONTINUATION.test(second)) return true;
  return SEPARATOR.test(head) || isPreamble(line) || /\{\{|^https?:/.test(first);
}

function withoutScripts(text: string): string {
  const kept: string[] = [];
  let rest = text;
  for (let script = SCRIPT.exec(rest); script; script = SCRIPT.exec(rest)) {
    const end = rest.indexOf('%}', script.index);
    if (end === -1) break;
    kept.push(rest.slice(0, script.index));
    rest = rest.slice(end + 2);
  }
  return [...kept, rest].join('');
}

function isPreamble(line: string): boolean {
  return COMMENT.test(line) || VARIABLE.test(line);
}

/** The variables of the file. The last assignment of a name applies. */
function variablesOf(text: string): Variables {
  const variables = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value = ''] = VARIABLE.exec(line) ?? [];
    if (name !== undefined) variables.set(name, value.trim());
  }
  return variables;
}

async function readRequest(
  part: string,
  variables: Variables,
  files: CommandFiles,
): Promise<CapturedRequest> {
  const lines = part.split('\n');
  const start = lines.findIndex((line) => line.trim() !== '' && !isPreamble(line));
  const empty = lines.findIndex((line, index) => index > start && line.trim() === '');
  const head = lines.slice(start, empty === -1 ? undefined : empty);
  const [requestLine = '', ...rest] = head.filter(
    (line, index) => index === 0 || !COMMENT.test(line),
  );
  const [, method, address = ''] = REQUEST_LINE.exec(requestLine.slice(0, MAX_LINE)) ?? [];
  if (address === '') {
    throw unreadable(`${shown(requestLine)} is not a request line`);
  }
  const queryEnd = rest.findIndex((line) => !CONTINUATION.test(line));
  const query = rest.slice(0, queryEnd === -1 ? undefined : queryEnd);
  const headers = rest.slice(query.length).map((line) => headerOf(line, variables));
  const bodyLines = empty === -1 ? [] : lines.slice(empty + 1);
  const url = substituted([address, ...query.map((line) => line.trim())].join(''), variables);
  const host = headers.find(([name]) => /^host$/i.test(name))?.[1];
  return {
    format: 'http-file',
    method: method ?? 'GET',
    url: url.startsWith('/') && host ? `https://${host}${url}` : url,
    headers,
    ...readContent(await bodyOf(bodyLines, variables, files), headers, 'http-file'),
  };
}

function headerOf(line: string, variables: Variables): Header {
  const [, name, value = ''] = HEADER.exec(line) ?? [];
  if (name !== undefined) return [name, substituted(value.trim(), variables)];
  throw unreadable(`${shown(line)} is not a header`);
}

/** The body, without the empty lines around it. */
async function bodyOf(
  lines: readonly string[],
  variables: Variables,
  files: CommandFiles,
): Promise<Uint8Array> {
  const text = lines.join('\n').replace(RESPONSE_FILE, '').trim();
  const [, path] = BODY_FILE.exec(text) ?? [];
  // `<@` substitutes variables in the file; `<` does not.
  if (path === undefined) return new TextEncoder().encode(substituted(text, variables));
  if (!text.startsWith('<@')) return files.bytes(substituted(path, variables), 'the body (<)');
  const content = await files.text(substituted(path, variables), 'the body (<@)');
  return new TextEncoder().encode(substituted(content, variables));
}

/** @throws {MopError} `usage` for a variable without a value in the file. */
function substituted(text: string, variables: Variables): string {
  let result = text;
  for (let round = 0; result.includes('{{'); round++) {
    const before = result;
    let length = before.length;
    result = before.replace(PLACEHOLDER, (whole, inner: string) => {
      const name = inner.trim();
      if (!/^[$%\w.-]/.test(name)) return whole;
      const value = variables.get(name.replace(/^%/, ''));
      if (value === undefined || round >= MAX_ROUNDS) throw undefinedVariable(name);
      length += value.length;
      if (length > MAX_LENGTH) throw unreadable('its variables expand to a text that is too long');
      return value;
    });
    if (result === before) break;
  }
  return result;
}

function undefinedVariable(name: string): MopError {
  const isDynamic = name.startsWith('$');
  return captureError(
    'http-file',
    isDynamic
      ? `{{${name}}} is a value that was generated when the request was sent`
      : `the variable {{${name}}} has no value in the file`,
    isDynamic
      ? 'replace it with the value that was sent: the response view of the editor shows the request'
      : `add a line @${name} = VALUE, or replace it with the value that was sent`,
  );
}

function unreadable(subject: string): MopError {
  return captureError(
    'http-file',
    subject,
    'a request is METHOD URL, then headers, an empty line and the body; ### separates requests',
  );
}
