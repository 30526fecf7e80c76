import { withDetails } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import { curlError, shown } from './capture-error.ts';
import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import type { CapturedRequest, Content } from './captured-request.ts';
import { cmdWords, isCmdCommand } from './cmd-words.ts';
import { CommandFiles, type ReadFile } from './command-files.ts';
import { readContent } from './content.ts';
import { isDataOption, joinData } from './curl-data.ts';
import { isFormOption, readForm } from './curl-form.ts';
import { type CurlOption, curlOptions } from './curl-options.ts';
import { shellWords } from './shell-words.ts';

/** Text before curl in a paste. */
const COMMENT_LINES = /(?:#[^\n]*\n\s*)*/;
const PROMPT =
  /(?:(?:\+|[\w.-]*(?:@[\w.-]*)?(?::[^\s'"$>#%]*)?[$>#%]|PS [^>\n]*>|[A-Za-z]:\\[^>\n]*>)\s*)?/;
const QUOTED = /(?:'[^']*'|"[^"]*")/;
const ASSIGNMENT = new RegExp(`[A-Za-z_]\\w*=[^\\s'"]*(?:${QUOTED.source}[^\\s'"]*)*`);
const PREFIXES = new RegExp(`(?:(?:sudo|env|time|${ASSIGNMENT.source})\\s+)*`);
const DIRECTORY = /(?:[^\s"']*[/\\]|[A-Za-z]:[^"\n]*\\)?/;
const CURL = new RegExp(
  `^${COMMENT_LINES.source}${PROMPT.source}${PREFIXES.source}"?${DIRECTORY.source}curl(?:\\.exe)?"?(?=\\s|$)`,
  'i',
);

/** Reads a command as it is pasted, with a prompt or variables before it. */
export const CURL_COMMAND: CaptureReader = {
  format: 'curl',
  isFormat: ({ head }) => CURL.test(head),
  read: (capture, readFile) =>
    onlyEntry(() => {
      const prefix = CURL.exec(capture.head)?.[0] ?? '';
      return readCurl(capture.textAs('curl'), capture.start + prefix.length, readFile);
    }),
};

/**
 * Reads a curl command, of a POSIX shell or of cmd.exe.
 *
 * @param start Where the arguments begin, behind the word `curl`.
 * @throws {MopError} `usage`
 */
async function readCurl(
  text: string,
  start: number,
  readFile: ReadFile | undefined,
): Promise<CapturedRequest> {
  const notes: string[] = [];
  const all = [...curlOptions(splitCommand(text, start, notes))];
  const next = all.findIndex(({ name }) => name === 'next');
  const options = next === -1 ? all : all.slice(0, next);
  if (next !== -1) notes.push('only the request before --next was read');
  if (options.some(({ name }) => name === 'config')) {
    notes.push('the configuration file of -K was not read');
  }

  const files = new CommandFiles(readFile);
  const data = options.filter(isDataOption);
  const form = options.filter(isFormOption);
  const headers = await readHeaders(options, files);
  assertOneBody(options, data, form);
  const content = form.length > 0 ? await readForm(form, files) : await joinData(data, files);
  const read =
    content instanceof Uint8Array
      ? readBody(content, headers, notes)
      : { body: content, notes: [] };

  const urls = options.filter(({ name }) => name === 'url');
  if (urls.length > 1) notes.push(`only the first of ${urls.length} addresses was read`);
  return {
    format: 'curl',
    method: options.findLast(({ name }) => name === 'request')?.value ?? 'POST',
    // Chrome escapes what curl would take for several addresses.
    url: urls[0]?.value.replace(/\\([[\]{}])/g, '$1'),
    body: read.body,
    headers,
    notes: [...notes, ...files.notes, ...read.notes],
  };
}

/** An unreadable body probably contains expansions of the shell: the hint lists them. */
function readBody(
  bytes: Uint8Array,
  headers: readonly Header[],
  notes: readonly string[],
): Content {
  try {
    return readContent(bytes, headers, 'curl');
  } catch (error) {
    throw notes.length > 0 ? withDetails(error, { hint: notes.join('; ') }) : error;
  }
}

/** PowerShell continues a line with a backtick; where all stand at line ends, they are that. */
function withoutBackticks(text: string): string {
  return /`(?!\r?\n)/.test(text) ? text : text.replaceAll('`', '\\');
}

function splitCommand(text: string, start: number, notes: string[]): readonly string[] {
  if (isCmdCommand(text, start)) return cmdWords(text, start);
  const { words, expansions } = shellWords(withoutBackticks(text), start);
  if (expansions.length > 0) {
    const names = expansions.slice(0, 5).map((expansion) => shown(expansion));
    if (expansions.length > names.length) names.push(`${expansions.length - names.length} more`);
    notes.push(`the shell would have replaced ${names.join(', ')}, which was read as it stands`);
  }
  return words;
}

function assertOneBody(
  options: readonly CurlOption[],
  data: readonly CurlOption[],
  form: readonly CurlOption[],
): void {
  if (data.length > 0 && form.length > 0) {
    throw curlError(
      `it has both --${data[0]?.name} and --${form[0]?.name}, which curl refuses`,
      'leave the options of one kind of body',
    );
  }
  if (data.length > 0 && options.some(({ name }) => name === 'get')) {
    throw curlError(
      'with -G the data goes into the address, so there is no body',
      'the signed operations are POST with a JSON body: remove -G',
    );
  }
  if (data.length === 0 && form.length === 0) {
    throw curlError(
      'it has no body (none of -d, --data-raw, --json, -F …)',
      'copy the whole command; an address with & must stand in quotes',
    );
  }
}

/** The headers of `-H`, as curl sends them. */
async function readHeaders(options: readonly CurlOption[], files: CommandFiles): Promise<Header[]> {
  const headers: Header[] = [];
  for (const { name, value } of options) {
    if (name !== 'header') continue;
    const lines = value.startsWith('@')
      ? (await files.text(value.slice(1), '-H')).split(/\r?\n/)
      : [value];
    for (const line of lines) {
      const header = headerOf(line);
      if (header !== undefined) headers.push(header);
    }
  }
  return headers;
}

/** `Name: value`, or `Name;` for an empty one. `Name:` keeps curl from sending its own. */
function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  if (colon !== -1) {
    const value = line.slice(colon + 1).trim();
    return value === '' ? undefined : [line.slice(0, colon).trim(), value];
  }
  return line.endsWith(';') ? [line.slice(0, -1), ''] : undefined;
}
