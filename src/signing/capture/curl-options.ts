import { curlError, shown } from './capture-error.ts';

/** An option of a command line by its long name without dashes; an address is a `url`. */
export interface CurlOption {
  readonly name: string;
  /** Empty for an option without an argument. */
  readonly value: string;
}

/** The long options with an argument, from curl 7.88 and later. */
const WITH_ARGUMENT = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config
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
);

/** Options without an argument whose names are prefixes of options with one. */
const WITHOUT_ARGUMENT = new Set(
  'crlf ftp-ssl-ccc head netrc parallel socks5-gssapi ssl'.split(' '),
);

/** The letters whose options are read. */
const LETTERS: Readonly<Record<string, string>> = {
  ':': 'next',
  F: 'form',
  G: 'get',
  H: 'header',
  K: 'config',
  X: 'request',
  d: 'data',
};

const LETTER_WITH_ARGUMENT = /[ACDEFHKPQTUXYbcdemortuwxyz]/;

/**
 * Reads the words after `curl` as curl does, one option after the other.
 *
 * @throws {MopError} `usage` when an option lacks its argument.
 */
export function* curlOptions(words: readonly string[]): Generator<CurlOption, void> {
  const rest = words.values();
  const argumentOf = (option: string): string => {
    const { done, value } = rest.next();
    if (!done) return value;
    throw curlError(
      `the command ends after ${shown(option)}, which takes an argument`,
      'copy the whole command, with its last line',
    );
  };
  for (const word of rest) {
    if (word === '--') {
      for (const value of rest) yield { name: 'url', value };
    } else if (word.startsWith('--')) {
      const [, written = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const name = fullName(written);
      const takesArgument = WITH_ARGUMENT.has(name);
      yield { name, value: takesArgument ? (value ?? argumentOf(`--${written}`)) : '' };
    } else if (word.startsWith('-') && word !== '-') {
      // In `-sSXPOST` the first letter that takes an argument takes the rest.
      for (let index = 1; index < word.length; index++) {
        const letter = word.charAt(index);
        const name = LETTERS[letter] ?? letter;
        if (LETTER_WITH_ARGUMENT.test(letter)) {
          yield { name, value: word.slice(index + 1) || argumentOf(`-${letter}`) };
          break;
        }
        yield { name, value: '' };
      }
    } else {
      yield { name: 'url', value: word };
    }
  }
}

/** The full name of an option; curl accepts unambiguous abbreviations. */
function fullName(name: string): string {
  if (WITH_ARGUMENT.has(name) || WITHOUT_ARGUMENT.has(name)) return name;
  const longer = [...WITH_ARGUMENT, 'next', 'get'].filter((full) => full.startsWith(name));
  return longer.length === 1 ? (longer[0] ?? name) : name;
}
