import type { Header } from '../header-mode.ts';
import type { CapturedRequest } from './captured-request.ts';
import type { CommandFiles } from './command-files.ts';
import { type CommandOption, type CommandOptions, optionTable } from './command-options.ts';
import { readCurlBody } from './curl-body.ts';
import { commandReader, type PastedCommand } from './pasted-commands.ts';

/** The options of curl 7.88 and later. */
const OPTIONS = optionTable(
  'curl',
  `abstract-unix-socket= alt-svc= aws-sigv4= cacert= capath= E:cert= cert-type= ciphers=
  K:config= connect-timeout= connect-to= C:continue-at= b:cookie= c:cookie-jar=
  create-file-mode= crlfile= curves= d:data= data-ascii= data-binary= data-raw= data-urlencode=
  delegation= dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-url= D:dump-header=
  ech= egd-file= engine= etag-compare= etag-save= expect100-timeout= F:form= form-string=
  ftp-account= ftp-alternative-to-user= ftp-method= P:ftp-port= ftp-ssl-ccc-mode=
  happy-eyeballs-timeout-ms= haproxy-clientip= H:header= hostpubmd5= hostpubsha256= hsts=
  interface= ip-tos= ipfs-gateway= json= keepalive-cnt= keepalive-time= key= key-type=
  knownhosts= krb= krb4= libcurl= limit-rate= local-port= login-options= mail-auth= mail-from=
  mail-rcpt= max-filesize= max-redirs= m:max-time= netrc-file= noproxy= oauth2-bearer= o:output=
  output-dir= parallel-max= parallel-max-host= pass= pinnedpubkey= preproxy= proto=
  proto-default= proto-redir= x:proxy= proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type=
  proxy-ciphers= proxy-crlfile= proxy-header= proxy-key= proxy-key-type= proxy-pass=
  proxy-pinnedpubkey= proxy-service-name= proxy-tls13-ciphers= proxy-tlsauthtype=
  proxy-tlspassword= proxy-tlsuser= U:proxy-user= proxy1.0= pubkey= Q:quote= random-file=
  r:range= rate= e:referer= X:request= request-target= resolve= retry= retry-delay=
  retry-max-time= sasl-authzid= service-name= sigalgs= socks4= socks4a= socks5=
  socks5-gssapi-service= socks5-hostname= Y:speed-limit= y:speed-time= ssl-sessions= stderr=
  t:telnet-option= tftp-blksize= z:time-cond= tls-max= tls13-ciphers= tlsauthtype= tlspassword=
  tlsuser= trace= trace-ascii= trace-config= unix-socket= T:upload-file= upload-flags= url=
  url-query= u:user= A:user-agent= variable= vlan-priority= w:write-out= crlf ftp-ssl-ccc G:get
  head netrc ::next parallel socks5-gssapi ssl`,
);

export const CURL_COMMAND = commandReader({
  programs: 'curl|Curl|CURL',
  options: OPTIONS,
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
