import { hashHex } from '../../../runtime/digests.ts';
import {
  base64Bytes,
  base64Text,
  concatBytes,
  hexBytes,
  hexText,
  latin1Text,
  utf8Bytes,
  utf8Text,
} from '../../bytes.ts';
import { commonFieldText } from '../../received-request.ts';
import { COMMON, type Evidence, mistake, RARE, type Table, UNCOMMON, USUAL } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';
import { type Rows, table, tableOf } from '../steps.ts';
import { urlDecoded } from './encodings.ts';
import { pythonBytes } from './languages.ts';

/** The secret, its text and its place (D1 5.1 step 3). */

type Change = (secret: string) => string;

const framed =
  (open: string, close: string): Change =>
  (secret) =>
    open + secret + close;

export const secretWhitespace = mistake('secret-whitespace', [
  table('secret', 'the api secret was used', {
    [COMMON]: { 'with a line end after it': framed('', '\n') },
    [USUAL]: {
      'with a Windows line end after it': framed('', '\r\n'),
      'with a space after it': framed('', ' '),
      'with a space before it': framed(' ', ''),
      'without the white space around it': (secret) => secret.trim(),
      'in double quotes': framed('"', '"'),
      'without the quotes around it': (secret) => secret.replace(/^(["'])(.*)\1$/s, '$2'),
    },
    [RARE]: {
      'with a carriage return after it': framed('', '\r'),
      'with a tab after it': framed('', '\t'),
      'with a space on both sides': framed(' ', ' '),
      'in single quotes': framed("'", "'"),
      'in parentheses': framed('(', ')'),
      'in brackets': framed('[', ']'),
      'in braces': framed('{', '}'),
      'in angle brackets': framed('<', '>'),
      'after a byte order mark': framed('\ufeff', ''),
    },
  }),
]);

export const secretOtherProfile = mistake('secret-other-profile', [], {
  'the request was signed with the secret of another profile': ({ otherSecrets }) =>
    tableOf(
      'steps',
      'the request was signed with the secret of',
      otherSecrets.map(({ name, secret }) => [name, USUAL, { secret }]),
    ),
});

/** Names of the secret on this platform, whose documents spell it `api_sercret`. */
const OWN_NAMES = ['key', 'secret', 'api_secret', 'api_sercret'];
/** Names of the secret on other platforms. */
const OTHER_NAMES = `
  app_secret appSecret secret_key secretKey client_secret token apiSecret apisecret appsecret
  secretkey KEY SECRET API_SECRET app_key appkey password sign_key signKey signkey signSecret
  sign_secret signsecret partner_key partnerKey private_key privateKey md5key md5_key md5Key
  merchant_key mch_key accessSecret access_secret accessKeySecret salt sk access_token session_key
  paySecret pay_key app_token appToken clientSecret
  appKey AppSecret apiKey
`
  .trim()
  .split(/\s+/);
const RARE_SEPARATORS = [
  ...['=', ',', '|', ':', '#', '\n', ' ', '?', ';', '@', '_', '-', '+'],
  ...OWN_NAMES.flatMap((name) =>
    ['', '?', ',', '|', '\n', ';', ' '].flatMap((separator) => [
      `${separator}${name}=`,
      `${separator}${name}:`,
    ]),
  ),
  ...OWN_NAMES.map((name) => `&${name}:`),
];

const CHANGES: Rows<Change> = {
  3: {
    'used in lower case': (secret) => secret.toLowerCase(),
    'used in upper case': (secret) => secret.toUpperCase(),
    'used as its MD5 in lower case': md5,
    'used as its MD5 in upper case': (secret) => md5(secret).toUpperCase(),
    'decoded from Base64 first': (secret) => latin1Text(base64Bytes(secret)),
    'encoded as Base64 first': (secret) => base64Text(utf8Bytes(secret)),
    'replaced by the word null': () => 'null',
    'replaced by the word undefined': () => 'undefined',
  },
  4: {
    'decoded from Base64 first, as UTF-8': (secret) => utf8Text(base64Bytes(secret)),
    'decoded from hex first': (secret) => latin1Text(hexBytes(secret)),
    'percent-encoded first': encodeURIComponent,
    'replaced by the word None': () => 'None',
  },
  [UNCOMMON]: {
    'cut before "#" (a comment in a file of settings)': cutBefore('#'),
    'cut before "="': cutBefore('='),
    'cut before ";"': cutBefore(';'),
    'cut before a space': cutBefore(' '),
    'used without $ and the name after it (a shell variable)': (secret) =>
      secret.replace(/\$(?:\w+|\{\w+\})/g, ''),
    'percent-decoded first': urlDecoded,
    'used with "+" as a space': (secret) => secret.replaceAll('+', ' '),
    'used without backslashes': (secret) => secret.replaceAll('\\', ''),
    'used without its last character': (secret) => secret.slice(0, -1),
    'printed as Python prints its bytes': (secret) => pythonBytes(utf8Bytes(secret)),
  },
  [RARE]: {
    'encoded as hex first': (secret) => hexText(utf8Bytes(secret)),
    'replaced by asterisks': (secret) => '*'.repeat(secret.length),
    'cut to 16 characters': (secret) => secret.slice(0, 16),
    'cut to 8 characters': (secret) => secret.slice(0, 8),
    'used without its first character': (secret) => secret.slice(1),
    reversed: (secret) => [...secret].reverse().join(''),
    'appended twice': (secret) => secret + secret,
  },
};

const ISSUED = { fix: 'append the api secret with exactly the characters that were issued' };
const IN_FRONT = 'the api secret was put in front of the pairs';

export const secretJoined = mistake(
  'secret-joined',
  [
    afterTable(COMMON, ['&key=']),
    afterTable(USUAL, [...OWN_NAMES.slice(1).map((name) => `&${name}=`), '&']),
    table('append', IN_FRONT, {
      [USUAL]: {
        '': (text, secret) => secret + text,
        ', with "&" between': (text, secret) => `${secret}&${text}`,
      },
      [RARE]: { 'as its MD5': (text, secret) => md5(secret) + text },
    }),
    table('append', 'the api secret was', {
      [USUAL]: {
        'put at both ends of the pairs': (text, secret) => secret + text + secret,
        'put at both ends of the pairs, with "&" between': (text, secret) =>
          [secret, text, secret].join('&'),
        'left out': withoutSecret,
      },
    }),
    afterTable(
      4,
      OTHER_NAMES.map((name) => `&${name}=`),
    ),
    afterTable(RARE, RARE_SEPARATORS),
    tableOf(
      'append',
      IN_FRONT,
      [...OWN_NAMES, ...OTHER_NAMES].map((name) => [
        `as ${name}=`,
        RARE,
        (text, secret) => `${name}=${secret}&${text}`,
      ]),
    ),
    table('steps', 'the bytes that the api secret encodes were appended,', {
      3: { 'decoded from Base64': appended(base64Bytes), 'decoded from hex': appended(hexBytes) },
    }),
    table('secret', 'the api secret was', CHANGES, ISSUED),
  ],
  { 'the api_key replaced the api secret, or was put beside it': withApiKey },
);

function withApiKey(evidence: Evidence): Table {
  const key = commonFieldText(evidence, 'api_key');
  if (key === undefined) return [];
  const replacements: Rows<Change> = {
    [USUAL]: { 'the api_key': () => key },
    4: {
      'the api_key and the secret': (secret) => key + secret,
      'the secret and the api_key': (secret) => secret + key,
    },
  };
  return [
    ...table('secret', 'the api secret was replaced by', replacements, ISSUED),
    ...table('append', 'the api_key was put in front of the pairs, and the api secret', {
      [RARE]: {
        'was appended': (text, secret) => key + text + secret,
        'was appended, with "&" between': (text, secret) => [key, text, secret].join('&'),
        'followed it': (text, secret) => key + secret + text,
      },
    }),
  ];
}

function afterTable(cost: number, separators: readonly string[]): Table {
  return tableOf(
    'append',
    'the api secret was appended after',
    separators.map((separator) => [
      `${JSON.stringify(separator)} instead of directly`,
      cost,
      (text, secret) => text + separator + secret,
    ]),
  );
}

function appended(decode: (secret: string) => Uint8Array): Partial<Steps> {
  return {
    append: withoutSecret,
    digest: (message, secret) => {
      const bytes = typeof message === 'string' ? utf8Bytes(message) : message;
      return hashHex('md5', concatBytes(bytes, decode(secret)));
    },
  };
}

export const secretSortedIn = mistake('secret-sorted-in', [
  sortedIn(USUAL, [...OWN_NAMES, 'X-TMS-Api-Secret', 'X-TMS-Secret']),
  sortedIn(RARE, OTHER_NAMES),
  sortedIn(RARE, [...OWN_NAMES, ...OTHER_NAMES], true),
]);

function sortedIn(cost: number, names: readonly string[], isAppended = false): Table {
  return tableOf(
    'steps',
    'the api secret was sorted among the fields,',
    names.map((secretName) => [
      `as ${secretName}${isAppended ? ', and appended too' : ''}`,
      cost,
      { secretName, ...(!isAppended && { append: withoutSecret }) },
    ]),
  );
}

function cutBefore(character: string): Change {
  return (secret) => secret.split(character, 1)[0] ?? '';
}

function md5(text: string): string {
  return hashHex('md5', text);
}
