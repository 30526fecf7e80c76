import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRows } from '../support/rows.ts';
import { failureOf } from './support.ts';
import { type Given, read, readJson, SCHEMA } from './variables-support.ts';

describe('a value', () => {
  // By origin: a literal (-F), a string (-f), and the content of a file. Undefined means a failure.
  it('is typed by its declaration and by its origin', () =>
    checkRows<[type: string, text: string, literal?: string, string?: string, file?: string]>(
      [
        ['String', 'a b', '"a b"', '"a b"', '"a b"'],
        ['String', '', '""', '""', '""'],
        ['String!', '123', '"123"', '"123"', '"123"'],
        ['String', '1e2', '"1e2"', '"1e2"', '"1e2"'],
        ['String', 'true', '"true"', '"true"', '"true"'],
        ['String', '"a\\n\\"b"', '"a\\n\\"b"', '"\\"a\\\\n\\\\\\"b\\""', '"\\"a\\\\n\\\\\\"b\\""'],
        ['String', '[1, {}]', '"[1, {}]"', '"[1, {}]"', '"[1, {}]"'],
        ['String', '{"a":1}', '"{\\"a\\":1}"', '"{\\"a\\":1}"', '"{\\"a\\":1}"'],
        ['String', 'a\r\n', '"a\\r\\n"', '"a\\r\\n"', '"a\\r\\n"'],
        ['String', '杭州 🚕', '"杭州 🚕"', '"杭州 🚕"', '"杭州 🚕"'],
        ['String', 'null', 'null', '"null"', '"null"'],
        ['String!', 'null', '"null"', '"null"', '"null"'],
        ['ID', '123', '"123"', '"123"', '"123"'],
        ['ID', '1.0', '"1.0"', '"1.0"', '"1.0"'],
        ['ID!', '"7"', '"7"', '"\\"7\\""', '"\\"7\\""'],
        ['ID', 'null', 'null', '"null"', '"null"'],
        ['ID!', 'null', '"null"', '"null"', '"null"'],
        ['Int', '5', '5', '5', '5'],
        ['Int', '5\n', '5', '5', '5'],
        ['Int', '-0', '-0', '-0', '-0'],
        ['Int', '2147483647', '2147483647', '2147483647', '2147483647'],
        ['Int', '-2147483648', '-2147483648', '-2147483648', '-2147483648'],
        ['Int', '2147483648'],
        ['Int', '-2147483649'],
        ['Int', '9007199254740993'],
        ['Int', '1.5'],
        ['Int', '05'],
        ['Int', '+5'],
        ['Int', '0x5'],
        ['Int', ''],
        ['Int', '"5"'],
        ['Int', 'true'],
        ['Int', '[]'],
        ['Int!', 'null'],
        ['Float', '1.0', '1.0', '1.0', '1.0'],
        ['Float', '1e2', '1e2', '1e2', '1e2'],
        ['Float', '1E-2', '1E-2', '1E-2', '1E-2'],
        ['Float', '-0', '-0', '-0', '-0'],
        ['Float', '-0.0', '-0.0', '-0.0', '-0.0'],
        ['Float', '1234567890123456789', ...repeated('1234567890123456789')],
        ['Float', '0.1000000000000000055', ...repeated('0.1000000000000000055')],
        ['Float', '1e999'],
        ['Float', '.5'],
        ['Float', 'NaN'],
        ['Float', '"1.0"'],
        ['Float!', 'null'],
        ['Boolean', 'true', 'true', 'true', 'true'],
        ['Boolean', 'false\n', 'false', 'false', 'false'],
        ['Boolean', '1'],
        ['Boolean', '0'],
        ['Boolean', 'TRUE'],
        ['Boolean', 'yes'],
        ['Boolean', '"true"'],
        ['Boolean!', 'null'],
      ],
      async ([type, text, ...wanted]) => {
        for (const [at, origin] of (['literal', 'string', 'file'] as const).entries()) {
          const given = () => readJson(`$v: ${type}`, { [origin]: [`v=${text}`] });
          if (wanted[at] !== undefined) expect(given()).toBe(`{"v":${wanted[at]}}`);
          else expect((await failureOf(given)).code).toBe('usage');
        }
      },
    ));

  function repeated(text: string): [string, string, string] {
    return [text, text, text];
  }

  it.each(['Int', 'Float', 'Boolean'])('for %s may be null, as a literal', (type) => {
    expect(readJson(`$v: ${type}`, { literal: ['v=null'] })).toBe('{"v":null}');
  });

  it('that does not fit is reported with its reason', () =>
    checkRows(
      [
        ['Int', '1.5', 'Int cannot represent non-integer value: 1.5'],
        ['Int', '2147483648', 'Int cannot represent non 32-bit signed integer value: 2147483648'],
        ['Float', 'x', 'Float cannot represent non numeric value: "x"'],
        ['Boolean', '1', 'Boolean cannot represent a non boolean value: 1'],
        ['Int!', 'null', '"$v" of non-null type "Int!" must not be null'],
      ],
      async ([type, text, message]) => {
        const error = await failureOf(() => read(`$v: ${type}`, { literal: [`v=${text}`] }));
        expect(error.code).toBe('usage');
        expect(error.message).toContain(message);
        expect(error.details.hint).toContain('-F');
      },
    ));

  it('keeps the digits of any number', () => {
    const digits = fc.stringMatching(
      /^-?(?:0|[1-9][0-9]{0,24})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,2})?$/,
    );
    const property = fc.property(digits, (text) => {
      expect(readJson('$v: Float', { literal: [`v=${text}`] })).toBe(`{"v":${text}}`);
      expect(readJson('$v: [[Float]]', { literal: [`v[]=[${text}]`] })).toBe(`{"v":[[${text}]]}`);
      expect(readJson('$v: In', { literal: [`v[f]=${text}`] }, SCHEMA)).toBe(`{"v":{"f":${text}}}`);
      expect(readJson('$v: Money', { json: `{"v":${text}}` })).toBe(`{"v":${text}}`);
    });
    fc.assert(property, { seed: 20261121, numRuns: 200 });
  });
});

