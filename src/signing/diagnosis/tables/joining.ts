import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { utf8Bytes } from '../../bytes.ts';
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
import { arrangements } from '../permutations.ts';
import { joinPairs, type Steps, withoutSecret } from '../signer.ts';
import { type Row, type Rows, separatorText, table, tableOf } from '../steps.ts';
import { RFC_3986 } from './encodings.ts';
import { aroundMembers, javaText, pythonBytes, pythonRepr, rubyInspect } from './languages.ts';
import { pythonText } from './number-text.ts';

/** The joining of the sorted pairs into one string (D1 5.1 step 2). */

type Join = Steps['join'];

/** Between pairs, and between a name and its value: the usual choices first. */
const BETWEEN_PAIRS = [
  ...['&', '', '\n', ',', ', ', '|', ';', ' ', '&&', '\r\n', '&amp;', '+', '\t'],
  ...['#', '_', '-', ':', '%26', '^', '; ', ' & '],
];
const AFTER_NAMES = ['=', '', ':', ': ', ' ', '=>', '==', ' = ', '_', '|', ',', '-', '%3D'];
/** The number of usual choices in each list. */
const USUAL_SEPARATORS = 7;

/** The pairs between two texts. */
const framed =
  (open: string, close: string): Join =>
  (pairs) =>
    open + joinPairs(pairs) + close;

/** The pairs in the form of a sample of two pairs, in which `K` is a name and `V` a value. */
function printed(sample: string): Join {
  const { open, colon, comma, close } = aroundMembers(sample);
  return (pairs) => open + pairs.map(({ name, value }) => name + colon + value).join(comma) + close;
}

/** The fields of the pairs, with their values as a language prints them. */
function printedBy(print: typeof pythonRepr, sample: string): Join {
  const join = printed(sample);
  return (pairs, steps) => {
    const names = new Set(pairs.map(({ name }) => name));
    const signed = steps.fields.filter(({ name }) => names.has(name));
    return join(
      signed.map((field) => ({ ...field, value: print(field.value, steps.style) })),
      steps,
    );
  };
}
const python: typeof pythonRepr = (value, style) =>
  pythonRepr(value, { ...style, number: pythonText });
const ruby = rubyInspect('=>');
const ruby34 = rubyInspect(' => ');

/** The texts that languages print for a whole map of fields. */
const PRINTED_MAPS: Readonly<Record<string, Join>> = {
  '{a=1, b=2} (toString of a Java map)': printed('{K=V, K=V}'),
  '[a=1, b=2] (toString of a Java list)': printed('[K=V, K=V]'),
  '{a=1, b={c=2}} (toString of a Java map with maps in it)': printedBy(javaText, '{K=V, K=V}'),
  'map[a:1 b:2] (%v of a Go map)': printed('map[K:V K:V]'),
  '{a: 1, b: 2} (toString of a Dart map)': printed('{K: V, K: V}'),
  "{'a': '1', 'b': '2'} (str of a Python dict)": printed("{'K': 'V', 'K': 'V'}"),
  "{'a': 1, 'b': 'x'} (str of a sorted dict in Python)": printedBy(python, "{'K': V, 'K': V}"),
  "[('a', 1), ('b', \"x\")] (str of sorted items in Python)": printedBy(
    python,
    "[('K', V), ('K', V)]",
  ),
  "[('a', '1'), ('b', '2')] (str of sorted texts in Python)": printed("[('K', 'V'), ('K', 'V')]"),
  '{"a"=>"1", "b"=>"2"} (inspect of Ruby)': printed('{"K"=>"V", "K"=>"V"}'),
  '{"a"=>1, "b"=>"x"} (inspect of a sorted hash in Ruby)': printedBy(ruby, '{"K"=>V, "K"=>V}'),
  '{"a" => 1, "b" => "x"} (inspect of a sorted hash in Ruby 3.4)': printedBy(
    ruby34,
    '{"K" => V, "K" => V}',
  ),
  '[["a", 1], ["b", "x"]] (inspect of sorted pairs in Ruby)': printedBy(
    ruby,
    '[["K", V], ["K", V]]',
  ),
  '[["a", 1], ["b", "x"]] (inspect of sorted pairs in Ruby 3.4)': printedBy(
    ruby34,
    '[["K", V], ["K", V]]',
  ),
  '{"a":"1","b":"2"} (JSON of a map of texts)': (pairs) =>
    JSON.stringify(Object.fromEntries(pairs.map(({ name, value }) => [name, value]))),
  '[["a","1"],["b","2"]] (JSON of sorted entries)': (pairs) =>
    JSON.stringify(pairs.map(({ name, value }) => [name, value])),
  'a="1"&b="2"': printed('K="V"&K="V"'),
  'a="1",b="2"': printed('K="V",K="V"'),
  "a='1'&b='2'": printed("K='V'&K='V'"),
};

const JOINS: Rows<Join> = {
  [USUAL]: { 'joined with "&" after the last one': framed('', '&') },
  3: {
    'joined with ":" after the names of headers': afterHeaders(':'),
    'joined with ": " after the names of headers': afterHeaders(': '),
  },
  [UNCOMMON]: {
    'joined with "&" in front': framed('&', ''),
    'joined with "?" in front': framed('?', ''),
    'joined with "?" after the last one': framed('', '?'),
    'joined in double quotes': framed('"', '"'),
    'joined in single quotes': framed("'", "'"),
    'joined in brackets': framed('[', ']'),
    'joined in braces': framed('{', '}'),
    'joined without "&" between the business fields and the others': inTwo(true),
    'joined without "&" between the other fields and the business fields': inTwo(false),
  },
};

