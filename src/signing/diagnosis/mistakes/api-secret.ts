import { type Mistake, rarely, type Variant, variantsIf, withSteps } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';

/** Everything about the secret and how it is added (D1 5.1 step 3). */

const FIX = 'append the api secret directly to the sorted pairs, with nothing in between';

export const secretWhitespace: Mistake = {
  id: 'secret-whitespace',
  fix: 'use exactly the characters of the api secret: no white space, quotes or mark around them',
  variants: ({ secret }) => {
    const spelled = (how: string, spell: Steps['spell']): readonly Variant[] =>
      variantsIf(spell(secret) !== secret, withSteps(`the api secret was used ${how}`, { spell }));
    return [
      ...spelled('with a line end behind it', (text) => `${text}\n`),
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
        ...spelled('behind a byte order mark', (text) => `\ufeff${text}`),
      ]),
    ];
  },
};

export const secretOtherProfile: Mistake = {
  id: 'secret-other-profile',
  fix: 'sign with the secret that was issued together with the api_key of the request',
  variants: ({ otherSecrets }) =>
    otherSecrets.map(({ name, secret }) =>
      withSteps(`the request was signed with another secret: that of ${name}`, { secret }),
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
  variants: () => [
    ...[...SECRET_NAMES.map((name) => `&${name}=`), '&'].map(after),
    ...['', '&'].map(before),
    ...['', '&'].map(atBothEnds),
    joined('left out', withoutSecret),
    ...rarely([
      ...RARE_SECRET_NAMES.map((name) => `&${name}=`).map(after),
      ...['key=', 'secret=', '=', ',', '|', ':', '#', '\n'].map(after),
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
  variants: () => [
    ...SECRET_NAMES.map(sortedIn),
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
