import type { JsonValue } from '../../../json/value.ts';
import type { Entry } from '../../canonical.ts';
import type { PrintStyle } from '../print-style.ts';
import type { Steps } from '../signer.ts';
import { javaText, pythonRepr, rubyInspect } from './languages.ts';
import { pythonText } from './number-text.ts';

/** The texts that languages print for a whole map of fields. */

type Join = Steps['join'];
type PairText = (name: string, value: string) => string;

const equals: PairText = (name, value) => `${name}=${value}`;
const doubleQuoted = (text: string): string => `"${text}"`;
const pythonValue = (value: JsonValue, style: PrintStyle): string =>
  pythonRepr(value, { ...style, number: pythonText });

export const PRINTED_MAPS: readonly (readonly [how: string, join: Join])[] = [
  ['{a=1, b=2} (toString of a Java map)', ofTexts('{', ', ', '}', equals)],
  ['map[a:1 b:2] (%v of a Go map)', ofTexts('map[', ' ', ']', (n, v) => `${n}:${v}`)],
  ['{a: 1, b: 2} (toString of a Dart map)', ofTexts('{', ', ', '}', (n, v) => `${n}: ${v}`)],
  [
    "{'a': '1', 'b': '2'} (str of a Python dict)",
    ofTexts('{', ', ', '}', (n, v) => `'${n}': '${v}'`),
  ],
  [
    "[('a', 1), ('b', \"x\")] (str of sorted items in Python)",
    ofValues(pythonValue, '[', ']', (n, v) => `('${n}', ${v})`),
  ],
  [
    "{'a': 1, 'b': 'x'} (str of a sorted dict in Python)",
    ofValues(pythonValue, '{', '}', (n, v) => `'${n}': ${v}`),
  ],
  [
    "[('a', '1'), ('b', '2')] (str of sorted texts in Python)",
    ofTexts('[', ', ', ']', (n, v) => `('${n}', '${v}')`),
  ],
  ['{"a"=>"1", "b"=>"2"} (inspect of Ruby)', ofTexts('{', ', ', '}', (n, v) => `"${n}"=>"${v}"`)],
  ...['=>', ' => '].flatMap((colon): [string, Join][] => {
    const language = colon === '=>' ? 'Ruby' : 'Ruby 3.4';
    const print = rubyInspect(colon);
    return [
      [
        `{"a"${colon}1, "b"${colon}"x"} (inspect of a sorted hash in ${language})`,
        ofValues(print, '{', '}', (n, v) => doubleQuoted(n) + colon + v),
      ],
      [
        `[["a", 1], ["b", {"c"${colon}2}]] (inspect of sorted pairs in ${language})`,
        ofValues(print, '[', ']', (n, v) => `[${doubleQuoted(n)}, ${v}]`),
      ],
    ];
  }),
  ['{a=1, b={c=2}} (toString of a Java map with maps in it)', ofValues(javaText, '{', '}', equals)],
  ['[a=1, b=2] (toString of a Java list)', ofTexts('[', ', ', ']', equals)],
  [
    '{"a":"1","b":"2"} (JSON of a map of texts)',
    (pairs) => JSON.stringify(Object.fromEntries(pairs.map(({ name, value }) => [name, value]))),
  ],
  [
    '[["a","1"],["b","2"]] (JSON of sorted entries)',
    (pairs) => JSON.stringify(pairs.map(({ name, value }) => [name, value])),
  ],
  ['a="1"&b="2"', ofTexts('', '&', '', (n, v) => `${n}="${v}"`)],
  ['a="1",b="2"', ofTexts('', ',', '', (n, v) => `${n}="${v}"`)],
  ["a='1'&b='2'", ofTexts('', '&', '', (n, v) => `${n}='${v}'`)],
];

/** Prints the texts of the pairs. */
function ofTexts(open: string, comma: string, close: string, pairText: PairText): Join {
  return (pairs) =>
    open + pairs.map(({ name, value }) => pairText(name, value)).join(comma) + close;
}

/** Prints the values of the fields that have a pair. */
function ofValues(
  print: (value: JsonValue, style: PrintStyle) => string,
  open: string,
  close: string,
  pairText: PairText,
): Join {
  return (pairs: readonly Entry[], { fields, style }) => {
    const names = new Set(pairs.map(({ name }) => name));
    const signed = fields.filter(({ name }) => names.has(name));
    return (
      open + signed.map(({ name, value }) => pairText(name, print(value, style))).join(', ') + close
    );
  };
}
