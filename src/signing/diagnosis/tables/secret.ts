import { md5Hex } from '../../../runtime/md5.ts';
import {
  base64Bytes,
  concatBytes,
  hexBytes,
  latin1Text,
  utf8Bytes,
  utf8Text,
} from '../../bytes.ts';
import { commonFieldText } from '../../received-request.ts';
import { COMMON, type Evidence, mistake, RARE, type Table, UNCOMMON, USUAL } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';
import {
  base64,
  each,
  filledBy,
  framed,
  hex,
  lowerCase,
  md5,
  md5Upper,
  type Rows,
  type TextChange,
  table,
  upperCase,
} from '../steps.ts';
import { urlDecoded } from './encodings.ts';
import { pythonBytes } from './languages.ts';
import PLATFORMS from './other-platforms.json' with { type: 'json' };

// The secret, its text and its place (D1 5.1 step 3).

export const secretWhitespace = mistake('secret-whitespace', [
  table('secret', 'the api secret was used', [
    ...framed(COMMON, 'V\n'),
    ...framed(USUAL, 'V\r\n', 'V ', ' V'),
    ['without the white space around it', USUAL, (secret) => secret.trim()],
    ...framed(USUAL, '"V"'),
    ['without the quotes around it', USUAL, [/^(["'])(.*)\1$/s, '$2']],
    ...framed(RARE, 'V\r', 'V\t', ' V ', "'V'", '(V)', '[V]', '{V}', '<V>', '\ufeffV'),
  ]),
]);

export const secretOtherProfile = mistake('secret-other-profile', [], {
  'the request was signed with the secret of another profile': ({ otherSecrets }) =>
    table(
      'steps',
      'the request was signed with the secret of',
      otherSecrets.map(({ name, secret }) => [name, USUAL, { secret }]),
    ),
});

/** Names of the secret: on this platform, whose documents spell it `api_sercret`, and on others. */
const { own: OWN_NAMES, other: OTHER_NAMES } = PLATFORMS.secretNames;
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

const CHANGES: Rows<TextChange> = {
  3: {
    'used in lower case': lowerCase,
    'used in upper case': upperCase,
    'used as its MD5 in lower case': md5,
    'used as its MD5 in upper case': md5Upper,
    'decoded from Base64 first': (secret) => latin1Text(base64Bytes(secret)),
    'encoded as Base64 first': base64,
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
    'cut before "#" (a comment in a file of settings)': [/#.*/s, ''],
    'cut before "="': [/=.*/s, ''],
    'cut before ";"': [/;.*/s, ''],
    'cut before a space': [/ .*/s, ''],
    'used without $ and the name after it (a shell variable)': [/\$(?:\w+|\{\w+\})/g, ''],
    'percent-decoded first': urlDecoded,
    'used with "+" as a space': [/\+/g, ' '],
    'used without backslashes': [/\\/g, ''],
    'used without its last character': [/.$/s, ''],
    'printed as Python prints its bytes': (secret) => pythonBytes(utf8Bytes(secret)),
  },
  [RARE]: {
    'encoded as hex first': hex,
    'replaced by asterisks': [/./gs, '*'],
    'cut to 16 characters': (secret) => secret.slice(0, 16),
    'cut to 8 characters': (secret) => secret.slice(0, 8),
    'used without its first character': [/^./s, ''],
    reversed: (secret) => [...secret].reverse().join(''),
    'appended twice': (secret) => secret + secret,
  },
};

const ISSUED = { fix: 'append the api secret with exactly the characters that were issued' };

const named = (names: readonly string[], sample: string): readonly string[] =>
  names.map((name) => sample.replace('*', name));

export const secretJoined = mistake(
  'secret-joined',
  [
    placed(COMMON, ['<pairs>&key=<secret>']),
    placed(USUAL, named(OWN_NAMES.slice(1), '<pairs>&*=<secret>')),
    placed(USUAL, ['<pairs>&<secret>', '<secret><pairs>', '<secret>&<pairs>']),
    placed(USUAL, ['<secret><pairs><secret>', '<secret>&<pairs>&<secret>']),
    table('append', 'the api secret was', { [USUAL]: { 'left out': withoutSecret } }),
    placed(4, named(OTHER_NAMES, '<pairs>&*=<secret>')),
    placed(RARE, named(RARE_SEPARATORS, '<pairs>*<secret>')),
    placed(RARE, named([...OWN_NAMES, ...OTHER_NAMES], '*=<secret>&<pairs>')),
    placed(RARE, ['<md5_of_secret><pairs>']),
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
  const replacements: Rows<TextChange> = {
    [USUAL]: { 'the api_key': () => key },
    4: {
      'the api_key and the secret': (secret) => key + secret,
      'the secret and the api_key': (secret) => secret + key,
    },
  };
  const places = ['<api_key><pairs><secret>', '<api_key>&<pairs>&<secret>'];
  return [
    ...table('secret', 'the api secret was replaced by', replacements, ISSUED),
    ...placed(RARE, [...places, '<api_key><secret><pairs>'], key),
  ];
}

/** Other strings than `<pairs><secret>`. */
function placed(cost: number, samples: readonly string[], key = ''): Table {
  return table(
    'append',
    '',
    samples.map((sample) => {
      const [, separator] = /^<pairs>(.*)<secret>$/s.exec(sample) ?? [];
      const how =
        separator === undefined
          ? `the signed string was ${sample}, not <pairs><secret>`
          : `the api secret was appended after ${JSON.stringify(separator)} instead of directly`;
      const fill = filledBy(sample);
      const needsMd5 = sample.includes('<md5_of_secret>');
      return [
        how,
        cost,
        (pairs, secret) =>
          fill({ pairs, secret, api_key: key, md5_of_secret: needsMd5 ? md5(secret) : '' }),
      ];
    }),
  );
}

function appended(decode: (secret: string) => Uint8Array): Partial<Steps> {
  return {
    append: withoutSecret,
    digest: (message, secret) => {
      const bytes = typeof message === 'string' ? utf8Bytes(message) : message;
      return md5Hex(concatBytes([bytes, decode(secret)]));
    },
  };
}

export const secretSortedIn = mistake('secret-sorted-in', [
  sortedIn(USUAL, [...OWN_NAMES, 'X-TMS-Api-Secret', 'X-TMS-Secret']),
  sortedIn(RARE, OTHER_NAMES),
  sortedIn(RARE, [...OWN_NAMES, ...OTHER_NAMES], true),
]);

function sortedIn(cost: number, names: readonly string[], isAppended = false): Table {
  return table(
    'steps',
    'the api secret was sorted among the fields,',
    each(cost, `as *${isAppended ? ', and appended too' : ''}`, names, (secretName) => ({
      ...{ secretName, ...(!isAppended && { append: withoutSecret }) },
    })),
  );
}
