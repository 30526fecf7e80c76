import {
  lostValues,
  truncatedTexts,
  valuesOfOthers,
} from '../../../src/signing/diagnosis/dimensions/value-text.ts';
import { DIMENSIONS, MISTAKES } from '../../../src/signing/diagnosis/dimensions.ts';
import type { Evidence, Mistake, Variant } from '../../../src/signing/diagnosis/mistake.ts';
import {
  type ReceivedRequest,
  type SignedContent,
  signedContent,
  withNestedAsSent,
} from '../../../src/signing/received-request.ts';
import { credentials } from '../helpers.ts';
import {
  bareRequest,
  bodyRequest,
  headerRequest,
  RICH_BODY,
  RICH_FORM,
  RICH_HEADERS,
} from './support.ts';

/** The tables of docs/diagnosis.md: every dimension, its mistakes and their variants. */

const BEGIN = '<!-- Generated from src/signing/diagnosis/dimensions.ts -->';
const END = '<!-- End of the generated tables -->';

/** Replaces the tables between the markers of the page. */
export function withTables(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the page has no markers');
  return `${before}${BEGIN}\n\n${tables()}\n\n${END}${after}`;
}

function tables(): string {
  const perField = MISTAKES.filter((mistake) => mistake.perField).map(({ id }) => `\`${id}\``);
  return [
    ...DIMENSIONS.map(({ name, mistakes }) =>
      [
        `### ${name}`,
        '',
        '| id | mistake |',
        '|---|---|',
        ...mistakes.map((mistake) => `| \`${mistake.id}\` | ${cellOf(mistake)} |`),
      ].join('\n'),
    ),
    `These mistakes are also found in one field, in two fields, in all fields but one, in business fields only, and in headers only: ${perField.join(', ')}.`,
  ].join('\n\n');
}

/** The variants of a mistake for all samples. Variants with the same beginning share a line. */
function cellOf(mistake: Mistake): string {
  const lines = new Map<string, Set<string>>();
  for (const evidence of SAMPLES) {
    for (const { title, family = title } of variantsOf(mistake, evidence)) {
      const [, beginning = family, end = ''] = BEGINNING.exec(family) ?? [];
      lines.set(beginning, (lines.get(beginning) ?? new Set()).add(end));
    }
  }
  return [...lines].flatMap(linesOf).map(escaped).join('<br>');
}

/** The beginning of a title: up to a colon, or else up to a verb. */
const BEGINNING =
  /^([^"'{]*?:(?= )|the digest is(?= )|[^":]*? (?:was|were) (?:(?:\w+-)?\w+ed|put|sent|taken|left)(?= ))\s*(.+)$/;

function linesOf([beginning, all]: readonly [string, ReadonlySet<string>]): readonly string[] {
  const ends = [...all]
    .filter((end) => end !== '')
    .map((end) => end.replace(/^\((.*)\)$/, 'by $1'));
  const colon = ends.length > 1 && !beginning.endsWith(':') ? ':' : '';
  return [
    ...(all.has('') ? [beginning] : []),
    ...(ends.length > 0 ? [`${beginning}${colon} ${ends.join('; ')}`] : []),
  ];
}

