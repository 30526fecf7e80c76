import { hash } from 'node:crypto';
import { commonFieldText } from '../../received-request.ts';
import { pythonBytes } from '../languages/python-bytes.ts';
import { urlDecoded } from '../languages/url-encoding.ts';
import {
  COMMON,
  type Evidence,
  inFamily,
  type Mistake,
  RARE,
  rarely,
  separatorText,
  UNCOMMON,
  USUAL,
  type Variant,
  variantsIf,
  withCost,
  withSteps,
} from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';

/** The secret, its text and its place (D1 5.1 step 3). */

const FIX = 'append the api secret directly to the sorted pairs, with nothing in between';

export const secretWhitespace: Mistake = {
  id: 'secret-whitespace',
  fix: 'use exactly the characters of the api secret: no white space, quotes or mark around them',
  variants: ({ secret }) => {
    const used = (how: string, transform: Steps['transformSecret']): readonly Variant[] =>
      variantsIf(
        transform(secret) !== secret,
        withSteps(`the api secret was used ${how}`, { transformSecret: transform }),
      );
    return [
      ...withCost(
        COMMON,
        used('with a line end after it', (text) => `${text}\n`),
      ),
      ...used('with a Windows line end after it', (text) => `${text}\r\n`),
      ...used('with a space after it', (text) => `${text} `),
      ...used('with a space before it', (text) => ` ${text}`),
      ...used('without the white space around it', (text) => text.trim()),
      ...used('in double quotes', (text) => `"${text}"`),
      ...used('without the quotes around it', (text) => text.replace(/^(["'])(.*)\1$/s, '$2')),
      ...rarely([
        ...used('with a carriage return after it', (text) => `${text}\r`),
        ...used('with a tab after it', (text) => `${text}\t`),
        ...used('with a space on both sides', (text) => ` ${text} `),
        ...used('in single quotes', (text) => `'${text}'`),
        ...used('in parentheses', (text) => `(${text})`),
        ...used('in brackets', (text) => `[${text}]`),
        ...used('in braces', (text) => `{${text}}`),
        ...used('in angle brackets', (text) => `<${text}>`),
        ...used('after a byte order mark', (text) => `\ufeff${text}`),
      ]),
    ];
  },
};

export const secretOtherProfile: Mistake = {
  id: 'secret-other-profile',
  fix: 'sign with the secret that was issued together with the api_key of the request',
  variants: ({ otherSecrets }) =>
    inFamily(
      'the request was signed with the secret of another profile',
      otherSecrets.map(({ name, secret }) =>
        withSteps(`the request was signed with the secret of ${name}`, { secret }),
      ),
    ),
};

/** The documents spell it `api_sercret`. */
const SECRET_NAMES = ['key', 'secret', 'api_secret', 'api_sercret'];
const RARE_SECRET_NAMES = [
  'app_secret',
  'appSecret',
  'secret_key',
  'secretKey',
  'client_secret',
  'token',
  'apiSecret',
  'apisecret',
  'appsecret',
  'secretkey',
  'KEY',
  'SECRET',
  'API_SECRET',
  'app_key',
  'appkey',
  'password',
];

export const secretJoined: Mistake = {
  id: 'secret-joined',
  fix: FIX,
  variants: (evidence) => [
    ...withCost(COMMON, [secretAfter('&key=')]),
    ...[...SECRET_NAMES.slice(1).map((name) => `&${name}=`), '&'].map(secretAfter),
    ...['', '&'].map(before),
    ...['', '&'].map(atBothEnds),
    joined('left out', withoutSecret),
    ...transformedSecrets(evidence),
    ...decodedSecrets(evidence),
    ...withApiKey(evidence),
    ...rarely([
      joined('put in front of the pairs as its MD5', (text, secret) => md5(secret) + text),
      ...RARE_SECRET_NAMES.map((name) => `&${name}=`).map(secretAfter),
      ...['=', ',', '|', ':', '#', '\n', ' ', '?', ';', '@', '_', '-', '+'].map(secretAfter),
      ...inFamily(
        `the api secret was appended after another separator and a name: ${SECRET_NAMES.join(', ')}`,
        SECRET_NAMES.flatMap((name) =>
          ['', '?', ',', '|', '\n', ';', ' '].flatMap((separator) => [
            `${separator}${name}=`,
            `${separator}${name}:`,
          ]),
        ).map(secretAfter),
      ),
      ...SECRET_NAMES.map((name) => `&${name}:`).map(secretAfter),
      ...SECRET_NAMES.map((name) =>
        joined(
          `put in front of the pairs, as ${name}=`,
          (text, secret) => `${name}=${secret}&${text}`,
        ),
      ),
    ]),
  ],
};

export const secretSortedIn: Mistake = {
  id: 'secret-sorted-in',
  fix: `${FIX}; it is not a field`,
  variants: ({ mode }) => [
    ...SECRET_NAMES.map(sortedIn),
    ...(mode === 'header' ? ['X-TMS-Api-Secret', 'X-TMS-Secret'].map(sortedIn) : []),
    ...rarely([
      ...RARE_SECRET_NAMES.map(sortedIn),
      ...SECRET_NAMES.map((secretName) =>
        withSteps(
          `the api secret was sorted among the fields, as ${secretName}, and appended too`,
          {
            secretName,
          },
        ),
      ),
    ]),
  ],
};

/** Transformations of the secret. Functions, because a vector is signed with a dummy secret. */
const TRANSFORMATIONS: readonly (readonly [
  how: string,
  transform: Steps['transformSecret'],
  cost: number,
])[] = [
  ['used in lower case', (secret) => secret.toLowerCase(), 3],
  ['used in upper case', (secret) => secret.toUpperCase(), 3],
  ['used as its MD5 in lower case', md5, 3],
  ['used as its MD5 in upper case', (secret) => md5(secret).toUpperCase(), 3],
  ['decoded from Base64 first', (secret) => Buffer.from(secret, 'base64').toString('latin1'), 3],
  ['decoded from Base64 first, as UTF-8', (secret) => Buffer.from(secret, 'base64').toString(), 4],
  ['encoded as Base64 first', (secret) => Buffer.from(secret).toString('base64'), 3],
  ['decoded from hex first', (secret) => Buffer.from(secret, 'hex').toString('latin1'), 4],
  ['encoded as hex first', (secret) => Buffer.from(secret).toString('hex'), RARE],
  ['percent-encoded first', encodeURIComponent, 4],
  ['replaced by the word null', () => 'null', 3],
  ['replaced by the word undefined', () => 'undefined', 3],
  ['replaced by the word None', () => 'None', 4],
  ['replaced by asterisks', (secret) => '*'.repeat(secret.length), RARE],
  ['cut to 16 characters', (secret) => secret.slice(0, 16), RARE],
  ['cut to 8 characters', (secret) => secret.slice(0, 8), RARE],
  [
    'cut before "#" (a comment in a file of settings)',
    (secret) => beforeFirst(secret, '#'),
    UNCOMMON,
  ],
  ['cut before "="', (secret) => beforeFirst(secret, '='), UNCOMMON],
  ['cut before ";"', (secret) => beforeFirst(secret, ';'), UNCOMMON],
  ['cut before a space', (secret) => beforeFirst(secret, ' '), UNCOMMON],
  ['used without $ and the name after it (a shell variable)', withoutVariables, UNCOMMON],
  ['percent-decoded first', urlDecoded, UNCOMMON],
  ['used with "+" as a space', (secret) => secret.replaceAll('+', ' '), UNCOMMON],
  ['used without backslashes', (secret) => secret.replaceAll('\\', ''), UNCOMMON],
  ['used without its last character', (secret) => secret.slice(0, -1), UNCOMMON],
  ['used without its first character', (secret) => secret.slice(1), RARE],
  ['printed as Python prints its bytes', (secret) => pythonBytes(Buffer.from(secret)), UNCOMMON],
  ['reversed', (secret) => [...secret].reverse().join(''), RARE],
  ['appended twice', (secret) => secret + secret, RARE],
];

function transformedSecrets(evidence: Evidence): readonly Variant[] {
  const { secret } = evidence;
  const apiKey = commonFieldText(evidence, 'api_key');
  const withKey: typeof TRANSFORMATIONS =
    apiKey === undefined
      ? []
      : [
          ['replaced by the api_key', () => apiKey, USUAL],
          ['replaced by the api_key and the secret', (used) => apiKey + used, 4],
          ['replaced by the secret and the api_key', (used) => used + apiKey, 4],
        ];
  return [...withKey, ...TRANSFORMATIONS]
    .filter(([, transform]) => transform(secret) !== secret && transform(secret) !== '')
    .map(([how, transform, cost]) => ({
      ...withSteps(`the api secret was ${how}`, { transformSecret: transform }),
      fix: 'append the api secret with exactly the characters that were issued',
      cost,
    }));
}

function beforeFirst(secret: string, character: string): string {
  return secret.split(character, 1)[0] ?? '';
}

function withoutVariables(secret: string): string {
  return secret.replace(/\$(?:\w+|\{\w+\})/g, '');
}

/** The api_key and the secret around the pairs. */
function withApiKey(evidence: Evidence): readonly Variant[] {
  const apiKey = commonFieldText(evidence, 'api_key');
  if (apiKey === undefined) return [];
  return rarely([
    joined('appended, and the api_key was put in front', (text, secret) => apiKey + text + secret),
    joined('appended after "&", and the api_key was put in front with "&"', (text, secret) =>
      [apiKey, text, secret].join('&'),
    ),
    joined(
      'put in front of the pairs, after the api_key',
      (text, secret) => apiKey + secret + text,
    ),
  ]);
}

/** The bytes that the secret encodes, appended directly. */
function decodedSecrets({ secret }: Evidence): readonly Variant[] {
  return (['base64', 'hex'] as const)
    .filter((encoding) => Buffer.from(secret, encoding).length > 0)
    .map((encoding) => ({
      ...withSteps(`the api secret was decoded from ${encoding} and its bytes were appended`, {
        append: withoutSecret,
        digest: (message, used) =>
          hash('md5', Buffer.concat([Buffer.from(message), Buffer.from(used, encoding)]), 'hex'),
      }),
      cost: 3,
    }));
}

function md5(text: string): string {
  return hash('md5', text, 'hex');
}

export function secretAfter(separator: string): Variant {
  return joined(
    `appended after ${JSON.stringify(separator)} instead of directly`,
    (text, secret) => text + separator + secret,
  );
}

function before(separator: string): Variant {
  return joined(
    `put in front of the pairs${separatorText(separator)}`,
    (text, secret) => secret + separator + text,
  );
}

function atBothEnds(separator: string): Variant {
  return joined(
    `put at both ends of the pairs${separatorText(separator)}`,
    (text, secret) => secret + separator + text + separator + secret,
  );
}

function joined(how: string, append: Steps['append']): Variant {
  return withSteps(`the api secret was ${how}`, { append });
}

function sortedIn(secretName: string): Variant {
  return withSteps(`the api secret was sorted among the fields, as ${secretName}`, {
    secretName,
    append: withoutSecret,
  });
}
