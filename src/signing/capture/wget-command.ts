import type { Header } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { type CommandOption, commandOptions, type OptionNames } from './command-options.ts';
import { readContent } from './content.ts';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

const OPTIONS: OptionNames = {
  format: 'wget',
  withArgument: new Set(
    `accept accept-regex append-output base bind-address body-data body-file ca-certificate
    ca-directory certificate certificate-type ciphers compression config connect-timeout cut-dirs
    default-page directory-prefix dns-timeout domains exclude-directories exclude-domains execute
    header http-password http-user ignore-tags include-directories input-file level limit-rate
    load-cookies local-encoding max-redirect method output-document output-file password post-data
    post-file private-key private-key-type progress proxy-password proxy-user quota read-timeout
    referer reject remote-encoding report-speed save-cookies secure-protocol start-pos timeout tries
    use-askpass user user-agent wait waitretry`.split(/\s+/),
  ),
  letters: {
    A: 'accept',
    a: 'append-output',
    B: 'base',
    D: 'domains',
    e: 'execute',
    I: 'include-directories',
    i: 'input-file',
    l: 'level',
    O: 'output-document',
    o: 'output-file',
    P: 'directory-prefix',
    Q: 'quota',
    R: 'reject',
    T: 'timeout',
    t: 'tries',
    U: 'user-agent',
    w: 'wait',
    X: 'exclude-directories',
  },
};

/** Reads commands of GNU wget and wget2. */
export const WGET_COMMAND = commandReader({
  format: 'wget',
  programs: 'wget2?',
  requests: (command) => {
    const options = commandOptions(command.words, OPTIONS);
    return [() => readWget(options, command)];
  },
});

async function readWget(
  options: readonly CommandOption[],
  { files, notes }: PastedCommand,
): Promise<CapturedRequest> {
  const last = (...names: readonly string[]): CommandOption | undefined =>
    options.findLast(({ name }) => names.includes(name));
  const data = last('post-data', 'body-data');
  const file = last('post-file', 'body-file');
  if (data === undefined && file === undefined) {
    throw captureError(
      'wget',
      'it has no body (none of --post-data, --post-file, --body-data, --body-file)',
      [...notes, 'copy the whole command; an address with & must be in quotes'].join('; '),
    );
  }
  const headers = options
    .filter(({ name }) => name === 'header')
    .map(({ value }): Header => {
      const colon = value.indexOf(':');
      return [value.slice(0, Math.max(colon, 0)).trim(), value.slice(colon + 1).trim()];
    });
  const bytes = file
    ? await files.bytes(file.value, `--${file.name}`)
    : new TextEncoder().encode(data?.value);
  const read = readContent(bytes, headers, 'wget');
  return {
    format: 'wget',
    method: last('method')?.value.toUpperCase() ?? 'POST',
    url: last('')?.value,
    headers,
    body: read.body,
    notes: [...notes, ...files.notes, ...read.notes],
  };
}
