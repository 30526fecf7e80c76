import type { JsonMember } from '../../../json/value.ts';
import { base64Text, hexBytes } from '../../bytes.ts';
import { canonicalString, sortedByName } from '../../canonical.ts';
import { type Evidence, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import { jsonText, type PrintStyle, SPACED_STYLE } from '../print-style.ts';
import { joinPairs, type Steps } from '../signer.ts';
import { base64, filledBy, md5, md5Upper, type Row, type Rows, rowsOf, table } from '../steps.ts';
import { escapeHtml, escapeSlashes, escapeUnicode, indented } from './nested.ts';

// The JSON text of the body instead of its pairs, as payment platforms require.

type Join = Steps['join'];

const DUMPS = { layout: SPACED_STYLE.layout };
const UNICODE = { escape: escapeUnicode };
const UNICODE_AND_SLASHES = { escape: (text: string) => escapeSlashes(escapeUnicode(text)) };

/** The JSON forms of serializers. A serializer that escapes or adds spaces often reprints numbers. */
const SERIALIZERS: Rows<Partial<PrintStyle>> = {
  [USUAL]: { '': {} },
  4: {
    ', with ", " and ": " (json.dumps of Python)': DUMPS,
    ', with ", " and ": " and \\u escapes (json.dumps of Python)': { ...DUMPS, ...UNICODE },
    ', with \\u escapes': UNICODE,
    ', with \\u escapes and "\\/" (json_encode of PHP)': UNICODE_AND_SLASHES,
    ', with "\\/" for "/"': { escape: escapeSlashes },
    ', with \\u003c, \\u003e and \\u0026 (encoding/json of Go)': { escape: escapeHtml },
  },
  5: {
    ', indented by 2': { layout: indented('  ') },
    ', indented by 4': { layout: indented('    ') },
    ', indented by tabs': { layout: indented('\t') },
  },
};

const ORDERS = {
  'in the order of the request': 'none',
  'sorted by name': 'all',
  // A TreeMap of Java: the maps in it keep their order.
  'sorted by name outside nested JSON': 'outer',
  // JSON.stringify(body, Object.keys(body).sort()): the list applies to nested objects too.
  'sorted by name, nested names filtered by the same list (JSON.stringify)': 'listed',
} as const;

/** Texts that serializers print for the fields of the body, and how they print pairs beside it. */
const PRINTED: readonly Row<Join>[] = Object.entries(ORDERS).flatMap(([order, sorted]) =>
  rowsOf(SERIALIZERS).flatMap(([how, cost, style]) => [
    [order + how, cost, printer(sorted, false, style)],
    [`${order}, without null${how}`, 5, printer(sorted, true, style)],
  ]),
);

function printer(
  sorted: (typeof ORDERS)[keyof typeof ORDERS],
  dropsNull: boolean,
  changes: Partial<PrintStyle>,
): Join {
  return (_, { fields, style }) => {
    const inOrder = sorted === 'none' ? fields.toSorted((a, b) => a.position - b.position) : fields;
    const members = inOrder.filter(
      ({ source, value }) => source !== 'header' && !(dropsNull && value.kind === 'null'),
    );
    const names = new Set(members.map(({ name }) => name));
    // The members of the body are in their order already.
    const outer = new Set<JsonMember>(members);
    const memberOrder: PrintStyle['memberOrder'] = (inner) =>
      sorted === 'none' || sorted === 'outer' || inner.every((each) => outer.has(each))
        ? inner
        : sortedByName(inner).filter(({ name }) => sorted === 'all' || names.has(name));
    return jsonText({ kind: 'object', members }, { ...style, ...changes, memberOrder });
  };
}

function bodyTexts({ request, mode }: Evidence): readonly Row<Join>[] {
  if (typeof request.body !== 'string') return [];
  const sent =
    mode === 'body'
      ? request.body.replace(/,\s*"sign"\s*:\s*"[^"]*"|"sign"\s*:\s*"[^"]*"\s*,?\s*/, '')
      : request.body;
  return [
    ...PRINTED,
    ['with the characters that were sent', USUAL, () => sent],
    ['as its MD5 in upper case', RARE, () => md5Upper(sent)],
    ['as its MD5 in lower case', RARE, () => md5(sent)],
    ['as Base64', RARE, () => base64(sent)],
  ];
}

export const wholeBody = mistake(
  'whole-body',
  ['data', 'biz_content', 'bizContent', 'body', 'params', 'content', 'payload'].map(inOneField),
  {
    'the JSON text of the body was signed, or combined with the headers: as sent, or printed again in the order of the request or sorted by name, compactly, with spaces, indented or with escapes; its MD5; its Base64':
      (evidence) => {
        const texts = bodyTexts(evidence);
        if (evidence.mode === 'header') return withHeaders(texts);
        const subject = 'the JSON text of the body was signed instead of the pairs,';
        return table('join', subject, texts, { fields: [] });
      },
  },
);

/** Alipay and others sign the business fields as one field, beside the common fields. */
function inOneField(name: string): Table {
  const rows = PRINTED.map(
    ([how, , print]): Row<Join> => [
      how,
      RARE,
      (pairs, steps) => {
        const fields = steps.fields.filter(({ source }) => source === 'business');
        const value = print(pairs, { ...steps, fields });
        const others = pairs.filter(({ source }) => source !== 'business');
        return canonicalString([...others, { name, value, source: 'business' }]);
      },
    ],
  );
  const subject = `the business fields were signed as JSON in ${name}=,`;
  return table('join', subject, rows, { fields: [] });
}

const COMBINATIONS: Rows<string> = {
  [USUAL]: {
    'appended to the headers': '<headers><body>',
    'appended to the headers after "&"': '<headers>&<body>',
    'signed without the headers': '<body>',
    'signed after the headers, as body=': '<headers>&body=<body>',
  },
  3: {
    'signed in front of the headers, as body=': 'body=<body>&<headers>',
    'appended to the headers on a new line': '<headers>\n<body>',
    'put in front of the headers': '<body><headers>',
    'put in front of the headers with "&" between': '<body>&<headers>',
  },
  [RARE]: {
    'hashed with MD5 and appended to the headers after "&"': '<headers>&<md5>',
    'hashed with MD5 and signed in front of the headers, as Content-MD5= in Base64':
      'Content-MD5=<base64>&<headers>',
    ...named('signed', '<body>', 'data params content payload'),
    ...named(
      'hashed with MD5 and signed',
      '<md5>',
      'body bodyMd5 body_md5 content_md5 contentMd5 Content-MD5',
    ),
  },
};

function named(how: string, value: string, names: string) {
  return Object.fromEntries(
    names.split(' ').flatMap((name) => [
      [`${how} after the headers, as ${name}=`, `<headers>&${name}=${value}`],
      [`${how} in front of the headers, as ${name}=`, `${name}=${value}&<headers>`],
    ]),
  );
}

function withHeaders(texts: readonly Row<Join>[]): Table {
  return rowsOf(COMBINATIONS).flatMap(([how, combinedCost, sample]) => {
    const fill = filledBy(sample);
    // Two rare choices together are not plausible.
    const plausible = texts.filter(([, cost]) => Math.min(cost, combinedCost) === USUAL);
    const rows = plausible.map(
      ([text, cost, print]): Row<Join> => [
        text,
        Math.max(cost, combinedCost),
        (pairs, steps) => {
          const headers = joinPairs(pairs.filter(({ source }) => source === 'header'));
          const body = print(pairs, steps);
          const digest = md5(body);
          return fill({ headers, body, md5: digest, base64: base64Text(hexBytes(digest)) });
        },
      ],
    );
    return table('join', `the JSON text of the body was ${how},`, rows, { fields: [] });
  });
}
