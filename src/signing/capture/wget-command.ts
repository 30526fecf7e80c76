import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import type { CapturedRequest } from './captured-request.ts';
import { type CommandOptions, optionTable } from './command-options.ts';
import OPTION_NAMES from './options/wget.txt?raw';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

export const WGET_COMMAND = commandReader({
  programs: 'wget2?',
  options: optionTable('wget', OPTION_NAMES),
  read: readWget,
});

async function readWget(
  options: CommandOptions,
  { files }: PastedCommand,
): Promise<CapturedRequest> {
  const data = options.last('post-data', 'body-data');
  const file = options.all('post-file', 'body-file').at(-1);
  if (data === undefined && file === undefined) {
    throw files.noBody('--post-data, --post-file, --body-data, --body-file');
  }
  const headers = options.all('header').map(({ value }): Header => {
    const [, name = '', content = value] = /^([^:]*):(.*)$/s.exec(value) ?? [];
    return [name.trim(), content.trim()];
  });
  const bytes = file ? await files.bytes(file.value, `--${file.name}`) : utf8Bytes(data ?? '');
  return {
    format: 'wget',
    method: options.last('method')?.toUpperCase() ?? 'POST',
    url: options.last(''),
    headers,
    ...files.content(bytes, headers),
  };
}