describe('a list', () => {
  it('is built from keys, literals and files', () =>
    checkRows<[type: string, given: Given, json: string]>(
      [
        ['[Int]', { literal: ['v=1'] }, '[1]'],
        ['[Int]', { literal: ['v[]=1'] }, '[1]'],
        ['[Int!]!', { literal: ['v[]=1', 'v[]=2'], string: ['v[]=3'] }, '[1,2,3]'],
        ['[Int]', { literal: ['v=[1, 2.0, 1e2]'] }, '[1,2.0,1e2]'],
        ['[Int]', { literal: ['v=[]'] }, '[]'],
        ['[Int]', { literal: ['v=null'] }, 'null'],
        ['[Int]', { literal: ['v[]=null', 'v[]=1'] }, '[null,1]'],
        ['[Int]', { file: ['v=[1,\n2]\n'] }, '[1,2]'],
        ['[String!]', { literal: ['v[]=1', 'v[]=a'], string: ['v[]="b"'] }, '["1","a","\\"b\\""]'],
        ['[String]', { literal: ['v=["a","b"]'] }, '["a","b"]'],
        ['[String]', { string: ['v=["a","b"]'] }, '["[\\"a\\",\\"b\\"]"]'],
        ['[String]', { literal: ['v=1'] }, '["1"]'],
        ['[ID]', { literal: ['v=12345678901234567890'] }, '["12345678901234567890"]'],
        ['[[Int]]', { literal: ['v=1'] }, '[[1]]'],
        ['[[Int]]', { literal: ['v=[[1],[2,3]]'] }, '[[1],[2,3]]'],
        ['[[Int]]', { literal: ['v[]=[1,2]', 'v[]=3'] }, '[[1,2],[3]]'],
        ['[[Int]]', { literal: ['v[][]=1', 'v[][]=2'] }, '[[1],[2]]'],
        ['[[[String]]]', { literal: ['v[][][]=1'] }, '[[["1"]]]'],
        ['Json', { literal: ['v[]=1', 'v[]=a', 'v[][x]=2'] }, '[1,"a",{"x":2}]'],
        ['[Json]', { literal: ['v=[1]'] }, '[1]'],
        ['[Json]', { literal: ['v={"a":1}'] }, '[{"a":1}]'],
      ],
      ([type, given, json]) => {
        for (const schema of [undefined, SCHEMA]) {
          expect(readJson(`$v: ${type}`, given, schema)).toBe(`{"v":${json}}`);
        }
      },
    ));

  it('with invalid items is rejected', () =>
    checkRows<[string, Given, string]>(
      [
        ['[Int]', { literal: ['v=a'] }, '"a" at "v[0]"'],
        ['[Int!]', { literal: ['v[]=1', 'v[]=null'] }, 'null at "v[1]"'],
        ['[String]', { literal: ['v=[1,2]'] }, 'non string value: 1 (and 1 more)'],
        ['Int', { literal: ['v[]=1'] }, 'Int cannot represent'],
      ],
      async ([type, given, message]) => {
        const error = await failureOf(() => read(`$v: ${type}`, given));
        expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(message)]);
      },
    ));
});

