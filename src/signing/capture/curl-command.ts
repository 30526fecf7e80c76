import { withDetails } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import { curlError } from './capture-error.ts';
import type { CapturedRequest, Content } from './captured-request.ts';
import type { CommandFiles } from './command-files.ts';
import { type CommandOption, commandOptions, type OptionNames } from './command-options.ts';
import { readContent } from './content.ts';
import { isDataOption, joinData } from './curl-data.ts';
import { isFormOption, readForm } from './curl-form.ts';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

/** The options of curl 7.88 and later. */
const OPTIONS: OptionNames = {
  format: 'curl',
  withArgument: new Set([
    ...'ACDEPQTUYbcemortuwyxz',
    ...`abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config
  connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data
  data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr
  dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save
  expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port
  ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts
  interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type knownhosts krb krb4
  libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs
  max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max parallel-max-host pass
  pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert
  proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword
  proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request
  request-target resolve retry retry-delay retry-max-time sasl-authzid service-name
  sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time
  ssl-sessions stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype
  tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file
  upload-flags url url-query user user-agent variable vlan-priority write-out`.split(/\s+/),
  ]),
  withoutArgument: [
    'crlf',
    'ftp-ssl-ccc',
    'get',
    'head',
    'netrc',
    'next',
    'parallel',
    'socks5-gssapi',
    'ssl',
  ],
  letters: {
    ':': 'next',
    F: 'form',
    G: 'get',
    H: 'header',
    K: 'config',
    X: 'request',
    d: 'data',
  },
};

/** Reads curl commands, of a POSIX shell or of cmd.exe. */
export const CURL_COMMAND = commandReader({
  format: 'curl',
  programs: 'curl|Curl|CURL',
  requests: (command) =>
    splitAtNext(commandOptions(command.words, OPTIONS)).map(
      (options) => () => readCurl(options, command),
    ),
});

/** The options of each request: `--next` begins another request. */
function splitAtNext(options: readonly CommandOption[]): readonly (readonly CommandOption[])[] {
  const requests: CommandOption[][] = [[]];
  for (const option of options) {
    if (option.name === 'next') requests.push([]);
    else requests.at(-1)?.push(option);
  }
  return requests;
}

async function readCurl(
  options: readonly CommandOption[],
  { files, notes: pasted }: PastedCommand,
): Promise<CapturedRequest> {
  const notes = [...pasted];
  if (options.some(({ name }) => name === 'config')) {
    notes.push('the configuration file of -K was not read');
  }
  const data = options.filter(isDataOption);
  const form = options.filter(isFormOption);
  const headers = await readHeaders(options, files);
  assertOneBody(options, data, form, notes);
  const content = form.length > 0 ? await readForm(form, files) : await joinData(data, files);
  const read =
    content instanceof Uint8Array
      ? readBody(content, headers, notes)
      : { body: content, notes: [] };

  const urls = options.filter(({ name }) => name === '' || name === 'url');
  if (urls.length > 1) notes.push(`only the first of ${urls.length} addresses was read`);
  return {
    format: 'curl',
    method: options.findLast(({ name }) => name === 'request')?.value ?? 'POST',
    // Chrome escapes characters that curl would expand to several addresses.
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

function assertOneBody(
  options: readonly CommandOption[],
  data: readonly CommandOption[],
  form: readonly CommandOption[],
  notes: readonly string[],
): void {
  if (data.length > 0 && form.length > 0) {
    throw curlError(
      `it has both --${data[0]?.name} and --${form[0]?.name}, which curl refuses`,
      'keep the options of one kind of body',
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
      [...notes, 'copy the whole command; an address with & must be in quotes'].join('; '),
    );
  }
}

/** The headers of `-H`, as curl sends them. */
async function readHeaders(
  options: readonly CommandOption[],
  files: CommandFiles,
): Promise<Header[]> {
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

/** `Name: value`, or `Name;` for an empty one. `Name:` removes curl's own header. */
function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  if (colon !== -1) {
    const value = line.slice(colon + 1).trim();
    return value === '' ? undefined : [line.slice(0, colon).trim(), value];
  }
  return line.endsWith(';') ? [line.slice(0, -1), ''] : undefined;
}
