import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import type { CapturedRequest } from './captured-request.ts';
import { type CommandOptions, optionTable } from './command-options.ts';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

const OPTIONS = optionTable(
  'wget',
  `A:accept= accept-regex= a:append-output= B:base= bind-address= body-data= body-file=
  ca-certificate= ca-directory= certificate= certificate-type= ciphers= compression= config=
  connect-timeout= cut-dirs= default-page= P:directory-prefix= dns-timeout= D:domains=
  X:exclude-directories= exclude-domains= e:execute= header= http-password= http-user=
  ignore-tags= I:include-directories= i:input-file= l:level= limit-rate= load-cookies=
  local-encoding= max-redirect= method= O:output-document= o:output-file= password= post-data=
  post-file= private-key= private-key-type= progress= proxy-password= proxy-user= Q:quota=
  read-timeout= referer= R:reject= remote-encoding= report-speed= save-cookies= secure-protocol=
  start-pos= T:timeout= t:tries= use-askpass= user= U:user-agent= w:wait= waitretry=`,
);

export const WGET_COMMAND = commandReader({
  programs: 'wget2?',
  options: OPTIONS,
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
