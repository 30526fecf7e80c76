import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { utf8Bytes } from '../../bytes.ts';
import type { Entry } from '../../canonical.ts';
import { commonField } from '../../received-request.ts';
import {
  type Evidence,
  mistake,
  RARE,
  type Table,
  UNCOMMON,
  USUAL,
  VERY_RARE,
} from '../mistake.ts';
import { joinPairs, type Steps, withoutSecret } from '../signer.ts';
import { each, framed, type Row, separatorText, table } from '../steps.ts';
import { RFC_3986 } from './encodings.ts';
import { aroundMembers, notation, PYTHON, pythonBytes, RUBY } from './languages.ts';
import { pythonText } from './number-text.ts';
import { arrangements } from './order.ts';

// The joining of the sorted pairs into one string (D1 5.1 step 2).

type Join = Steps['join'];

/** Between pairs, and between a name and its value: the usual choices first. */
const BETWEEN_PAIRS = [
  ...['&', '', '\n', ',', ', ', '|', ';', ' ', '&&', '\r\n', '&amp;', '+', '\t'],
  ...['#', '_', '-', ':', '%26', '^', '; ', ' & '],
];
const AFTER_NAMES = ['=', '', ':', ': ', ' ', '=>', '==', ' = ', '_', '|', ',', '-', '%3D'];
const USUAL_SEPARATORS = 7;

/** The pairs in the form of a sample of two pairs, in which `K` is a name and `V` a value. */
function printed(sample: string): Join {
  const { open, colon, comma, close } = aroundMembers(sample);
  const textOf = ({ name, value }: Entry): string =>
    colon === undefined ? value : name + colon + value;
  return (pairs) => open + pairs.map(textOf).join(comma) + close;
}

/** The fields of the pairs in a {@link notation}, with numbers as Python prints them if it is of Python. */
function printedBy(cells: string): Join {
  const print = notation(cells);
  return (pairs, { fields, style }) => {
    const names = new Set(pairs.map(({ name }) => name));
    const members = fields.filter(({ name }) => names.has(name));
    const number = cells.endsWith(PYTHON) ? pythonText : style.number;
    return print({ kind: 'object', members }, { ...style, number });
  };
}

