import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import { JsonScanError, JsonScanner } from '../../src/json/scan.ts';
import { checkRows } from '../support/rows.ts';

type Edit = (text: string, name: string | undefined) => string;

/** The output of a scanner that is fed pieces of this length. */
function scanned(text: string, length = text.length, edit?: Edit): string {
  const members: string[] = [];
  const scanner = new JsonScanner({
    member: (name) => {
      const at = members.push(`${JSON.stringify(name)}:`) - 1;
      return (part) => {
        members[at] += part;
      };
    },
    edit,
  });
  for (let at = 0; at < text.length; at += length) scanner.feed(text.slice(at, at + length));
  scanner.end();
  return `{${members.join(',')}}`;
}

const asItIs: Edit = (value) => value;

const DOCUMENTS = [
  '{}',
  ' \n{ "a" : 1 , "b" : [ ] , "c":{ } }\t\r\n',
  '{"n":[1.0,1e2,-0,12345678901234567890,-1.5E+3,0.10],"t":[true,false,null]}',
  '{"10":1,"2":2,"10":3,"":{"":[[],{},[{}]]}}',
  '{"s":"plain","e":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00\\ud83d\\u0041\\ude00\\uD83D","名":"杭州 🚕\u007f\u2028"}',
  '{"\\u0064ata":{"\\u0061":"\\/"}}',
  `{"deep":${'['.repeat(499)}${']'.repeat(499)}}`,
];

describe('a document', () => {
  it('is passed on in printed form, for any size of pieces', () =>
    checkRows(DOCUMENTS, (text) => {
      const printed = printJson(parseJson(text));
      for (const length of [1, 2, 3, 5, 7, 11, 13, 64, text.length]) {
        expect(scanned(text, length)).toBe(printed);
        expect(scanned(text, length, asItIs)).toBe(printed);
      }
    }));

  it('is passed on for any values, spaces and pieces', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    });
    fc.assert(
      fc.property(value, fc.nat(3), fc.integer({ min: 1, max: 50 }), (object, indent, length) => {
        const text = JSON.stringify(object, null, indent);
        expect(scanned(text, length)).toBe(printJson(parseJson(text)));
        expect(scanned(text, length, asItIs)).toBe(printJson(parseJson(text)));
      }),
      { numRuns: 30 },
    );
  });

  it('is rejected at the same place as by parseJson', () => {
    const faulty = [
      ...['', ' ', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{"a":1}}', '{}x'],
      ...[
        '{"a" 1}',
        '{"a":,}',
        '{a:1}',
        "{'a':1}",
        '{"a":[1,]}',
        '{"a":[}',
        '{"a":[1}',
        '{"a":{]}',
      ],
      ...['{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1}', '{"a":1e}', '{"a":-}', '{"a":0x1}'],
      ...[
        '{"a":nul}',
        '{"a":True}',
        '{"a":NaN}',
        '{"a":undefined}',
        '{"a":truefalse}',
        '{"a":1 2}',
      ],
      ...['{"a":"', '{"a":"x', '{"a":"\\x"}', '{"a":"\\u12"}', '{"a":"\\u12g4"}', '{"a":"\\'],
      ...[
        '{"a":"\n"}',
        '{"a":"\u0000"}',
        '{"a\t":1}',
        '{"a":1}{"b":2}',
        '{"a":1}\ufeff',
        '\ufeff{}',
      ],
      `{"deep":${'['.repeat(500)}${']'.repeat(500)}}`,
    ];
    return checkRows(faulty, (text) => {
      expect(() => parseJson(text)).toThrow();
      for (const length of [1, 3, text.length || 1]) {
        expect(() => scanned(text, length)).toThrow(JsonScanError);
        expect(() => scanned(text, length, asItIs)).toThrow(JsonScanError);
      }
    });
  });

  it('is rejected before any output if it is not an object', () =>
    checkRows(['[]', '"a"', '1', 'null', '<html>'], (text) =>
      expect(() => scanned(text)).toThrow('the document is not an object at character 1'),
    ));

  it('is rejected with the place of the fault', () => {
    expect(() => scanned('{"a": [1,\n x]}', 2)).toThrow('a value is missing at character 12');
    expect(() => scanned(`{"a":${'1'.repeat(70_000)}}`, 1000)).toThrow('a number is too long');
    expect(() => scanned(`{"${'a'.repeat(70_000)}":1}`, 1000)).toThrow('a name is too long');
  });
});

describe('strings', () => {
  it('are edited with the names of their members, as are nested names', () => {
    const text =
      '{"a":"1","b":{"a":"2","list":["3",{"a":4},"5"],"a\\/":"\\u0036\\""},"c":["7"],"d":{"a":{"e":"8"}}}';
    const edit: Edit = (string, name) =>
      /^[a-z]/.test(string) ? string.toUpperCase() : `${name ?? '-'}=${string}`;
    for (const length of [1, 4, 200]) {
      expect(scanned(text, length, edit)).toBe(
        '{"a":"a=1","b":{"A":"a=2","LIST":["-=3",{"A":4},"-=5"],"A/":"a/=6\\""},"c":["-=7"],"d":{"A":{"E":"e=8"}}}',
      );
    }
  });

  it('are edited across arriving pieces and buffered pieces', () => {
    const secret = 'canary-1234';
    const gap = '🚕\\n"x'.repeat(1997);
    const text = JSON.stringify({ a: `${gap}${secret}`.repeat(100) });
    const clean = text.replaceAll(secret, '*');
    for (const length of [997, 65_536, text.length]) {
      expect(scanned(text, length, (part) => part.replaceAll(secret, '*'))).toBe(clean);
    }
  });
});
