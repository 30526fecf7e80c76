import type { FormField } from '../../http/multipart.ts';
import { printJson } from '../../json/print.ts';
import type { JsonMember, JsonValue } from '../../json/value.ts';
import type { Header } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CapturedRequest, Content } from './captured-request.ts';
import type { CommandFiles } from './command-files.ts';
import { type CommandOption, commandOptions, type OptionNames } from './command-options.ts';
import { readContent } from './content.ts';
import { captureJson } from './decoding.ts';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

const OPTIONS: OptionNames = {
  format: 'httpie',
  withArgument: new Set(
    `auth auth-type bearer boundary cert cert-key cert-key-pass ciphers default-scheme
    format-options generate http-version interface max-headers max-redirects output pretty print
    proxy raw resolve response-charset response-mime session session-read-only ssl style timeout
    verify`.split(/\s+/),
  ),
  withoutArgument: ['form', 'multipart'],
  letters: {
    A: 'auth-type',
    a: 'auth',
    f: 'form',
    o: 'output',
    P: 'history-print',
    p: 'print',
    s: 'style',
  },
};

/** A request item of HTTPie: `name=value`, `name:=json`, `Header:value`, … */
interface Item {
  readonly name: string;
  readonly separator: Separator;
  readonly value: string;
}

/** The separators, each before its own prefixes. */
const SEPARATORS = [':=@', '==@', ':=', '==', '=@', ':@', ':', '=', '@', ';'] as const;
type Separator = (typeof SEPARATORS)[number];

/** Reads commands of HTTPie and of xh. */
export const HTTPIE_COMMAND = commandReader({
  format: 'httpie',
  programs: 'https?(?! \\d{4}-\\d\\d)|xhs?',
  requests: (command) => {
    const options = commandOptions(command.words, OPTIONS);
    return [() => readHttpie(options, command)];
  },
});

async function readHttpie(
  options: readonly CommandOption[],
  { program, files, notes }: PastedCommand,
): Promise<CapturedRequest> {
  const given = (wanted: string): CommandOption | undefined =>
    options.findLast(({ name }) => name === wanted);
  const words = options.filter(({ name }) => name === '').map(({ value }) => value);
  const hasMethod = words.length > 1 && /^[A-Za-z]+$/.test(words[0] ?? '');
  const [address = '', ...rest] = hasMethod ? words.slice(1) : words;
  const items = rest.map(itemOf);
  const headers = await readHeaders(items, files);
  const fields = items.filter(({ separator }) => ['=', ':=', '=@', ':=@', '@'].includes(separator));
  const raw = given('raw')?.value;
  const isForm = given('form') !== undefined || given('multipart') !== undefined;
  const read =
    fields.length === 0
      ? readContent(await rawBody(raw, files), headers, 'httpie')
      : isForm
        ? await readForm(fields, files)
        : await readJson(fields, files);
  return {
    format: 'httpie',
    method: hasMethod ? words[0]?.toUpperCase() : 'POST',
    url: addressOf(address, program),
    headers,
    body: read.body,
    notes: [...notes, ...files.notes, ...read.notes],
  };
}

/** @throws {MopError} `usage` for a word without a separator. */
function itemOf(word: string): Item {
  let name = '';
  for (let at = 0; at < word.length; at++) {
    const separator = SEPARATORS.find((each) => word.startsWith(each, at));
    if (separator !== undefined && !(separator === ';' && at < word.length - 1)) {
      return { name, separator, value: word.slice(at + separator.length) };
    }
    // A backslash before a separator makes it a part of the name.
    if (word[at] === '\\' && at + 1 < word.length) at++;
    name += word[at];
  }
  throw captureError(
    'httpie',
    `${shown(word)} is not a request item`,
    'each is name=value, name:=JSON, Header:value, name==query or name@file; check the quoting',
  );
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
  return raw === undefined ? files.bytes('-', 'HTTPie') : new TextEncoder().encode(raw);
}

/** The value of each field, in the order of the command. */
async function readJson(fields: readonly Item[], files: CommandFiles): Promise<Content> {
  const members: JsonMember[] = [];
  for (const { name, separator, value } of fields) {
    if (/[[\]]/.test(name)) {
      throw captureError(
        'httpie',
        `the nested name ${shown(name)} is not read`,
        'pass the body that was sent, which HTTPie prints with --verbose or --offline',
      );
    }
    members.push({ name, value: await jsonField(name, separator, value, files) });
  }
  return { body: printJson({ kind: 'object', members }), notes: [] };
}

async function jsonField(
  name: string,
  separator: Separator,
  value: string,
  files: CommandFiles,
): Promise<JsonValue> {
  switch (separator) {
    case ':=':
      return printedByPython(captureJson(value, `the value of ${shown(name)}`, 'httpie'));
    case ':=@':
      return printedByPython(
        captureJson(await files.text(value, ':=@'), `the file ${shown(value)}`, 'httpie'),
      );
    case '=@':
      return { kind: 'string', value: await files.text(value, '=@') };
    case '@':
      throw captureError(
        'httpie',
        `the field ${shown(name)} is a file, which only a form can contain`,
        'add --form, or write =@ to send the text of the file',
      );
    default:
      return { kind: 'string', value };
  }
}

/** A value with its numbers as HTTPie sends them: it parses JSON and prints it again. */
function printedByPython(value: JsonValue): JsonValue {
  switch (value.kind) {
    case 'number':
      return { kind: 'number', text: pythonNumber(value.text) };
    case 'array':
      return { kind: 'array', items: value.items.map(printedByPython) };
    case 'object': {
      const members = value.members.map(({ name, value }) => ({
        name,
        value: printedByPython(value),
      }));
      return { kind: 'object', members };
    }
    default:
      return value;
  }
}

/** Integers are exact; other numbers are doubles, with an exponent from 1e16 on and below 1e-4. */
function pythonNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const [mantissa, exponent = ''] = number.toExponential().split('e');
  const power = Number(exponent);
  if (number !== 0 && (power < -4 || power >= 16)) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
  }
  const digits = Object.is(number, -0) ? '-0' : `${number}`;
  return Number.isInteger(number) ? `${digits}.0` : digits;
}

async function readForm(fields: readonly Item[], files: CommandFiles): Promise<Content> {
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
  return { body, notes: [] };
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