function afterHeaders(colon: string): Join {
  return (pairs) =>
    pairs
      .map(({ name, value, source }) => name + (source === 'header' ? colon : '=') + value)
      .join('&');
}

/** The business fields, and the common fields or headers, as two joined strings. */
function inTwo(isBusinessFirst: boolean): Join {
  return (pairs) =>
    [isBusinessFirst, !isBusinessFirst]
      .map((isBusiness) => pairs.filter(({ source }) => (source === 'business') === isBusiness))
      .map(joinPairs)
      .join('');
}

const PYTHON_BYTES: Rows<Steps['append']> = {
  [UNCOMMON]: {
    'its bytes': (text, secret) => pythonBytes(utf8Bytes(text + secret)),
    'the bytes of the pairs': (text, secret) => pythonBytes(utf8Bytes(text)) + secret,
  },
};

export const pairsJoined = mistake(
  'pairs-joined',
  [
    ...BETWEEN_PAIRS.map(separatorTable),
    table('join', 'the pairs were', JOINS),
    table('join', 'the pairs were printed as', { [UNCOMMON]: PRINTED_MAPS }),
    tableOf(
      'join',
      'the pairs were joined with',
      ['\n', ',', ';', '|', ' '].map((end) => [
        `${shown(end)} after each of them`,
        UNCOMMON,
        printed(`K=V${end}K=V${end}`),
      ]),
    ),
    table('rewrite', 'the joined pairs were', {
      // Costs more than another text of the last field.
      6: { 'signed without their last character': (text) => text.slice(0, -1) },
      [UNCOMMON]: {
        'signed without their first character': (text) => text.slice(1),
        'split at "&" and sorted again': (text) => text.split('&').sort().join('&'),
        'signed twice': (text) => text + text,
        'signed twice, with "&" between': (text) => `${text}&${text}`,
      },
    }),
    table('append', 'the string was signed as Python prints', PYTHON_BYTES, {
      fix: 'hash the bytes of the string (s.encode()), not their text',
    }),
    table('join', 'the pairs were', {
      [USUAL]: {
        'percent-encoded after POST&%2F& (Alibaba Cloud)': (pairs) =>
          `POST&%2F&${RFC_3986(joinPairs(pairs))}`,
      },
    }),
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
    return [how.join(' and '), isUsual ? cost : RARE, joined(between, after)];
  });
  // The first of each is right.
  return tableOf('join', 'the pairs were joined with', pairIndex === 0 ? rows.slice(1) : rows);
}

/** The pairs with `between` between them, and `after` between a name and its value. */
function joined(between: string, after: string): Join {
  return printed(`K${after}V${between}K${after}V`);
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
  return ['', '&', '\n', '?', '|', ' ', ':', '%'].flatMap((separator, index) => {
    const rows = (cost: number, joinWith: (text: string) => Join): readonly Row<Join>[] =>
      texts.map((text) => [shown(text) + separatorText(separator), cost, joinWith(text)]);
    const cost = index < 3 ? UNCOMMON : RARE;
    return [
      ...tableOf(
        'join',
        'the pairs were preceded by',
        rows(cost, (text) => framed(text + separator, '')),
      ),
      ...tableOf(
        'join',
        'the pairs were followed by',
        rows(cost + 1, (text) => framed('', separator + text)),
      ),
    ];
  });
}

export const valuesOnly = mistake(
  'values-only',
  [
    ...['', '&', ',', '|', '\n', '_', '-', ' ', ';', ':', '+', '='].map((separator, index) => {
      const how = `joined without their names${separatorText(separator)}`;
      return table('join', 'the values were', {
        [index < 5 ? USUAL : RARE]: { [how]: valuesJoined(separator) },
        [index < 2 ? 3 : RARE + 1]: { [`sorted and ${how}`]: sortedValuesJoined(separator) },
      });
    }),
    tableOf(
      'steps',
      'the values and the api secret were sorted together',
      ['', '&'].map((separator) => [
        `and joined without names${separatorText(separator)}`,
        RARE,
        { secretName: 'secret', join: sortedValuesJoined(separator), append: withoutSecret },
      ]),
    ),
    table('join', 'the names were', {
      [RARE]: { 'joined without their values': (pairs) => pairs.map(({ name }) => name).join('&') },
    }),
  ],
  { 'only the values of common fields were signed, in any order': commonValuesOnly },
);

function valuesJoined(separator: string): Join {
  return (pairs) => pairs.map(({ value }) => value).join(separator);
}

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
  return tableOf(
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

/** The secret as the last of the joined texts: `[...values, secret].join('|')`. */
export const SECRET_JOINED_TOO = [',', '|', ';', ':', '_', '-', ' ', '\n', '+', '#'].flatMap(
  (separator) => {
    const between = `with ${shown(separator)} between`;
    const { rows: pairs } = mistake('pairs-joined', [
      table('join', 'the pairs were joined', {
        [RARE]: {
          [`${between} them`]: joined(separator, '='),
          [`${between} them and ":" after the names`]: joined(separator, ':'),
        },
      }),
    ]);
    const { rows: values } = mistake('values-only', [
      table('join', 'the values were', {
        [RARE]: {
          [`joined without their names, ${between}`]: valuesJoined(separator),
          [`sorted and joined without their names, ${between}`]: sortedValuesJoined(separator),
        },
      }),
    ]);
    const { rows: secret } = mistake('secret-joined', [
      table('append', 'the api secret was', {
        [RARE]: {
          [`appended after ${shown(separator)} instead of directly`]: (text, used) =>
            text + separator + used,
        },
      }),
    ]);
    return [...pairs, ...values].map((join) => [join, ...secret]);
  },
);

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
