import type { JsonValue } from '../../../json/value.ts';
import type { Entry } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { pythonText } from '../languages/number-text.ts';
import { javaText, pythonRepr, rubyInspect } from '../languages/stringified.ts';
import type { PrintStyle } from '../print-style.ts';
import type { Steps } from '../signer.ts';

/** Texts that languages print for a whole map. */
export const PRINTED_MAPS: readonly { readonly title: string; readonly join: Steps['join'] }[] = [
  { title: '{a=1, b=2} (toString of a Java map)', join: joined(', ', '=', '{', '}') },
  { title: 'map[a:1 b:2] (%v of a Go map)', join: joined(' ', ':', 'map[', ']') },
  { title: '{a: 1, b: 2} (toString of a Dart map)', join: joined(', ', ': ', '{', '}') },
  {
    title: "{'a': '1', 'b': '2'} (str of a Python dict)",
    join: quotedPairs("'", ': ', ', ', '{', '}'),
  },
  {
    title: "[('a', 1), ('b', \"x\")] (str of sorted items in Python)",
    join: printedFields(pythonValue, '[', ']', (name, value) => `('${name}', ${value})`),
  },
  {
    title: "{'a': 1, 'b': 'x'} (str of a sorted dict in Python)",
    join: printedFields(pythonValue, '{', '}', (name, value) => `'${name}': ${value}`),
  },
  {
    title: "[('a', '1'), ('b', '2')] (str of sorted texts in Python)",
    join: (pairs) => `[${pairs.map(({ name, value }) => `('${name}', '${value}')`).join(', ')}]`,
  },
  { title: '{"a"=>"1", "b"=>"2"} (inspect of Ruby)', join: quotedPairs('"', '=>', ', ', '{', '}') },
  ...['=>', ' => '].flatMap((colon) => {
    const language = colon === '=>' ? 'Ruby' : 'Ruby 3.4';
    const print = rubyInspect(colon);
    return [
      {
        title: `{"a"${colon}1, "b"${colon}"x"} (inspect of a sorted hash in ${language})`,
        join: printedFields(print, '{', '}', (name, value) => JSON.stringify(name) + colon + value),
      },
      {
        title: `[["a", 1], ["b", {"c"${colon}2}]] (inspect of sorted pairs in ${language})`,
        join: printedFields(
          print,
          '[',
          ']',
          (name, value) => `[${JSON.stringify(name)}, ${value}]`,
        ),
      },
    ];
  }),
  {
    title: '{a=1, b={c=2}} (toString of a Java map with maps in it)',
    join: printedFields(javaText, '{', '}', (name, value) => `${name}=${value}`),
  },
  { title: '[a=1, b=2] (toString of a Java list)', join: joined(', ', '=', '[', ']') },
  {
    title: '{"a":"1","b":"2"} (JSON of a map of texts)',
    join: (pairs) =>
      JSON.stringify(Object.fromEntries(pairs.map(({ name, value }) => [name, value]))),
  },
  {
    title: '[["a","1"],["b","2"]] (JSON of sorted entries)',
    join: (pairs) => JSON.stringify(pairs.map(({ name, value }) => [name, value])),
  },
  { title: 'a="1"&b="2"', join: joined('&', '="', '', '', '"') },
  { title: 'a="1",b="2"', join: joined(',', '="', '', '', '"') },
  { title: "a='1'&b='2'", join: joined('&', "='", '', '', "'") },
];

/** Joins pairs with these separators and ends. */
export function joined(
  pairSeparator: string,
  nameSeparator: string,
  open = '',
  close = '',
  afterValue = '',
): Steps['join'] {
  return (pairs) =>
    open +
    pairs.map(({ name, value }) => name + nameSeparator + value + afterValue).join(pairSeparator) +
    close;
}

function quotedPairs(
  quote: string,
  colon: string,
  comma: string,
  open: string,
  close: string,
): Steps['join'] {
  const quoted = (text: string): string => quote + text + quote;
  return (pairs) =>
    open + pairs.map(({ name, value }) => quoted(name) + colon + quoted(value)).join(comma) + close;
}

/** Every field as a language prints it; `pairOf` gives the text of one field. */
function printedFields(
  print: (value: JsonValue, style: PrintStyle) => string,
  open: string,
  close: string,
  pairOf: (name: string, value: string) => string,
): Steps['join'] {
  return (pairs, { fields, style }) =>
    open +
    signedFields(pairs, fields)
      .map(({ name, value }) => pairOf(name, print(value, style)))
      .join(', ') +
    close;
}

/** `repr` of a value whose numbers Python parsed. */
function pythonValue(value: JsonValue, style: PrintStyle): string {
  return pythonRepr(value, { ...style, number: pythonText });
}

/** The fields that have a pair. */
function signedFields(pairs: readonly Entry[], fields: readonly Field[]): readonly Field[] {
  const names = new Set(pairs.map(({ name }) => name));
  return fields.filter(({ name }) => names.has(name));
}
