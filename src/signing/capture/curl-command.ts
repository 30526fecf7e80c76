import type { FormField } from '../../http/multipart.ts';
import { concatBytes, hexText, latin1Bytes, latin1Text, utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import { type CapturedRequest, captureFault, shown } from './captured-request.ts';
import type { CommandFiles } from './command-files.ts';
import { type CommandOption, type CommandOptions, optionTable } from './command-options.ts';
import OPTION_NAMES from './options/curl.txt?raw';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

export const CURL_COMMAND = commandReader({
  programs: 'curl|Curl|CURL',
  options: optionTable('curl', OPTION_NAMES),
  read: readCurl,
});

async function readCurl(
  options: CommandOptions,
  { files }: PastedCommand,
): Promise<CapturedRequest> {
  if (options.last('config') !== undefined) {
    files.notes.push('the configuration file of -K was not read');
  }
  const urls = options.all('', 'url');
  const headers = await readHeaders(options.all('header'), files);
  const body = await readCurlBody(options, files);
  if (urls.length > 1) files.notes.push(`only the first of ${urls.length} addresses was read`);
  return {
    format: 'curl',
    method: options.last('request') ?? 'POST',
    // Chrome escapes characters that curl would expand to several addresses.
    url: urls[0]?.value.replace(/\\([[\]{}])/g, '$1'),
    headers,
    ...files.content(body, headers),
  };
}

async function readHeaders(
  options: readonly CommandOption[],
  files: CommandFiles,
): Promise<readonly Header[]> {
  const lines: string[] = [];
  for (const { value } of options) {
    if (!value.startsWith('@')) lines.push(value);
    else
      for (const line of (await files.text(value.slice(1), '-H')).split(/\r?\n/)) lines.push(line);
  }
  return lines.flatMap(headerOf);
}

/** `Name: value`, or `Name;` for an empty one. `Name:` removes curl's own header. */
function headerOf(line: string): readonly Header[] {
  const [, name, value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
  if (name !== undefined) return value.trim() === '' ? [] : [[name.trim(), value.trim()]];
  return line.endsWith(';') ? [[line.slice(0, -1), '']] : [];
}

const DATA_OPTIONS: Readonly<Record<string, 'text' | 'raw' | 'bytes' | 'encoded'>> = {
  data: 'text',
  'data-ascii': 'text',
  'data-raw': 'raw',
  'data-binary': 'bytes',
  json: 'bytes',
  'data-urlencode': 'encoded',
};

async function readCurlBody(
  options: CommandOptions,
  files: CommandFiles,
): Promise<Uint8Array | readonly FormField[]> {
  const data = options.all(...Object.keys(DATA_OPTIONS));
  const form = options.all('form', 'form-string');
  if (data.length > 0 && form.length > 0) {
    throw captureFault('curl', 'two-bodies', [data[0]?.name, form[0]?.name]);
  }
  if (data.length > 0 && options.last('get') !== undefined) {
    throw captureFault('curl', 'data-in-address');
  }
  if (data.length > 0) return joinData(data, files);
  if (form.length === 0) throw files.noBody('-d, --data-raw, --json, -F …');
  const fields: FormField[] = [];
  for (const option of form) fields.push(await formField(option, files));
  return fields;
}

async function joinData(
  options: readonly CommandOption[],
  files: CommandFiles,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const option of options) {
    const piece = await dataPiece(option, files);
    if (length > 0 && option.name !== 'json') pieces.push(utf8Bytes('&'));
    pieces.push(piece);
    length += piece.length;
  }
  return concatBytes(pieces);
}

async function dataPiece({ name, value }: CommandOption, files: CommandFiles): Promise<Uint8Array> {
  const kind = DATA_OPTIONS[name];
  if (kind === 'encoded') return urlEncodedPiece(value, files);
  if (kind === 'raw' || !value.startsWith('@')) return utf8Bytes(value);
  const bytes = await files.bytes(value.slice(1), `--${name}`);
  if (kind === 'bytes') return bytes;
  const kept = bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0);
  // A final line end is not reported: most files have one, and JSON does not need it.
  if (kept.length < bytes.length - (bytes.at(-1) === 0x0a ? 1 : 0)) {
    const count = bytes.length - kept.length;
    files.notes.push(
      `curl removes line ends and NULs from a file with --${name}: ${count} of ${shown(value)} (--data-binary keeps them)`,
    );
  }
  return kept;
}

/** `content`, `=content`, `name=content`, `@file` or `name@file`: the name is sent unchanged. */
async function urlEncodedPiece(argument: string, files: CommandFiles): Promise<Uint8Array> {
  const [, name = '', separator, content = argument] =
    /^([^=]*)(=)(.*)$/s.exec(argument) ?? /^([^@]*)(@)(.*)$/s.exec(argument) ?? [];
  const bytes =
    separator === '@' ? await files.bytes(content, '--data-urlencode') : utf8Bytes(content);
  const encoded = latin1Text(bytes).replace(/[^\w.~-]/g, (byte) =>
    byte === ' ' ? '+' : `%${hexText(latin1Bytes(byte)).toUpperCase()}`,
  );
  return utf8Bytes(`${name}${name && '='}${encoded}`);
}

/** A part before a `;`: a parameter or the value, in double quotes with escapes, or trimmed. */
const FORM_PART =
  /(?:^|;\s*(filename=)?)\s*(?:"([^"\\]*(?:\\(?:["\\]|(?!["\\]))[^"\\]*)*)"([^;]*)|([^;]*))/g;

/**
 * `name=value`, `name=@file` to upload it, or `name=<file` for its text; parameters follow a `;`.
 */
async function formField(option: CommandOption, files: CommandFiles): Promise<FormField> {
  const isString = option.name === 'form-string';
  const [, name, content = ''] = /^([^=]*)=(.*)$/s.exec(option.value) ?? [];
  if (name === undefined) {
    throw captureFault('curl', 'no-form-field', [`--${option.name}`, shown(option.value)]);
  }
  if (isString) return { name, value: content };
  const kind = /^[@<]/.exec(content)?.[0] ?? '';
  const [first, ...parameters] = content.slice(kind.length).matchAll(FORM_PART);
  if (kind === '@' && (first?.[3] ?? first?.[4])?.includes(',')) {
    throw captureFault('curl', 'several-files', [shown(name)]);
  }
  const value = partText(first);
  const filename = parameters.find(([, isFilename]) => isFilename);
  // A file name replaces the last part of the path. A text with a name becomes a file.
  const file = filename && partText(filename);
  if (kind === '@') {
    const sent = { name, file: file ?? value.slice(value.lastIndexOf('/') + 1) };
    const uploaded = await files.optionalBytes(value);
    return uploaded ? { ...sent, content: uploaded } : sent;
  }
  const text = kind === '<' ? await files.text(value, '-F') : value;
  return file === undefined ? { name, value: text } : { name, file, content: utf8Bytes(text) };
}

function partText([, , quoted, , plain = '']: readonly (string | undefined)[] = []): string {
  return quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trimEnd();
}
