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
import { COMMON, type Evidence, RARE, UNCOMMON, USUAL, type Variant } from '../mistake.ts';
import { withoutSecret } from '../signer.ts';
import { type Row, separatorText, table } from '../steps.ts';
import { urlDecoded } from './encodings.ts';
import { pythonBytes } from './languages.ts';

/** The secret, its text and its place (D1 5.1 step 3). */

export const SECRET_WHITESPACE = table('secret-whitespace', 'secret', 'the api secret was used', [
  ['with a line end after it', COMMON, (secret) => `${secret}\n`],
  ['with a Windows line end after it', 2, (secret) => `${secret}\r\n`],
  ['with a space after it', 2, (secret) => `${secret} `],
  ['with a space before it', 2, (secret) => ` ${secret}`],
  ['without the white space around it', 2, (secret) => secret.trim()],
  ['in double quotes', 2, (secret) => `"${secret}"`],
  ['without the quotes around it', 2, (secret) => secret.replace(/^(["'])(.*)\1$/s, '$2')],
  ['with a carriage return after it', RARE, (secret) => `${secret}\r`],
  ['with a tab after it', RARE, (secret) => `${secret}\t`],
  ['with a space on both sides', RARE, (secret) => ` ${secret} `],
  ['in single quotes', RARE, (secret) => `'${secret}'`],
  ['in parentheses', RARE, (secret) => `(${secret})`],
  ['in brackets', RARE, (secret) => `[${secret}]`],
  ['in braces', RARE, (secret) => `{${secret}}`],
  ['in angle brackets', RARE, (secret) => `<${secret}>`],
  ['after a byte order mark', RARE, (secret) => `\ufeff${secret}`],
]);

export function otherProfiles({ otherSecrets }: Evidence): readonly Variant[] {
  const rows = otherSecrets.map(({ name, secret }): Row<'steps'> => [name, USUAL, { secret }]);
  const subject = 'the request was signed with the secret of';
  return table('secret-other-profile', 'steps', subject, rows);
}

/** Names of the secret on this platform, whose documents spell it `api_sercret`. */
const OWN_NAMES = ['key', 'secret', 'api_secret', 'api_sercret'];
/** Names of the secret on other platforms. */
const OTHER_NAMES = [
  ...['app_secret', 'appSecret', 'secret_key', 'secretKey', 'client_secret', 'token', 'apiSecret'],
  ...['apisecret', 'appsecret', 'secretkey', 'KEY', 'SECRET', 'API_SECRET', 'app_key', 'appkey'],
  ...['password', 'sign_key', 'signKey', 'signkey', 'signSecret', 'sign_secret', 'signsecret'],
  ...['partner_key', 'partnerKey', 'private_key', 'privateKey', 'md5key', 'md5_key', 'md5Key'],
  ...['merchant_key', 'mch_key', 'accessSecret', 'access_secret', 'accessKeySecret', 'salt', 'sk'],
  ...[
    'access_token',
    'session_key',
    'paySecret',
    'pay_key',
    'app_token',
    'appToken',
    'clientSecret',
  ],
];
const RARE_SEPARATORS = ['=', ',', '|', ':', '#', '\n', ' ', '?', ';', '@', '_', '-', '+'];

export const SECRET_JOINED = [
  ...table('secret-joined', 'append', 'the api secret was', [
    ['appended after "&key=" instead of directly', COMMON, after('&key=')],
    ...[...OWN_NAMES.slice(1).map((name) => `&${name}=`), '&'].map(afterRow(USUAL)),
    ...['', '&'].flatMap((separator): readonly Row<'append'>[] => [
      [
        `put in front of the pairs${separatorText(separator)}`,
        USUAL,
        (text, secret) => secret + separator + text,
      ],
      [
        `put at both ends of the pairs${separatorText(separator)}`,
        USUAL,
        (text, secret) => secret + separator + text + separator + secret,
      ],
    ]),
    ['left out', USUAL, withoutSecret],
    ...OTHER_NAMES.map((name) => `&${name}=`).map(afterRow(RARE)),
    ...RARE_SEPARATORS.map(afterRow(RARE)),
    ...OWN_NAMES.flatMap((name) =>
      ['', '?', ',', '|', '\n', ';', ' '].flatMap((separator) =>
        ['=', ':'].map((colon) => separator + name + colon),
      ),
    ).map(afterRow(RARE)),
    ...OWN_NAMES.map((name) => `&${name}:`).map(afterRow(RARE)),
    ...[...OWN_NAMES, ...OTHER_NAMES].map(
      (name): Row<'append'> => [
        `put in front of the pairs, as ${name}=`,
        RARE,
        (text, secret) => `${name}=${secret}&${text}`,
      ],
    ),
    ['put in front of the pairs as its MD5', RARE, (text, secret) => md5(secret) + text],
  ]),
  ...table('secret-joined', 'steps', 'the bytes that the api secret encodes were appended,', [
    ['decoded from Base64', 3, decodedSecret(base64Bytes)],
    ['decoded from hex', 3, decodedSecret(hexBytes)],
  ]),
];

function afterRow(cost: number): (separator: string) => Row<'append'> {
  return (separator) => [
    `appended after ${JSON.stringify(separator)} instead of directly`,
    cost,
    after(separator),
  ];
}

export function after(separator: string): Row<'append'>[2] {
  return (text, secret) => text + separator + secret;
}

function decodedSecret(decode: (secret: string) => Uint8Array): Row<'steps'>[2] {
  return {
    append: withoutSecret,
    digest: (message, secret) => {
      const bytes = typeof message === 'string' ? utf8Bytes(message) : message;
      return hashHex('md5', concatBytes(bytes, decode(secret)));
    },
  };
}

export const SECRET_SORTED_IN = table(
  'secret-sorted-in',
  'steps',
  'the api secret was sorted among the fields,',
  [
    ...[...OWN_NAMES, 'X-TMS-Api-Secret', 'X-TMS-Secret', ...OTHER_NAMES].map(
      (secretName, index): Row<'steps'> => [
        `as ${secretName}`,
        index < OWN_NAMES.length + 2 ? USUAL : RARE,
        { secretName, append: withoutSecret },
      ],
    ),
    ...[...OWN_NAMES, ...OTHER_NAMES].map(
      (secretName): Row<'steps'> => [`as ${secretName}, and appended too`, RARE, { secretName }],
    ),
  ],
);

const ISSUED = { fix: 'append the api secret with exactly the characters that were issued' };

/** Transformations of the secret. A vector is signed with a dummy secret, so they are functions. */
export const SECRET_CHANGED = table(
  'secret-joined',
  'secret',
  'the api secret was',
  (
    [
      ['used in lower case', 3, (secret) => secret.toLowerCase()],
      ['used in upper case', 3, (secret) => secret.toUpperCase()],
      ['used as its MD5 in lower case', 3, md5],
      ['used as its MD5 in upper case', 3, (secret) => md5(secret).toUpperCase()],
      ['decoded from Base64 first', 3, (secret) => latin1Text(base64Bytes(secret))],
      ['decoded from Base64 first, as UTF-8', 4, (secret) => utf8Text(base64Bytes(secret))],
      ['encoded as Base64 first', 3, (secret) => base64Text(utf8Bytes(secret))],
      ['decoded from hex first', 4, (secret) => latin1Text(hexBytes(secret))],
      ['encoded as hex first', RARE, (secret) => hexText(utf8Bytes(secret))],
      ['percent-encoded first', 4, encodeURIComponent],
      ['replaced by the word null', 3, () => 'null'],
      ['replaced by the word undefined', 3, () => 'undefined'],
      ['replaced by the word None', 4, () => 'None'],
      ['replaced by asterisks', RARE, (secret) => '*'.repeat(secret.length)],
      ['cut to 16 characters', RARE, (secret) => secret.slice(0, 16)],
      ['cut to 8 characters', RARE, (secret) => secret.slice(0, 8)],
      ['cut before "#" (a comment in a file of settings)', UNCOMMON, cutBefore('#')],
      ['cut before "="', UNCOMMON, cutBefore('=')],
      ['cut before ";"', UNCOMMON, cutBefore(';')],
      ['cut before a space', UNCOMMON, cutBefore(' ')],
      ['used without $ and the name after it (a shell variable)', UNCOMMON, withoutVariables],
      ['percent-decoded first', UNCOMMON, urlDecoded],
      ['used with "+" as a space', UNCOMMON, (secret) => secret.replaceAll('+', ' ')],
      ['used without backslashes', UNCOMMON, (secret) => secret.replaceAll('\\', '')],
      ['used without its last character', UNCOMMON, (secret) => secret.slice(0, -1)],
      ['used without its first character', RARE, (secret) => secret.slice(1)],
      ['printed as Python prints its bytes', UNCOMMON, (secret) => pythonBytes(utf8Bytes(secret))],
      ['reversed', RARE, (secret) => [...secret].reverse().join('')],
      ['appended twice', RARE, (secret) => secret + secret],
    ] satisfies readonly Row<'secret'>[]
  ).map(([how, cost, change]: Row<'secret'>): Row<'secret'> => [how, cost, change, ISSUED]),
);

/** The api_key in place of the secret, or around the pairs. */
export function apiKeyAsSecret(evidence: Evidence): readonly Variant[] {
  const apiKey = commonFieldText(evidence, 'api_key');
  if (apiKey === undefined) return [];
  return [
    ...table('secret-joined', 'secret', 'the api secret was replaced by', [
      ['the api_key', USUAL, () => apiKey, ISSUED],
      ['the api_key and the secret', 4, (secret) => apiKey + secret, ISSUED],
      ['the secret and the api_key', 4, (secret) => secret + apiKey, ISSUED],
    ]),
    ...table('secret-joined', 'append', 'the api secret was', [
      ['appended, and the api_key was put in front', RARE, (text, s) => apiKey + text + s],
      [
        'appended after "&", and the api_key was put in front with "&"',
        RARE,
        (text, secret) => [apiKey, text, secret].join('&'),
      ],
      ['put in front of the pairs, after the api_key', RARE, (text, s) => apiKey + s + text],
    ]),
  ];
}

function cutBefore(character: string): (secret: string) => string {
  return (secret) => secret.split(character, 1)[0] ?? '';
}

function withoutVariables(secret: string): string {
  return secret.replace(/\$(?:\w+|\{\w+\})/g, '');
}

function md5(text: string): string {
  return hashHex('md5', text);
}