describe('an input object', () => {
  it('is built from keys, literals and files', () =>
    checkRows<[given: Given, json: string]>(
      [
        [{ literal: ['v={"n":1,"s":"a"}'] }, '{"n":1,"s":"a"}'],
        [{ file: ['v={"n": 1}\n'] }, '{"n":1}'],
        [
          { literal: ['v[n]=1', 'v[s]=1', 'v[f]=1.0', 'v[id]=1'] },
          '{"n":1,"s":"1","f":1.0,"id":"1"}',
        ],
        [{ string: ['v[n]=1', 'v[s]=null'] }, '{"n":1,"s":"null"}'],
        [{ literal: ['v[s]=null'] }, '{"s":null}'],
        [{ literal: ['v[in][in][s]=1', 'v[in][n]=2'] }, '{"in":{"in":{"s":"1"},"n":2}}'],
        [{ literal: ['v[list][]=1', 'v[list][]=2'] }, '{"list":["1","2"]}'],
        [{ literal: ['v[list]=1'] }, '{"list":["1"]}'],
        [{ literal: ['v[k]=PAID'] }, '{"k":"PAID"}'],
        [{ literal: ['v[n]=1'], string: ['v[in]={"n":1}'] }, ''],
        [{ literal: ['v={"n":"1"}'] }, ''],
        [{ literal: ['v[x]=1'] }, ''],
        [{ literal: ['v[n]=a'] }, ''],
        [{ string: ['v={"n":1}'] }, ''],
        [{ literal: ['v=5'] }, ''],
      ],
      async ([given, json]) => {
        const call = () => readJson('$v: In', given, SCHEMA);
        if (json !== '') expect(call()).toBe(`{"v":${json}}`);
        else expect((await failureOf(call)).code).toBe('usage');
      },
    ));

  it('in a list starts a new item when a key repeats', () =>
    checkRows<[literal: string[], json: string]>(
      [
        [['v[][n]=1', 'v[][s]=a', 'v[][n]=2'], '[{"n":1,"s":"a"},{"n":2}]'],
        [['v[][n]=1', 'v[][n]=2', 'v[][s]=3'], '[{"n":1},{"n":2,"s":"3"}]'],
        [['v[][in][n]=1', 'v[][in][n]=2'], '[{"in":{"n":1}},{"in":{"n":2}}]'],
        [['v[][list][]=1', 'v[][n]=1'], '[{"list":["1"],"n":1}]'],
        [['v[]={"n":1}', 'v[][s]=a'], '[{"n":1,"s":"a"}]'],
        [['v[][s]=a', 'v[]={"n":1}'], '[{"s":"a"},{"n":1}]'],
        [['v={"n":1}'], '[{"n":1}]'],
      ],
      ([literal, json]) => {
        expect(readJson('$v: [In!]!', { literal }, SCHEMA)).toBe(`{"v":${json}}`);
      },
    ));

  it('in lists of lists', () => {
    const literal = ['v[][][n]=1', 'v[][][n]=2'];
    expect(readJson('$v: [[In!]]', { literal }, SCHEMA)).toBe('{"v":[[{"n":1}],[{"n":2}]]}');
  });

  it('of @oneOf has exactly one field', () =>
    checkRows(
      [
        [['v[id]=1'], '{"id":"1"}'],
        [['v[name]=1'], '{"name":"1"}'],
        [['v[id]=1', 'v[name]=2'], 'Exactly one key must be specified for OneOf type "One".'],
        [['v={}'], 'Exactly one key must be specified for OneOf type "One".'],
        [['v[id]=null'], 'Field "id" must be non-null.'],
      ],
      async ([literal, outcome]) => {
        const call = () => readJson('$v: One', { literal }, SCHEMA);
        if (outcome.startsWith('{')) expect(call()).toBe(`{"v":${outcome}}`);
        else expect((await failureOf(call)).message).toContain(outcome);
      },
    ));
});

