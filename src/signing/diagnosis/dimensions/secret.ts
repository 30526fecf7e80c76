import { hash } from 'node:crypto';
import { claimed } from '../../received-request.ts';
import {
  COMMON,
  type Evidence,
  inFamily,
  type Mistake,
  RARE,
  rarely,
  USUAL,
  type Variant,
  variantsIf,
  withCost,
  withSteps,
} from '../mistake.ts';
import { contentMark, type Steps, withoutSecret } from '../signer.ts';

/** Everything about the secret and how it is added (D1 5.1 step 3). */

const FIX = 'append the api secret directly to the sorted pairs, with nothing in between';

export const secretWhitespace: Mistake = {
  id: 'secret-whitespace',
  fix: 'use exactly the characters of the api secret: no white space, quotes or mark around them',
  variants: ({ secret }) => {
    const spelled = (how: string, spell: Steps['spell']): readonly Variant[] =>
      variantsIf(spell(secret) !== secret, withSteps(`the api secret was used ${how}`, { spell }));
    return [
      ...withCost(
        COMMON,
        spelled('with a line end behind it', (text) => `${text}\n`),
      ),
      ...spelled('with a Windows line end behind it', (text) => `${text}\r\n`),
      ...spelled('with a space behind it', (text) => `${text} `),
      ...spelled('with a space before it', (text) => ` ${text}`),
      ...spelled('without the white space around it', (text) => text.trim()),
      ...spelled('in double quotes', (text) => `"${text}"`),
      ...spelled('without the quotes around it', (text) => text.replace(/^(["'])(.*)\1$/s, '$2')),
      ...rarely([
        ...spelled('with a carriage return behind it', (text) => `${text}\r`),
        ...spelled('with a tab behind it', (text) => `${text}\t`),
        ...spelled('with a space on both sides', (text) => ` ${text} `),
        ...spelled('in single quotes', (text) => `'${text}'`),
        ...spelled('in parentheses', (text) => `(${text})`),
        ...spelled('in brackets', (text) => `[${text}]`),
        ...spelled('in braces', (text) => `{${text}}`),
        ...spelled('in angle brackets', (text) => `<${text}>`),
        ...spelled('behind a byte order mark', (text) => `\ufeff${text}`),
      ]),
    ];
  },
};

export const secretOtherProfile: Mistake = {
  id: 'secret-other-profile',
  fix: 'sign with the secret that was issued together with the api_key of the request',
  variants: ({ otherSecrets }) =>
    inFamily(
      'the request was signed with another secret: that of another profile',
      otherSecrets.map(({ name, secret }) =>
        withSteps(`the request was signed with another secret: that of ${name}`, { secret }),
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
];

export const secretJoined: Mistake = {
  id: 'secret-joined',
  fix: FIX,
  variants: (evidence) => [
    ...withCost(COMMON, [after('&key=')]),
    ...[...SECRET_NAMES.slice(1).map((name) => `&${name}=`), '&'].map(after),
    ...['', '&'].map(before),
    ...['', '&'].map(atBothEnds),
    joined('left out', withoutSecret),
    ...spellings(evidence),
    ...decodedSecrets(evidence),
    ...rarely([
      ...RARE_SECRET_NAMES.map((name) => `&${name}=`).map(after),
      ...['=', ',', '|', ':', '#', '\n', ' ', '?', ';', '@', '_', '-', '+'].map(after),
      ...inFamily(
        `the api secret was appended after another separator and a name: ${SECRET_NAMES.join(', ')}`,
        SECRET_NAMES.flatMap((name) =>
          ['', '?', ',', '|', '\n', ';', ' '].flatMap((joint) => [
            `${joint}${name}=`,
            `${joint}${name}:`,
          ]),
        ).map(after),
      ),
      ...SECRET_NAMES.map((name) => `&${name}:`).map(after),
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

/** What a signer may take for the secret, or make of it. */
function spellings(evidence: Evidence): readonly Variant[] {
  const { secret } = evidence;
  const md5 = hash('md5', secret, 'hex');
  const apiKey = claimed(evidence, 'api_key');
  const texts: readonly (readonly [how: string, spelled: string, cost: number])[] = [
    ...(apiKey === undefined
      ? []
      : ([
          ['replaced by the api_key', apiKey, USUAL],
          ['replaced by the api_key and the secret', apiKey + secret, 4],
          ['replaced by the secret and the api_key', secret + apiKey, 4],
        ] as const)),
    ['used in lower case', secret.toLowerCase(), 3],
    ['used in upper case', secret.toUpperCase(), 3],
    ['used as its MD5 in lower case', md5, 3],
    ['used as its MD5 in upper case', md5.toUpperCase(), 3],
    ['decoded from Base64 first', Buffer.from(secret, 'base64').toString('latin1'), 3],
    ['decoded from Base64 first, as UTF-8', Buffer.from(secret, 'base64').toString('utf8'), 4],
    ['encoded as Base64 first', Buffer.from(secret).toString('base64'), 3],
    ['decoded from hex first', Buffer.from(secret, 'hex').toString('latin1'), 4],
    ['encoded as hex first', Buffer.from(secret).toString('hex'), RARE],
    ['percent-encoded first', encodeURIComponent(secret), 4],
    ['replaced by the word null', 'null', 3],
    ['replaced by the word undefined', 'undefined', 3],
    ['replaced by the word None', 'None', 4],
    ['replaced by asterisks', '*'.repeat(secret.length), RARE],
    ['cut to 16 characters', secret.slice(0, 16), RARE],
    ['cut to 8 characters', secret.slice(0, 8), RARE],
    ['reversed', [...secret].reverse().join(''), RARE],
    ['appended twice', secret + secret, RARE],
  ];
  return texts
    .filter(([, spelled]) => spelled !== secret && spelled !== '')
    .map(([how, spelled, cost]) => ({
      ...withSteps(`the api secret was ${how}`, { spell: spellAs(secret, spelled) }),
      cost,
    }));
}

/** The bytes for which the secret stands, appended as they are. */
function decodedSecrets({ secret }: Evidence): readonly Variant[] {
  return (['base64', 'hex'] as const).flatMap((encoding) => {
    const bytes = Buffer.from(secret, encoding);
    if (bytes.length === 0) return [];
    return [
      {
        ...withSteps(`the api secret was decoded from ${encoding} and its bytes were appended`, {
          append: (canonical) => canonical + contentMark(0),
          contents: [bytes],
        }),
        cost: 3,
      },
    ];
  });
}

/** Spells the own secret; another one stays as it is. */
function spellAs(secret: string, spelled: string): Steps['spell'] {
  return (used) => (used === secret ? spelled : used);
}

function after(joint: string): Variant {
  return joined(
    `appended after ${JSON.stringify(joint)} instead of directly`,
    (text, secret) => text + joint + secret,
  );
}

function before(joint: string): Variant {
  return joined(
    `put in front of the pairs${shown(joint)}`,
    (text, secret) => secret + joint + text,
  );
}

function atBothEnds(joint: string): Variant {
  return joined(
    `put at both ends of the pairs${shown(joint)}`,
    (text, secret) => secret + joint + text + joint + secret,
  );
}

function shown(joint: string): string {
  return joint && `, with ${JSON.stringify(joint)} between`;
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
