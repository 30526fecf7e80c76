import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import {
  fieldText,
  type JsonLayout,
  type PrintStyle,
  RIGHT_STYLE,
} from '../../../src/signing/diagnosis/print-style.ts';

function text(json: string, changes: Partial<PrintStyle> = {}): string | undefined {
  return fieldText(parseJson(json), { ...RIGHT_STYLE, ...changes });
}

function laidOut(json: string, layout: Partial<JsonLayout>): string | undefined {
  return text(json, { layout: { ...RIGHT_STYLE.layout, ...layout } });
}

const NESTED = '{"b":[1,"two",[],{},{"k":null}],"a":{"x":true,"y":"中/"},"e":{},"v":[]}';

describe('the right style', () => {
  it.each([
    ['"a\\"b"', 'a"b'],
    ['1.50', '1.50'],
    ['true', 'true'],
    ['null', undefined],
    [NESTED, NESTED],
    ['{ "a" : [ 1 , 2 ] }', '{"a":[1,2]}'],
    ['[]', '[]'],
  ])('%s is %s', (json, expected) => {
    expect(text(json)).toBe(expected);
  });
});

const indented = (indent: string): string =>
  [
    '{',
    '>"b": [',
    '>>1,',
    '>>"two",',
    '>>[],',
    '>>{},',
    '>>{',
    '>>>"k": null',
    '>>}',
    '>],',
    '>"a": {',
    '>>"x": true,',
    '>>"y": "中/"',
    '>},',
    '>"e": {},',
    '>"v": []',
    '}',
  ]
    .join('\n')
    .replaceAll('>', indent);

describe('layouts', () => {
  it('json.dumps(…, ensure_ascii=False) of Python 3.11', () => {
    expect(laidOut(NESTED, { comma: ', ', colon: ': ' })).toBe(
      '{"b": [1, "two", [], {}, {"k": null}], "a": {"x": true, "y": "中/"}, "e": {}, "v": []}',
    );
  });

  // json.dumps(…, indent=…), JSON.stringify(…, null, …), JSON_PRETTY_PRINT of PHP (4 spaces),
  // json.MarshalIndent of Go and setPrettyPrinting() of Gson print the same shape.
  it.each([
    ['2 spaces', '  '],
    ['4 spaces', '    '],
    ['a tab', '\t'],
  ])('indented by %s', (_, indent) => {
    const layout = { comma: ', ', colon: ': ', indent, lineEnd: '\n' };
    expect(laidOut(NESTED, layout)).toBe(indented(indent));
    expect(laidOut(NESTED, { ...layout, comma: ',' })).toBe(indented(indent));
  });

  it('indented with Windows line ends', () => {
    expect(laidOut('[1,{"a":2}]', { colon: ': ', indent: '  ', lineEnd: '\r\n' })).toBe(
      '[\r\n  1,\r\n  {\r\n    "a": 2\r\n  }\r\n]',
    );
  });

  // By writerWithDefaultPrettyPrinter() of Jackson 2.17.
  it.each([
    [
      NESTED,
      '{\n  "b" : [ 1, "two", [ ], { }, {\n    "k" : null\n  } ],\n  "a" : {\n    "x" : true,\n    "y" : "中/"\n  },\n  "e" : { },\n  "v" : [ ]\n}',
    ],
    [
      '[[1,[2,{"a":[{"b":1},{}]}]],{"c":[[]]}]',
      '[ [ 1, [ 2, {\n  "a" : [ {\n    "b" : 1\n  }, { } ]\n} ] ], {\n  "c" : [ [ ] ]\n} ]',
    ],
    ['[]', '[ ]'],
    ['{}', '{ }'],
  ])('of Jackson: %s', (json, expected) => {
    const layout = { colon: ' : ', indent: '  ', lineEnd: '\n', inlineArrays: true };
    expect(laidOut(json, layout)).toBe(expected);
  });
});

describe('other styles', () => {
  it('print numbers and booleans by their place', () => {
    const changes: Partial<PrintStyle> = {
      number: (value, place) => `${place} ${value}`,
      boolean: (value, place) => `${place} ${value}`,
    };
    expect(text('1.0', changes)).toBe('field 1.0');
    expect(text('true', changes)).toBe('field true');
    expect(text('[1.0,{"a":false}]', changes)).toBe('[nested 1.0,{"a":nested false}]');
  });

  it('print null only as a field', () => {
    expect(text('null', { nullText: 'None' })).toBe('None');
    expect(text('[null]', { nullText: 'None' })).toBe('[null]');
  });

  it('print texts of fields and of nested JSON separately', () => {
    expect(text('"a/b"', { string: (value) => `<${value}>` })).toBe('<a/b>');
    expect(text('["a/b"]', { string: (value) => `<${value}>` })).toBe('["a/b"]');
    const slashed = (quoted: string): string => quoted.replaceAll('/', '\\/');
    expect(text('{"x/y":["a/b"]}', { escape: slashed })).toBe('{"x\\/y":["a\\/b"]}');
    expect(text('"a/b"', { escape: slashed })).toBe('a/b');
  });

  it('print members in another order, at every level', () => {
    const memberOrder: PrintStyle['memberOrder'] = (members) => members.toReversed();
    expect(text('{"a":1,"b":[{"c":2,"d":3}]}', { memberOrder })).toBe(
      '{"b":[{"d":3,"c":2}],"a":1}',
    );
  });
});