describe('GraphQL syntax', () => {
  it('is read where JSON fails', () =>
    checkRows<[type: string, given: string, json: string]>(
      [
        ['In', '{s: "a", k: PAID, list: ["x" "y"]}', '{"s":"a","k":"PAID","list":["x","y"]}'],
        ['In', ' { f: 1.0, in: { n: null } } ', '{"f":1.0,"in":{"n":null}}'],
        ['In', '{f: 12345678901234567890}', '{"f":12345678901234567890}'],
        ['In', '{s: """a "b" c"""}', '{"s":"a \\"b\\" c"}'],
        ['[In!]', '[{n: 1} {n: 2}]', '[{"n":1},{"n":2}]'],
        ['[In!]', '{n: 1}', '[{"n":1}]'],
        ['[Kind]', '[PAID, REFUND]', '["PAID","REFUND"]'],
        ['[Int!]', '[1 2]', '[1,2]'],
        ['Json', '{a: [true], b: X}', '{"a":[true],"b":"X"}'],
        // JSON comes first, and text stays text.
        ['In', '{"s":"$a"}', '{"s":"$a"}'],
        ['String', '{a: 1}', '"{a: 1}"'],
        ['[String]', '["[draft] of x"]', '["[draft] of x"]'],
        ['Json', 'PAID', '"PAID"'],
        ['Json', '[a-z]+', '"[a-z]+"'],
      ],
      ([type, given, json]) => {
        expect(readJson(`$v: ${type}`, { literal: [`v=${given}`] }, SCHEMA)).toBe(`{"v":${json}}`);
      },
    ));

  it('is text with -f and in files', () => {
    for (const origin of ['string', 'file']) {
      expect(readJson('$v: Json', { [origin]: ['v={a: 1}'] })).toBe('{"v":"{a: 1}"}');
    }
  });

  it('cannot contain variables', async () => {
    const call = () => read('$v: Json', { literal: ['v={a: [$x]}'] });
    const { code, message, details } = await failureOf(call);
    expect([code, message]).toEqual(['usage', 'the value {a: [$x]} contains the variable $x']);
    expect(details.hint).toContain("write the value of '$x' in its place");
  });

  it('that is wrong names the expected type', async () => {
    const wrong = async (given: string) => {
      const error = await failureOf(() => read('$v: In', { literal: [`v=${given}`] }, SCHEMA));
      return `${error.message}; ${error.details.hint}`;
    };
    expect(await wrong('s: "a"')).toMatch(
      /Expected type "In" to be an object.*-F NAME\[FIELD\]=VALUE/,
    );
    const list = async (given: string, type: string) =>
      (await failureOf(() => read(`$v: ${type}`, { literal: [`v=${given}`] }))).message;
    expect(await list("['a', 'b']", '[ID!]!')).toContain('neither JSON nor');
    expect(await list('[1, 2', '[Int]')).toContain('neither JSON nor');
    expect(await list("[{a: 'x'}]", '[In!]')).toContain('neither JSON nor');
    expect(await wrong('{s: "a"')).toMatch(/neither JSON nor .*: Syntax Error: .*; .* with -f$/);
    expect(await wrong('{in: {n: 1, n: 2}}')).toContain('"n" occurs twice');
    expect(await wrong('{s: 1}')).toContain('at "v.s"; String cannot represent a non string value');
  });
});

