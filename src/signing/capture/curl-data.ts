import { concatBytes, hexText, latin1Bytes, latin1Text, utf8Bytes } from '../bytes.ts';
import { shown } from './capture-error.ts';
import type { CommandFiles } from './command-files.ts';
import type { CommandOption } from './command-options.ts';

/** How each data option reads its argument. */
const DATA_OPTIONS: Readonly<Record<string, 'text' | 'raw' | 'bytes' | 'encoded'>> = {
  data: 'text',
  'data-ascii': 'text',
  'data-raw': 'raw',
  'data-binary': 'bytes',
  json: 'bytes',
  'data-urlencode': 'encoded',
};

export function isDataOption({ name }: CommandOption): boolean {
  return Object.hasOwn(DATA_OPTIONS, name);
}

/**
 * Joins the data options into a body, in the order of the command.
 *
 * @throws {MopError} `usage` when a file cannot be read.
 */
export async function joinData(
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
  return concatBytes(...pieces);
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
  const equals = argument.indexOf('=');
  const at = equals === -1 ? argument.indexOf('@') : equals;
  const name = argument.slice(0, Math.max(at, 0));
  const rest = argument.slice(at + 1);
  const content =
    at !== -1 && equals === -1 ? await files.bytes(rest, '--data-urlencode') : utf8Bytes(rest);
  return utf8Bytes(`${name}${name && '='}${percentEncoded(content)}`);
}

function percentEncoded(bytes: Uint8Array): string {
  return latin1Text(bytes).replace(/[^\w.~-]/g, (byte) =>
    byte === ' ' ? '+' : `%${hexText(latin1Bytes(byte)).toUpperCase()}`,
  );
}
