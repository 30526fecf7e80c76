import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printJson } from '../../src/json/print.ts';
import { checkRows } from '../support/rows.ts';
import { execute } from './local-execution-support.ts';

describe('a leaf', () => {
  const of = (type: string, value: string) =>
    execute('{ v }', {
      sdl: `scalar Any enum E { A B } type Query { v: ${type} }`,
      data: `{"v":${value}}`,
    });

  it('is printed according to its type', () =>
    checkRows<[type: string, value: string, result: string]>(
      [
        ['Float', '1.0', '1.0'],
        ['Float', '1e2', '1e2'],
        ['Float', '-0', '-0'],
        ['Float', '12345678901234567890.50', '12345678901234567890.50'],
        ['Float', '"1.5"', '1.5'],
        ['Float', 'true', '1'],
        ['Int', '7', '7'],
        ['Int', '1.0', '1.0'],
        ['Int', '1e2', '1e2'],
        ['Int', '-0', '-0'],
        ['Int', '"7"', '7'],
        ['String', '"a\\n\\u0041"', '"a\\nA"'],
        ['String', '1.0', '"1.0"'],
        ['String', '1234567890123456789', '"1234567890123456789"'],
        ['String', 'true', '"true"'],
        ['ID', '1234567890123456789', '"1234567890123456789"'],
        ['ID', '"7"', '"7"'],
        ['Boolean', 'false', 'false'],
        ['Boolean', '1', 'true'],
        [
          'Any',
          '{"b":1.0,"a":[1e2,null,{"c":-0}],"__proto__":1}',
          '{"b":1.0,"a":[1e2,null,{"c":-0}],"__proto__":1}',
        ],
        ['Any', '[12345678901234567890]', '[12345678901234567890]'],
        ['E', '"A"', '"A"'],
        ['[E!]', '["A","B"]', '["A","B"]'],
        ['[Float!]!', '[1.0,1e2]', '[1.0,1e2]'],
        ['[[Float]]', '[[1.0],null,[null,1.50]]', '[[1.0],null,[null,1.50]]'],
        ...['Int', 'Float', 'String', 'ID', 'Boolean', 'Any', 'E', '[Int]'].map(
          (type): [string, string, string] => [type, 'null', 'null'],
        ),
      ],
      async ([type, value, result]) => {
        const { json, errors } = await of(type, value);
        expect(errors).toEqual([]);
        expect(printJson(json)).toBe(`{"data":{"v":${result}}}`);
      },
    ));

  it('keeps the digits of any number', async () => {
    const digits = fc.stringMatching(
      /^-?(?:0|[1-9][0-9]{0,24})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,2})?$/,
    );
    const property = fc.asyncProperty(digits, async (text) => {
      for (const type of ['Float', 'Any', 'Float!']) {
        expect(printJson((await of(type, text)).json)).toBe(`{"data":{"v":${text}}}`);
      }
    });
    await fc.assert(property, { seed: 20261121, numRuns: 50 });
  });

  it('of another type is an error', () =>
    checkRows(
      [
        ['Int', '1.5', 'Int cannot represent non-integer value: 1.5'],
        ['Int', '2147483648', 'Int cannot represent non 32-bit signed integer value: 2147483648'],
        ['Int', '"a"', 'Int cannot represent non-integer value: "a"'],
        ['Float', '"a"', 'Float cannot represent non numeric value: "a"'],
        ['Float', '{}', 'Float cannot represent non numeric value: {}'],
        ['String', '{"a":1}', 'String cannot represent value: { a: 1 }'],
        ['String', '["a"]', 'String cannot represent value: ["a"]'],
        ['ID', '1.5', 'ID cannot represent value: 1.5'],
        ['Boolean', '"true"', 'Boolean cannot represent a non boolean value: "true"'],
        ['E', '"C"', 'Enum "E" cannot represent value: "C"'],
        ['E', '1', 'Query.v is an enum in the schema, but not in the data.'],
        ['[Int]', '1', 'Query.v is a list in the schema, but not in the data.'],
        ['[Int]', '{}', 'Query.v is a list in the schema, but not in the data.'],
        ['[[Int]]', '[[1],2]', 'Query.v is a list in the schema, but not in the data.'],
        ['Int!', 'null', 'Cannot return null for non-nullable field Query.v.'],
        ['[Int!]', '[1,null]', 'Cannot return null for non-nullable field Query.v.'],
      ],
      async ([type, value, message]) => {
        const { data, errors } = await of(type, value);
        expect(errors.map(({ message }) => message)).toEqual(
          message === undefined ? [] : [message],
        );
        if (message !== undefined && type.endsWith('!')) expect(data).toBeUndefined();
        else
          expect(data && printJson(data)).toBe(
            message === undefined ? '{"v":"1.5"}' : '{"v":null}',
          );
      },
    ));
});

describe('a default of the schema', () => {
  const sdl = `scalar Long
    input In { l: Long = 9007199254740993 f: Float = 1.10 }
    type Query { f(id: Long = 9007199254740993): T  n(first: Int = 3): Int }
    type Mutation { m(in: In): M }
    type M { l: Long f: Float }
    type T { id: Long }`;
  const data = '{"f":[{"id":9007199254740992},{"id":9007199254740993}]}';

  it('keeps its digits', async () => {
    const found = await execute('{ f { id } }', { sdl, data });
    expect(printJson(found.json)).toBe('{"data":{"f":{"id":9007199254740993}}}');
    const made = await execute('mutation { m(in: {}) { l f } }', { sdl, data });
    expect(printJson(made.json)).toBe('{"data":{"m":{"l":9007199254740993,"f":1.10}}}');
  });

  it('is part of the introspection', async () => {
    const text = '{ __type(name: "Query") { fields { args { defaultValue } } } }';
    const { errors, json } = await execute(text, { sdl, data });
    expect(errors).toEqual([]);
    expect(printJson(json)).toContain('{"defaultValue":"3"}');
  });
});