describe('an enum', () => {
  it('accepts only its names', () =>
    checkRows<[given: Given, outcome: string]>(
      [
        [{ literal: ['v=PAID'] }, '"PAID"'],
        [{ literal: ['v="PAID"'] }, '"PAID"'],
        [{ string: ['v=PAID'] }, '"PAID"'],
        [{ literal: ['v=true_'] }, '"true_"'],
        [{ literal: ['v=null'] }, 'null'],
        [{ string: ['v=null'] }, 'Value "null" does not exist in "Kind" enum.'],
        [{ literal: ['v=paid'] }, 'Value "paid" does not exist in "Kind" enum. Did you mean'],
        [{ literal: ['v=1'] }, 'Value "1" does not exist in "Kind" enum.'],
        [{ json: '{"v":1}' }, 'Enum "Kind" cannot represent non-string value: 1.'],
      ],
      async ([given, outcome]) => {
        const call = () => readJson('$v: Kind', given, SCHEMA);
        if (/^["n]/.test(outcome)) expect(call()).toBe(`{"v":${outcome}}`);
        else expect((await failureOf(call)).message).toContain(outcome);
      },
    ));
});

describe('a type outside the schema', () => {
  it('accepts any value', () =>
    checkRows<[given: Given, json: string]>(
      [
        [{ literal: ['v=PAID'] }, '"PAID"'],
        [{ literal: ['v=1.0'] }, '1.0'],
        [{ literal: ['v={"a": [1.0]}'] }, '{"a":[1.0]}'],
        [{ string: ['v={"a":1}'] }, '"{\\"a\\":1}"'],
        [{ string: ['v=1'] }, '"1"'],
        [{ file: ['v={"a":1}'] }, '{"a":1}'],
        [{ file: ['v=[1]'] }, '[1]'],
        [{ file: ['v=1\n'] }, '"1\\n"'],
        [{ literal: ['v[a]=1', 'v[b][c]=x', 'v[d][]=2'] }, '{"a":1,"b":{"c":"x"},"d":[2]}'],
        [{ json: '{"v":{"b":1,"a":2}}' }, '{"b":1,"a":2}'],
      ],
      ([given, json]) => {
        expect(readJson('$v: Thing!', given)).toBe(`{"v":${json}}`);
      },
    ));

  it('is an error if the schema is known', async () => {
    for (const type of ['Thing', '[Thing!]', 'Query']) {
      const error = await failureOf(() => read(`$v: ${type}`, { literal: ['v=1'] }, SCHEMA));
      expect(error.code).toBe('usage');
      expect(error.message).toContain('cannot be used as an input type');
    }
  });

  it('may be a type of the introspection', () => {
    expect(readJson('$v: __TypeKind', { literal: ['v=OBJECT'] })).toBe('{"v":"OBJECT"}');
  });
});

describe('a declaration', () => {
  it('rejects undeclared and missing values', () =>
    checkRows<[declared: string, given: Given, message: string, hint: string]>(
      [
        ['', { literal: ['v=1'] }, 'declares no variable $v', 'variables of the operation: ()'],
        ['$a: Int = 1', { literal: ['v=1'] }, 'declares no variable $v', '$a: Int = 1'],
        ['$a: Int, $b: [ID!]!', { json: '{"v":1}' }, 'no variable $v', "'$a: Int', '$b: [ID!]!'"],
        ['$a: Int', { uploads: ['v=x.png'] }, 'declares no variable $v', '$a: Int'],
        ['$a: Int', { literal: ['A=1'] }, 'declares no variable $A', '$a: Int'],
        ['$v: Int!', {}, '"$v" of required type "Int!" was not provided', '-F'],
        ['$v: Int!, $w: Int!', {}, 'was not provided. (and 1 more)', '-F'],
        ['$v: In!', { json: '{}' }, '"$v" of required type "In!" was not provided', '-F'],
        ['$v: Int! = 1', { literal: ['v=null'] }, 'must not be null', '-F NAME=VALUE'],
        ['$v: [ID!]!', {}, 'was not provided', '-F NAME[]=ITEM'],
        ['$v: [Int]', { literal: ['v[]='] }, 'Int cannot represent', '-F NAME[]=ITEM'],
      ],
      async ([declared, given, message, hint]) => {
        const { code, message: actual, details } = await failureOf(() => read(declared, given));
        expect([code, actual]).toEqual(['usage', expect.stringContaining(message)]);
        expect(details.hint).toContain(hint);
      },
    ));

  it('may have a default or be nullable', () =>
    checkRows<[string, Given, string]>(
      [
        ['', {}, '{}'],
        ['$v: Int', {}, '{}'],
        ['$v: Int! = 5', {}, '{}'],
        ['$v: Int! = 5', { literal: ['v=6'] }, '{"v":6}'],
        ['$v: Int, $w: Int = 1', { literal: ['w=null'] }, '{"w":null}'],
      ],
      ([declared, given, json]) => {
        expect(readJson(declared, given)).toBe(json);
      },
    ));
});
