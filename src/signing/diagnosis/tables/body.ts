import type { JsonMember } from '../../../json/value.ts';
import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { hashHex } from '../../../runtime/digests.ts';
import { base64Text, hexBytes, utf8Bytes } from '../../bytes.ts';
import { canonicalString, type Entry, sortedByName } from '../../canonical.ts';
import { commonField } from '../../received-request.ts';
import { type Evidence, RARE, USUAL, type Variant, VERY_RARE } from '../mistake.ts';
import { arrangements } from '../permutations.ts';
import { jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { joinPairs, type Steps, withoutSecret } from '../signer.ts';
import { type Row, separatorText, table } from '../steps.ts';
import { lowerEscape } from './nested.ts';

/** The JSON text of the body, or a few values, instead of the pairs. */

type Join = Steps['join'];
/** A text of the body. In header mode the pairs that are printed beside it are the headers. */
type BodyText = readonly [how: string, cost: number, print: Join];

const NO_FIELDS = { fields: [] };
const escapeUnicode = (quoted: string): string => quoted.replace(/[^\0-\x7f]/g, lowerEscape);
const escapeSlashes = (quoted: string): string => quoted.replaceAll('/', '\\/');
const { layout: SPACED } = SPACED_STYLE;

/** The JSON forms of serializers. A serializer that escapes or adds spaces often reprints numbers. */
const SERIALIZERS: readonly (readonly [how: string, cost: number, style: Partial<PrintStyle>])[] = [
  ['', USUAL, {}],
  [', with ", " and ": " (json.dumps of Python)', 4, { layout: SPACED }],
  [
    ', with ", " and ": " and \\u escapes (json.dumps of Python)',
    4,
    { layout: SPACED, escape: escapeUnicode },
  ],
  [', with \\u escapes', 4, { escape: escapeUnicode }],
  [
    ', with \\u escapes and "\\/" (json_encode of PHP)',
    4,
    { escape: (quoted) => escapeSlashes(escapeUnicode(quoted)) },
  ],
  [', with "\\/" for "/"', 4, { escape: escapeSlashes }],
  [
    ', with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
    4,
    { escape: (quoted) => quoted.replace(/[<>&\u2028\u2029]/g, lowerEscape) },
  ],
  ...['  ', '    ', '\t'].map((indent): [string, number, Partial<PrintStyle>] => [
    `, indented by ${JSON.stringify(indent)}`,
    5,
    { layout: { ...RIGHT_STYLE.layout, colon: ': ', lineEnd: '\n', indent } },
  ]),
];

/** The printed members, and the levels whose names are sorted. */
const SELECTIONS: readonly (readonly [
  how: string,
  sorted: 'none' | 'all' | 'outer' | 'listed',
  dropsNull: boolean,
])[] = [
  ['in the order of the request', 'none', false],
  ['sorted by name', 'all', false],
  ['in the order of the request, without null', 'none', true],
  ['sorted by name, without null', 'all', true],
  // JSON.stringify(body, Object.keys(body).sort()): the list applies to nested objects too.
  ['sorted by name, nested names filtered by the same list (JSON.stringify)', 'listed', false],
  // A TreeMap of Java: the maps in it keep their order.
  ['sorted by name outside nested JSON', 'outer', false],
  ['sorted by name outside nested JSON, without null', 'outer', true],
];

/** The texts that serializers print for the fields of the body. */
const PRINTED: readonly BodyText[] = SELECTIONS.flatMap(([selection, sorted, dropsNull]) =>
  SERIALIZERS.map(
    ([how, cost, style]): BodyText => [
      selection + how,
      dropsNull ? 5 : cost,
      printer(sorted, dropsNull, style),
    ],
  ),
);

function printer(
  sorted: (typeof SELECTIONS)[number][1],
  dropsNull: boolean,
  changes: Partial<PrintStyle>,
): Join {
  return (_, { fields, style }) => {
    const inOrder = sorted === 'none' ? fields.toSorted((a, b) => a.position - b.position) : fields;
    const members = inOrder.filter(
      ({ source, value }) => source !== 'header' && !(dropsNull && value.kind === 'null'),
    );
    const names = new Set(members.map(({ name }) => name));
    const memberOrder = (inner: readonly JsonMember[]): readonly JsonMember[] => {
      const ordered = sorted === 'none' || sorted === 'outer' ? inner : sortedByName(inner);
      return sorted === 'listed' ? ordered.filter(({ name }) => names.has(name)) : ordered;
    };
    return jsonText({ kind: 'object', members }, { ...style, ...changes, memberOrder });
  };
}

/** The texts of this body: printed again, and as sent. */
function bodyTexts({ request, mode }: Evidence): readonly BodyText[] {
  if (typeof request.body !== 'string') return [];
  const sent =
    mode === 'body'
      ? request.body.replace(/,\s*"sign"\s*:\s*"[^"]*"|"sign"\s*:\s*"[^"]*"\s*,?\s*/, '')
      : request.body;
  const md5 = hashHex('md5', sent);
  return [
    ...PRINTED,
    ['with the characters that were sent', USUAL, () => sent],
    ['as its MD5 in upper case', RARE, () => md5.toUpperCase()],
    ['as its MD5 in lower case', RARE, () => md5],
    ['as Base64', RARE, () => base64Text(utf8Bytes(sent))],
  ];
}

/** The whole body as JSON, or beside the headers in header mode. */
export function wholeBody(evidence: Evidence): readonly Variant[] {
  const texts = bodyTexts(evidence);
  if (evidence.mode === 'header') return withHeaders(texts);
  const subject = 'the JSON text of the body was signed instead of the pairs,';
  const rows = texts.map(([how, cost, print]): Row<'join'> => [how, cost, print, NO_FIELDS]);
  return table('whole-body', 'join', subject, rows);
}

const BODY_NAMES = ['body', 'data', 'params', 'content', 'payload'];
const MD5_NAMES = ['body', 'bodyMd5', 'body_md5', 'content_md5', 'contentMd5', 'Content-MD5'];

/** Combinations of the headers and the text of the body in header mode. */
const COMBINATIONS: readonly (readonly [
  how: string,
  cost: number,
  combine: (headers: string, body: string) => string,
])[] = [
  ['appended to the headers', USUAL, (head, body) => head + body],
  ['appended to the headers after "&"', USUAL, (head, body) => `${head}&${body}`],
  ['signed without the headers', USUAL, (_, body) => body],
  ['signed in front of the headers, as body=', 3, (head, body) => `body=${body}&${head}`],
  ['appended to the headers on a new line', 3, (head, body) => `${head}\n${body}`],
  ['put in front of the headers', 3, (head, body) => body + head],
  ['put in front of the headers with "&" between', 3, (head, body) => `${body}&${head}`],
  ...BODY_NAMES.map((name): (typeof COMBINATIONS)[number] => [
    `signed after the headers, as ${name}=`,
    name === 'body' ? USUAL : RARE,
    (head, body) => `${head}&${name}=${body}`,
  ]),
  [
    'hashed with MD5 and appended to the headers after "&"',
    RARE,
    (head, body) => `${head}&${hashHex('md5', body)}`,
  ],
  ...MD5_NAMES.map((name): (typeof COMBINATIONS)[number] => [
    `hashed with MD5 and signed after the headers, as ${name}=`,
    RARE,
    (head, body) => `${head}&${name}=${hashHex('md5', body)}`,
  ]),
  [
    'hashed with MD5 and signed in front of the headers, as Content-MD5= in hex',
    RARE,
    (head, body) => `Content-MD5=${hashHex('md5', body)}&${head}`,
  ],
  [
    'hashed with MD5 and signed in front of the headers, as Content-MD5= in Base64',
    RARE,
    (head, body) => `Content-MD5=${base64Text(hexBytes(hashHex('md5', body)))}&${head}`,
  ],
];

function withHeaders(texts: readonly BodyText[]): readonly Variant[] {
  const rows = texts.flatMap(([text, textCost, print]) =>
    // Two rare choices together are not plausible.
    COMBINATIONS.filter(([, cost]) => Math.min(cost, textCost) === USUAL).map(
      ([how, cost, combine]): Row<'join'> => [
        `${how}, ${text}`,
        Math.max(cost, textCost),
        (pairs, steps) => {
          const headers = joinPairs(pairs.filter(({ source }) => source === 'header'));
          return combine(headers, print(pairs, steps));
        },
        NO_FIELDS,
      ],
    ),
  );
  return table('whole-body', 'join', 'the JSON text of the body was', rows);
}

/** The names under which other platforms sign the business fields as one text (Alipay). */
const BUSINESS_NAMES = [
  'data',
  'biz_content',
  'bizContent',
  'body',
  'params',
  'content',
  'payload',
];

/** The business fields as the JSON text of one field, beside the common fields. */
export const BUSINESS_AS_JSON = table(
  'whole-body',
  'join',
  'the business fields were signed as one field, as JSON:',
  BUSINESS_NAMES.flatMap((name) =>
    PRINTED.map(
      ([how, , print]): Row<'join'> => [
        `${name}=, ${how}`,
        RARE,
        (pairs, steps) => {
          const value = print(pairs, businessOnly(steps));
          const common = pairs.filter(({ source }) => source !== 'business');
          return canonicalString([...common, { name, value, source: 'business' }]);
        },
        NO_FIELDS,
      ],
    ),
  ),
);

function businessOnly(steps: Steps): Steps {
  return { ...steps, fields: steps.fields.filter(({ source }) => source === 'business') };
}

/** A value in the string to sign. */
interface Part {
  readonly name: string;
  readonly print: Join;
}

const SECRET: Part = {
  name: 'the api secret',
  print: (_, { transformSecret, secret }) => transformSecret(secret),
};

/** Only the values of common fields, as other platforms require: timestamp + nonce + secret. */
export function commonValuesOnly(evidence: Evidence): readonly Variant[] {
  const orders = arrangements([...commonParts(evidence), SECRET]);
  const chosen = orders.filter((parts) => parts.length > 1 && parts.includes(SECRET));
  return ofParts('values-only', chosen);
}

/** The values of common fields, and the text of the body before or after them. */
export function commonValuesAndBody(evidence: Evidence): readonly Variant[] {
  const { mode, request } = evidence;
  const { body } = request;
  if (typeof body !== 'string') return [];
  const text: Part =
    mode === 'header'
      ? { name: 'the body', print: () => body }
      : {
          name: 'the business fields as JSON',
          print: (pairs, steps) => printer('none', false, {})(pairs, businessOnly(steps)),
        };
  const values = arrangements(commonParts(evidence).filter(({ name }) => !/seq/i.test(name)));
  const orders = values.flatMap((parts) => [
    [...parts, text],
    [text, ...parts],
  ]);
  return ofParts(
    'whole-body',
    orders.flatMap((parts) => [
      [...parts, SECRET],
      [SECRET, ...parts],
    ]),
  );
}

function commonParts(evidence: Evidence): readonly Part[] {
  return COMMON_FIELDS.flatMap((field) => {
    const name = commonField(evidence, field)?.name;
    const print = (pairs: readonly Entry[]): string =>
      pairs.find((pair) => pair.name === name)?.value ?? '';
    return name === undefined ? [] : [{ name, print }];
  });
}

function ofParts(
  id: 'values-only' | 'whole-body',
  orders: readonly (readonly Part[])[],
): readonly Variant[] {
  const rows = orders.flatMap((parts) =>
    ['', '&', '\n', '.'].map(
      (separator): Row<'steps'> => [
        parts.map(({ name }) => name).join(', ') + separatorText(separator),
        VERY_RARE,
        {
          join: (pairs, steps) => parts.map(({ print }) => print(pairs, steps)).join(separator),
          append: withoutSecret,
        },
        NO_FIELDS,
      ],
    ),
  );
  return table(id, 'steps', 'only these values were signed:', rows);
}
