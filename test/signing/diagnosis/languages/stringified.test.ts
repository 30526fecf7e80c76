import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/json/parse.ts';
import type { NestedValue } from '../../../../src/json/value.ts';
import { hashMapOrder } from '../../../../src/signing/diagnosis/languages/java-hash-map.ts';
import { NUMBER_PRINTERS } from '../../../../src/signing/diagnosis/languages/number-text.ts';
import { STRINGIFIERS } from '../../../../src/signing/diagnosis/languages/stringified.ts';
import { type PrintStyle, RIGHT_STYLE } from '../../../../src/signing/diagnosis/print-style.ts';

function text(title: string, json: string, style: Partial<PrintStyle> = {}): string {
  const stringifier = STRINGIFIERS.find((candidate) => candidate.title.includes(title));
  if (!stringifier) throw new Error(`no stringifier ${title}`);
  return stringifier.print(parseJson(json) as NestedValue, { ...RIGHT_STYLE, ...style });
}

const RICH =
  '{"b":1,"a":"x y","n":null,"t":true,"f":false,"d":30.5,"l":[1,"two",null,true,[3,4],{"k":"v"}],"o":{"z":"中","e":"","q":"it\'s"},"e":{},"v":[]}';

/** By Python 3.11 (`str(json.loads(text))`), Java 17, Go 1.19 (`fmt.Sprint`) and Node 20. */
describe('an object', () => {
  it.each([
    [
      'as text by Python',
      "{'b': 1, 'a': 'x y', 'n': None, 't': True, 'f': False, 'd': 30.5, 'l': [1, 'two', None, True, [3, 4], {'k': 'v'}], 'o': {'z': '中', 'e': '', 'q': \"it's\"}, 'e': {}, 'v': []}",
    ],
    [
      // LinkedHashMap
      'toString of a map or list',
      "{b=1, a=x y, n=null, t=true, f=false, d=30.5, l=[1, two, null, true, [3, 4], {k=v}], o={z=中, e=, q=it's}, e={}, v=[]}",
    ],
    [
      'toString of a HashMap',
      "{a=x y, b=1, t=true, d=30.5, e={}, f=false, v=[], l=[1, two, null, true, [3, 4], {k=v}], n=null, o={q=it's, e=, z=中}}",
    ],
    [
      'as text by Go',
      "map[a:x y b:1 d:30.5 e:map[] f:false l:[1 two <nil> true [3 4] map[k:v]] n:<nil> o:map[e: q:it's z:中] t:true v:[]]",
    ],
    [
      'as text by Groovy',
      "[b:1, a:x y, n:null, t:true, f:false, d:30.5, l:[1, two, null, true, [3, 4], [k:v]], o:[z:中, e:, q:it's], e:[:], v:[]]",
    ],
    [
      'as text by Scala',
      "Map(b -> 1, a -> x y, n -> null, t -> true, f -> false, d -> 30.5, l -> List(1, two, null, true, List(3, 4), Map(k -> v)), o -> Map(z -> 中, e -> , q -> it's), e -> Map(), v -> List())",
    ],
    ['as text by JavaScript', '[object Object]'],
    ['as text by PHP', 'Array'],
    ['as empty text', ''],
  ])('%s', (title, expected) => {
    expect(text(title, RICH)).toBe(expected);
  });

  it('prints its members in another order, like a TreeMap', () => {
    const memberOrder: PrintStyle['memberOrder'] = (members) =>
      members.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(text('toString of a map or list', RICH, { memberOrder })).toBe(
      "{a=x y, b=1, d=30.5, e={}, f=false, l=[1, two, null, true, [3, 4], {k=v}], n=null, o={e=, q=it's, z=中}, t=true, v=[]}",
    );
  });
});

describe('a list of JavaScript', () => {
  it.each([
    ['[1,"two",null,true,[3,4],{"k":"v"}]', '1,two,,true,3,4,[object Object]'],
    ['[[1,[2,null]],{},true,"a,b",1.50]', '1,2,,[object Object],true,a,b,1.5'],
    ['[]', ''],
    ['[null]', ''],
    ['[1e21,30.10,-0]', '1e+21,30.1,0'],
  ])('%s is %s', (json, expected) => {
    expect(text('as text by JavaScript', json)).toBe(expected);
  });
});

/** By Python 3.11: `str([text])`. */
describe('a text in a list of Python', () => {
  it.each([
    ["it's", '["it\'s"]'],
    ['say "x"', '[\'say "x"\']'],
    ['both \' and "', "['both \\' and \"']"],
    ['back\\slash', "['back\\\\slash']"],
    ['line\nend\r\t', "['line\\nend\\r\\t']"],
    ['bell\u0007 del\u007f nul\0', "['bell\\x07 del\\x7f nul\\x00']"],
    ['é 中 😀', "['é 中 😀']"],
    [
      '\u00a0 \u2028 \u200b \ufeff \u00ad \ue000 \u3000',
      "['\\xa0 \\u2028 \\u200b \\ufeff \\xad \\ue000 \\u3000']",
    ],
    ['\u{e0001}', "['\\U000e0001']"],
  ])('%j is %s', (value, expected) => {
    expect(text('as text by Python', JSON.stringify([value]))).toBe(expected);
  });
});

it('prints numbers and booleans in the style of the signer', () => {
  const python = NUMBER_PRINTERS.find(({ title }) => title === 'as Python prints them');
  const number = python?.print ?? String;
  expect(text('as text by Python', '{"a":30.10,"b":[1e16,-0.0]}', { number })).toBe(
    "{'a': 30.1, 'b': [1e+16, -0.0]}",
  );
  expect(text('as text by Go', '[true]', { boolean: () => 'yes' })).toBe('[yes]');
});

it('orders a HashMap of Java at every level', () => {
  const names = ['timestamp', 'nonce', 'seq_id', 'api_key'];
  const inner = `{${names.map((name) => `"${name}":1`).join(',')}}`;
  const printed = `{${hashMapOrder(names, (name) => name)
    .map((name) => `${name}=1`)
    .join(', ')}}`;
  expect(text('toString of a HashMap', `{"o":${inner},"l":[${inner}]}`)).toBe(
    `{l=[${printed}], o=${printed}}`,
  );
});

/** Not run: after the documentation of Ruby 3.3 and 3.4. */
describe('inspect of Ruby', () => {
  it.each([
    ['(inspect)', '{"a"=>1, "b"=>[nil, true, "x"]}'],
    ['Ruby 3.4', '{"a" => 1, "b" => [nil, true, "x"]}'],
  ])('%s', (title, expected) => {
    expect(text(title, '{"a":1,"b":[null,true,"x"]}')).toBe(expected);
  });
});