/** The variants for all fields and for single fields. */
function variantsOf(mistake: Mistake, evidence: Evidence): readonly Variant[] {
  const variants = mistake.variants(evidence);
  return mistake.id === 'value-reformatted'
    ? [
        ...variants,
        ...lostValues(evidence),
        ...valuesOfOthers(evidence),
        ...truncatedTexts(evidence),
      ]
    : variants;
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*<>&|$~#]|(?<!\w)_|_(?!\w)/g, '\\$&')
    .replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Values for the variants that {@link RICH_BODY} does not trigger. */
const MORE_JSON = `{
  "padded": " a  b ", "tail": "x ", "phone": "+86 13800000000", "masked": "13800000000",
  "quotes": "‘a’ “b” – it's", "dot": "·", "tags": "<b>x</b>", "emoji": "🚕", "mark": "\\ufeffx",
  "space": "a\\u00a0b", "control": "a\\u0007b", "escapes": "a\\\\nb", "json": "{\\"a\\": [1, 2]}",
  "zeros": "007", "day": "2026-11-19", "slashed": "2026/11/19", "time": "2026-11-19 08:00:00",
  "iso": "2026-11-19T08:00:00Z", "plus": "a+b&c", "percent": "a%20b", "entity": "a&lt;b", "tilde": "a~b*c",
  "big": 12345678901234567890, "decimal": 0.5, "negative": -1.50, "long": 1234567.891,
  "one": [{ "a": 1 }], "digits": { "a": "12" }, "timestamp": "1795132800123"
}`;

const URL = { method: 'POST', url: 'http://127.0.0.1:7800/open/v1/trade/bill?a=b' };

const REQUESTS: readonly ReceivedRequest[] = [
  RICH_BODY,
  {
    ...bodyRequest(MORE_JSON),
    ...URL,
    headers: [
      ['User-Agent', 'x'],
      ['Accept', 'y'],
    ],
  },
  RICH_HEADERS,
  { ...headerRequest(MORE_JSON), ...URL, url: URL.url.replace('/open/v1', '/api/open') },
  RICH_FORM,
];

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const BYTES = MD5.match(/../g) ?? [];

/** A signature in each wrong form. */
const SIGNATURES: readonly string[] = [
  MD5,
  MD5.toUpperCase(),
  ...['-', ':', ' '].map((separator) => BYTES.join(separator)),
  MD5.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ...['0x*', '*\n', '*\r\n', '* ', ' *', '"*"', "'*'", "b'*'", 'md5=*', 'md5:*', 'MD5 *'].map(
    (form) => form.replace('*', MD5),
  ),
  ...['(stdin)= *', 'MD5(stdin)= *', '[*]', '{*}', '*  -', 'MD5 digest: *'].map((form) =>
    form.replace('*', MD5),
  ),
  ...[16, 32].map((length) => Buffer.alloc(length, 1).toString('base64')),
  Buffer.from(MD5).toString('base64'),
  MD5.slice(0, 16),
  MD5.slice(0, 30),
  MD5.replace(/../g, (byte) => (/^[89a-f]/.test(byte) ? `ffffff${byte}` : byte.replace(/^0/, ''))),
  MD5.replace(/../g, (byte) => (/^[89a-f]/.test(byte) ? `ffffff${byte}` : byte)),
  `${Buffer.from(MD5, 'hex').toString('base64')}\n`,
  encodeURIComponent(Buffer.from(MD5, 'hex').toString('base64')),
  `${'Q'.repeat(22)}==`,
  Buffer.from(credentials.secret).toString('hex') + MD5,
  "b'\\xd4\\x1d'",
  `-${MD5.slice(1)}`,
  '1'.repeat(38),
  `<Buffer ${BYTES.join(' ')}>`,
  Array.from(MD5).slice(0, 16).fill('1').join(','),
  ...[40, 56, 64, 96, 128].map((length) => 'a'.repeat(length)),
];

const EMPTY = signedContent(bodyRequest('{}'));
const SPACED = signedContent(bareRequest('{"o":{"a": 1}}'));
/** A request of header mode without a version, with names in lower case. */
const LOWER_CASE = signedContent(
  {
    headers: [
      ['x-tms-sign', MD5],
      ['x-tms-nonce', 'a'],
    ],
    body: '{}',
  },
  (name) => name,
);

const SAMPLES: readonly Evidence[] = [
  ...REQUESTS.map((request) => sample(signedContent(request), MD5)),
  ...SIGNATURES.map((signature) => sample(EMPTY, signature)),
  sample(SPACED, MD5),
  sample(withNestedAsSent(SPACED), MD5),
  sample(LOWER_CASE, MD5),
  ...[' a ', '"Ab/C"', 'a+b%20c#d=e;f g$h\\i'].map((secret) => ({ ...sample(EMPTY, MD5), secret })),
];

function sample(content: SignedContent, signature: string): Evidence {
  const otherSecrets = [{ name: 'another', secret: 'another-secret' }];
  return { ...content, signature, secret: credentials.secret, otherSecrets };
}
