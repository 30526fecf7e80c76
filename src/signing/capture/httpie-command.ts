import type { FormField } from '../../http/multipart.ts';
import { utf8Bytes } from '../bytes.ts';
import { pythonText } from '../diagnosis/tables/number-text.ts';
import type { Header } from '../header-mode.ts';
import { type CapturedRequest, captureFault, shown } from './captured-request.ts';
import type { CommandFiles } from './command-files.ts';
import { type CommandOptions, optionTable } from './command-options.ts';
import { captureJson } from './decoding.ts';
import OPTION_NAMES from './options/httpie.txt?raw';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

/** A request item of HTTPie: `name=value`, `name:=json`, `Header:value`, … */
interface Item {
  readonly name: string;
  readonly separator: string;
  readonly value: string;
}

/** A backslash before a separator makes it a part of the name. `Name;` is an empty header. */
const ITEM = /^([^\\:=@;]*(?:(?:\\.|;(?!$))[^\\:=@;]*)*)(:=@|==@|:=|==|=@|:@|[:=@]|;$)(.*)$/s;

export const HTTPIE_COMMAND = commandReader({
  // A line of an access log may begin with the scheme and the time.
  programs: 'https?(?! \\d{4}-\\d\\d)|xhs?',
  options: optionTable('httpie', OPTION_NAMES),
  read: readHttpie,
});

async function readHttpie(
  options: CommandOptions,
  { program, files }: PastedCommand,
): Promise<CapturedRequest> {
  const { words } = options;
  const hasMethod = words.length > 1 && /^[A-Za-z]+$/.test(words[0] ?? '');
  const [address = '', ...rest] = hasMethod ? words.slice(1) : words;
  const items = rest.map(itemOf);
  const headers = await readHeaders(items, files);
  const fields = items.filter(({ separator }) => /^:?=@?$|^@$/.test(separator));
  const isForm = options.all('form', 'multipart').length > 0;
  const body =
    fields.length === 0
      ? await rawBody(options.last('raw'), files)
      : await (isForm ? readForm(fields, files) : readJson(fields, files));
  return {
    format: 'httpie',
    method: hasMethod ? words[0]?.toUpperCase() : 'POST',
    url: addressOf(address, program),
    headers,
    ...files.content(body, headers),
  };
}

function itemOf(word: string): Item {
  const [, name, separator = '', value = ''] = ITEM.exec(word) ?? [];
  if (name !== undefined) return { name: name.replace(/\\(.)/gs, '$1'), separator, value };
  throw captureFault('httpie', 'no-item', [shown(word)]);
}

async function readHeaders(items: readonly Item[], files: CommandFiles): Promise<Header[]> {
  const headers: Header[] = [];
  for (const { name, separator, value } of items) {
    if (separator === ';') headers.push([name, '']);
    if (separator === ':@') headers.push([name, (await files.text(value, ':@')).trim()]);
    // `Name:` removes HTTPie's own header.
    if (separator === ':' && value !== '') headers.push([name, value]);
  }
  return headers;
}

async function rawBody(raw: string | undefined, files: CommandFiles): Promise<Uint8Array> {
  return raw === undefined ? files.bytes('-', 'HTTPie') : utf8Bytes(raw);
}

async function readJson(fields: readonly Item[], files: CommandFiles): Promise<Uint8Array> {
  const members: string[] = [];
  for (const field of fields) {
    members.push(`${JSON.stringify(field.name)}:${await jsonText(field, files)}`);
  }
  return utf8Bytes(`{${members.join(',')}}`);
}

async function jsonText({ name, separator, value }: Item, files: CommandFiles): Promise<string> {
  if (/[[\]]/.test(name)) {
    throw captureFault('httpie', 'nested-name', [shown(name)]);
  }
  if (separator === '@') {
    throw captureFault('httpie', 'file-in-json', [shown(name)]);
  }
  const text = separator.endsWith('@') ? await files.text(value, separator) : value;
  if (!separator.startsWith(':')) return JSON.stringify(text);
  captureJson(text, `the value of ${shown(name)}`, 'httpie');
  // HTTPie parses JSON and prints it again.
  return text.replace(
    /("[^"\\]*(?:\\.[^"\\]*)*")|\s+|-?\d[\d.eE+-]*/g,
    (token, string) => string ?? (token.trim() && pythonText(token)),
  );
}

async function readForm(fields: readonly Item[], files: CommandFiles): Promise<FormField[]> {
  const body: FormField[] = [];
  for (const { name, separator, value } of fields) {
    if (separator === '@') {
      // `path;type=image/png`
      const [path = ''] = value.split(';type=');
      const file = path.slice(path.lastIndexOf('/') + 1);
      const content = await files.optionalBytes(path);
      body.push(content ? { name, file, content } : { name, file });
    } else {
      const isFile = separator.endsWith('@');
      body.push({ name, value: isFile ? await files.text(value, separator) : value });
    }
  }
  return body;
}

/** The address with the defaults of HTTPie: http, and `localhost` for `:3000/x`. */
function addressOf(address: string, program: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return address;
  const scheme = program.endsWith('s') ? 'https' : 'http';
  const host = /^:(?:\d|\/|$)/.test(address)
    ? `localhost${address.replace(/^:(?=\/|$)/, '')}`
    : address.replace(/^:?\/\//, '');
  return `${scheme}://${host}`;
}