const PRINTED_MAPS: Readonly<Record<string, Join>> = {
  ...Object.fromEntries(
    [
      ...['{K=V, K=V} (toString of a Java map)', '[K=V, K=V] (toString of a Java list)'],
      ...['map[K:V K:V] (%v of a Go map)', '{K: V, K: V} (toString of a Dart map)'],
      ...["{'K': 'V', 'K': 'V'} (str of a Python dict)", '{"K"=>"V", "K"=>"V"} (inspect of Ruby)'],
      ...["[('K', 'V'), ('K', 'V')] (str of sorted texts in Python)"],
      ...['K="V"&K="V"', 'K="V",K="V"', "K='V'&K='V'"],
    ].map((how) => {
      const [sample = ''] = how.split(/ (?=\((?:to|str|ins|%))/);
      const example = how.replace('K', 'a').replace('V', '1').replace('K', 'b').replace('V', '2');
      return [example, printed(sample)];
    }),
  ),
  '{a=1, b={c=2}} (toString of a Java map with maps in it)': printedBy('{K=V, K=V}'),
  "{'a': 1, 'b': 'x'} (str of a sorted dict in Python)": printedBy(`{K: V, K: V}${PYTHON}`),
  "[('a', 1), ('b', \"x\")] (str of sorted items in Python)": printedBy(
    `{K: V, K: V} | outer [(K, V), (K, V)]${PYTHON}`,
  ),
  ...Object.fromEntries(
    ['', ' 3.4'].flatMap((version) => {
      const hash = version ? '{K => V, K => V}' : '{K=>V, K=>V}';
      const example = hash
        .replace('K', '"a"')
        .replace('V', '1')
        .replace('K', '"b"')
        .replace('V', '"x"');
      return [
        [`${example} (inspect of a sorted hash in Ruby${version})`, printedBy(hash + RUBY)],
        [
          `[["a", 1], ["b", "x"]] (inspect of sorted pairs in Ruby${version})`,
          printedBy(`${hash} | outer [[K, V], [K, V]]${RUBY}`),
        ],
      ];
    }),
  ),
  '{"a":"1","b":"2"} (JSON of a map of texts)': (pairs) =>
    JSON.stringify(Object.fromEntries(pairs.map(({ name, value }) => [name, value]))),
  '[["a","1"],["b","2"]] (JSON of sorted entries)': (pairs) =>
    JSON.stringify(pairs.map(({ name, value }) => [name, value])),
};

function afterHeaders(colon: string): Join {
  return (pairs) =>
    pairs
      .map(({ name, value, source }) => name + (source === 'header' ? colon : '=') + value)
      .join('&');
}

function inTwo(isBusinessFirst: boolean): Join {
  return (pairs) =>
    [isBusinessFirst, !isBusinessFirst]
      .map((isBusiness) => pairs.filter(({ source }) => (source === 'business') === isBusiness))
      .map(joinPairs)
      .join('');
}

/** The texts of a variable that is not set, or not a string. */
const constants = each(
  UNCOMMON,
  '"*"',
  ['', 'undefined', 'null', '[object Object]', 'Array'],
  (word) => () => word,
);
const CONSTANT = {
  fix: 'take the MD5 of the joined pairs and the secret: this signature does not depend on the request',
  fields: [],
};

export const pairsJoined = mistake(
  'pairs-joined',
  [
    ...BETWEEN_PAIRS.map(separatorTable),
    table('rewrite', 'the joined pairs were signed', [
      ...framed(USUAL, 'V&'),
      ...framed(UNCOMMON, '&V', '?V', 'V?', '"V"', "'V'", '[V]', '{V}'),
    ]),
    table('join', 'the pairs were joined', {
      3: {
        'with ":" after the names of headers': afterHeaders(':'),
        'with ": " after the names of headers': afterHeaders(': '),
      },
      [UNCOMMON]: {
        'without "&" between the business fields and the others': inTwo(true),
        'without "&" between the other fields and the business fields': inTwo(false),
      },
    }),
    table('join', 'the pairs were printed as', { [UNCOMMON]: PRINTED_MAPS }),
    table(
      'join',
      'the pairs were joined with',
      each(UNCOMMON, '"*" after each of them', ['\n', ',', ';', '|', ' '], (end) =>
        printed(`K=V${end}K=V${end}`),
      ),
    ),
    table('rewrite', 'the joined pairs were', {
      [USUAL]: {
        'percent-encoded after POST&%2F& (Alibaba Cloud)': (text) => `POST&%2F&${RFC_3986(text)}`,
      },
      // Costs more than another text of the last field.
      6: { 'signed without their last character': [/.$/s, ''] },
      [UNCOMMON]: {
        'signed without their first character': [/^./s, ''],
        'split at "&" and sorted again': (text) => text.split('&').sort().join('&'),
        'signed twice': (text) => text + text,
        'signed twice, with "&" between': (text) => `${text}&${text}`,
      },
    }),
    table(
      'append',
      'the string was signed as Python prints',
      {
        [UNCOMMON]: {
          'its bytes': (text, secret) => pythonBytes(utf8Bytes(text + secret)),
          'the bytes of the pairs': (text, secret) => pythonBytes(utf8Bytes(text)) + secret,
        },
      },
      { fix: 'hash the bytes of the string (s.encode()), not their text' },
    ),
    table('rewrite', 'the joined pairs were replaced by', constants, CONSTANT),
    table('append', 'the joined pairs and the secret were replaced by', constants, CONSTANT),
  ],
  { 'the method, the path or the address was signed with the pairs': requestParts },
);

function separatorTable(between: string, pairIndex: number): Table {
  const rows = AFTER_NAMES.map((after, nameIndex): Row<Join> => {
    const how = [
      ...(pairIndex === 0 ? [] : [`${shown(between)} between them`]),
      ...(nameIndex === 0 ? [] : [`${shown(after)} after the names`]),
    ];
    const isUsual = pairIndex < USUAL_SEPARATORS && nameIndex < USUAL_SEPARATORS;
    const both = pairIndex + nameIndex < 5 ? 3 : UNCOMMON;
    const cost = how.length < 2 ? USUAL : both;
    return [how.join(' and '), isUsual ? cost : RARE, printed(`K${after}V${between}K${after}V`)];
  });
  // The first of each is right.
  return table('join', 'the pairs were joined with', pairIndex === 0 ? rows.slice(1) : rows);
}

/** The method, the host or the path as a part of the string, as other platforms require. */
function requestParts({ request, mode }: Evidence): Table {
  const method = request.method ?? 'POST';
  const address = /^(https?:\/\/([^/?#]*))?(\/[^?#]*)/.exec(request.url ?? '');
  const [, origin = '', host = '', path = ''] = address ?? [];
  const short = path.replace(mode === 'body' ? /^.*\/open\/v1/ : /^.*\/api\/open/, '');
  const parts = [
    ...[path, short, path.slice(1), short.slice(1), origin + path, host + path],
    // AWS requires an empty query after the path.
    ...[`${method}\n${path}\n`, method + host + path, `${method}\n${host}\n${path}`],
    ...['', ' ', '\n', '&'].map((separator) => method + separator + path),
  ];
  const texts = [...new Set([method, ...(address ? parts : [])])].filter((text) => text !== '');
  return ['', '&', '\n', '?', '|', ' ', ':', '%'].flatMap((separator, index) =>
    texts.flatMap((text) => {
      const how = shown(text) + separatorText(separator);
      const cost = index < 3 ? UNCOMMON : RARE;
      return table('rewrite', 'the pairs were', {
        [cost]: { [`preceded by ${how}`]: (pairs) => text + separator + pairs },
        [cost + 1]: { [`followed by ${how}`]: (pairs) => pairs + separator + text },
      });
    }),
  );
}

export const valuesOnly = mistake(
  'values-only',
  [
    ...['', '&', ',', '|', '\n', '_', '-', ' ', ';', ':', '+', '=', '#'].map((separator, index) => {
      const how = `joined without their names${separatorText(separator)}`;
      return table('join', 'the values were', {
        [index < 5 ? USUAL : RARE]: { [how]: printed(`V${separator}V`) },
        [index < 2 ? 3 : RARE + 1]: { [`sorted and ${how}`]: sortedValuesJoined(separator) },
      });
    }),
    table(
      'steps',
      'the values and the api secret were sorted together',
      ['', '&'].map((separator) => [
        `and joined without names${separatorText(separator)}`,
        RARE,
        { secretName: 'secret', join: sortedValuesJoined(separator), append: withoutSecret },
      ]),
    ),
    table('join', 'the names were', [
      ['joined without their values', RARE, (pairs) => pairs.map(({ name }) => name).join('&')],
    ]),
  ],
  { 'only the values of common fields were signed, in any order': commonValuesOnly },
);

function sortedValuesJoined(separator: string): Join {
  return (pairs) =>
    pairs
      .map(({ value }) => value)
      .sort()
      .join(separator);
}

/** Only the values of common fields, as other platforms require: timestamp + nonce + secret. */
function commonValuesOnly(evidence: Evidence): Table {
  const names = COMMON_FIELDS.flatMap((field) => commonField(evidence, field)?.name ?? []);
  const orders = arrangements([...names, 'the api secret']).filter(
    (order) => order.length > 1 && order.includes('the api secret'),
  );
  return table(
    'steps',
    'only these values were signed:',
    ['', '&', '\n', '.'].flatMap((separator) =>
      orders.map((order) => [
        order.join(', ') + separatorText(separator),
        VERY_RARE,
        { join: valuesInOrder(order, separator), append: withoutSecret },
      ]),
    ),
    { fields: [] },
  );
}

function valuesInOrder(order: readonly string[], separator: string): Join {
  return (pairs, { transformSecret, secret }) => {
    const texts = new Map(pairs.map(({ name, value }) => [name, value]));
    texts.set('the api secret', transformSecret(secret));
    return order.map((name) => texts.get(name) ?? '').join(separator);
  };
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
