import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type GivenValue, readVariables, type Variables } from '../../src/graphql/variables.ts';
import { printJson } from '../../src/json/print.ts';
import { failureOf, operationOf, parseObject, schemaOf } from './support.ts';

/** `key=text`; in an uploaded one the text is the file. */
interface Given {
  readonly literal?: readonly string[];
  readonly string?: readonly string[];
  readonly file?: readonly string[];
  readonly json?: string;
  readonly uploads?: readonly string[];
}

const split = (text: string): [string, string] => {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
};

/** The variables of an operation that declares these. */
function read(declared: string, given: Given, schema?: GraphQLSchema): Variables {
  const values = (['literal', 'string', 'file'] as const).flatMap((origin) =>
    (given[origin] ?? []).map((text): GivenValue => {
      const [key, value] = split(text);
      return { key, text: value, origin };
    }),
  );
  const uploads = (given.uploads ?? []).map((text) => {
    const [key, file] = split(text);
    return { key, file };
  });
  const json = given.json === undefined ? undefined : parseObject(given.json);
  const header = declared === '' ? '' : `(${declared})`;
  return readVariables(operationOf(`query ${header} { a }`), { json, values, uploads }, schema);
}

const readJson = (...given: Parameters<typeof read>): string => printJson(read(...given).json);

const SCHEMA = schemaOf(`
  type Query { a(in: In, one: One, deep: [[In!]]): Int }
  enum Kind { PAID REFUND true_ }
  input In { n: Int, s: String, f: Float, id: ID, k: Kind, list: [String!], in: In, file: Upload }
  input One @oneOf { id: ID, name: String }
  scalar Upload
  scalar Json`);

describe('a value', () => {
  // By origin: a literal (-F), a string (-f), and what a file holds; undefined is a failure.
  it.each<[type: string, text: string, literal?: string, string?: string, file?: string]>([
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
  ])('for %s: %j', async (type, text, ...wanted) => {
    for (const [at, origin] of (['literal', 'string', 'file'] as const).entries()) {
      const given = () => readJson(`$v: ${type}`, { [origin]: [`v=${text}`] });
      if (wanted[at] !== undefined) expect(given()).toBe(`{"v":${wanted[at]}}`);
      else expect((await failureOf(given)).code).toBe('usage');
    }
  });

  function repeated(text: string): [string, string, string] {
    return [text, text, text];
  }

  it.each(['Int', 'Float', 'Boolean'])('for %s may be null, as a literal', (type) => {
    expect(readJson(`$v: ${type}`, { literal: ['v=null'] })).toBe('{"v":null}');
  });

  it.each([
    ['Int', '1.5', 'Int cannot represent non-integer value: 1.5'],
    ['Int', '2147483648', 'Int cannot represent non 32-bit signed integer value: 2147483648'],
    ['Float', 'x', 'Float cannot represent non numeric value: "x"'],
    ['Boolean', '1', 'Boolean cannot represent a non boolean value: 1'],
    ['Int!', 'null', '"$v" of non-null type "Int!" must not be null'],
  ])('for %s that is %j is told', async (type, text, message) => {
    const error = await failureOf(() => read(`$v: ${type}`, { literal: [`v=${text}`] }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
    expect(error.details.hint).toContain('-F');
  });

  it('keeps the digits that any number has', () => {
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
  it.each<[type: string, given: Given, json: string]>([
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
  ])('%s of %j', (type, given, json) => {
    for (const schema of [undefined, SCHEMA]) {
      expect(readJson(`$v: ${type}`, given, schema)).toBe(`{"v":${json}}`);
    }
  });

  it.each<[string, Given, string]>([
    ['[Int]', { literal: ['v=a'] }, '"a" at "v[0]"'],
    ['[Int!]', { literal: ['v[]=1', 'v[]=null'] }, 'null at "v[1]"'],
    ['[String]', { literal: ['v=[1,2]'] }, 'non string value: 1 (and 1 more)'],
    ['Int', { literal: ['v[]=1'] }, 'Int cannot represent'],
  ])('%s is not %j', async (type, given, message) => {
    const error = await failureOf(() => read(`$v: ${type}`, given));
    expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(message)]);
  });
});

describe('an input object', () => {
  it.each<[given: Given, json: string]>([
    [{ literal: ['v={"n":1,"s":"a"}'] }, '{"n":1,"s":"a"}'],
    [{ file: ['v={"n": 1}\n'] }, '{"n":1}'],
    [{ literal: ['v[n]=1', 'v[s]=1', 'v[f]=1.0', 'v[id]=1'] }, '{"n":1,"s":"1","f":1.0,"id":"1"}'],
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
  ])('of %j', async (given, json) => {
    const call = () => readJson('$v: In', given, SCHEMA);
    if (json !== '') expect(call()).toBe(`{"v":${json}}`);
    else expect((await failureOf(call)).code).toBe('usage');
  });

  it.each<[literal: string[], json: string]>([
    [['v[][n]=1', 'v[][s]=a', 'v[][n]=2'], '[{"n":1,"s":"a"},{"n":2}]'],
    [['v[][n]=1', 'v[][n]=2', 'v[][s]=3'], '[{"n":1},{"n":2,"s":"3"}]'],
    [['v[][in][n]=1', 'v[][in][n]=2'], '[{"in":{"n":1}},{"in":{"n":2}}]'],
    [['v[][list][]=1', 'v[][n]=1'], '[{"list":["1"],"n":1}]'],
    [['v[]={"n":1}', 'v[][s]=a'], '[{"n":1,"s":"a"}]'],
    [['v[][s]=a', 'v[]={"n":1}'], '[{"s":"a"},{"n":1}]'],
    [['v={"n":1}'], '[{"n":1}]'],
  ])('in a list, of %j', (literal, json) => {
    expect(readJson('$v: [In!]!', { literal }, SCHEMA)).toBe(`{"v":${json}}`);
  });

  it('in lists of lists', () => {
    const literal = ['v[][][n]=1', 'v[][][n]=2'];
    expect(readJson('$v: [[In!]]', { literal }, SCHEMA)).toBe('{"v":[[{"n":1}],[{"n":2}]]}');
  });

  it.each([
    [['v[id]=1'], '{"id":"1"}'],
    [['v[name]=1'], '{"name":"1"}'],
    [['v[id]=1', 'v[name]=2'], 'Exactly one key must be specified for OneOf type "One".'],
    [['v={}'], 'Exactly one key must be specified for OneOf type "One".'],
    [['v[id]=null'], 'Field "id" must be non-null.'],
  ])('with one field alone, of %j', async (literal, outcome) => {
    const call = () => readJson('$v: One', { literal }, SCHEMA);
    if (outcome.startsWith('{')) expect(call()).toBe(`{"v":${outcome}}`);
    else expect((await failureOf(call)).message).toContain(outcome);
  });
});

describe('an enum', () => {
  it.each<[given: Given, outcome: string]>([
    [{ literal: ['v=PAID'] }, '"PAID"'],
    [{ literal: ['v="PAID"'] }, '"PAID"'],
    [{ string: ['v=PAID'] }, '"PAID"'],
    [{ literal: ['v=true_'] }, '"true_"'],
    [{ literal: ['v=null'] }, 'null'],
    [{ string: ['v=null'] }, 'Value "null" does not exist in "Kind" enum.'],
    [{ literal: ['v=paid'] }, 'Value "paid" does not exist in "Kind" enum. Did you mean'],
    [{ literal: ['v=1'] }, 'Value "1" does not exist in "Kind" enum.'],
    [{ json: '{"v":1}' }, 'Enum "Kind" cannot represent non-string value: 1.'],
  ])('of %j', async (given, outcome) => {
    const call = () => readJson('$v: Kind', given, SCHEMA);
    if (/^["n]/.test(outcome)) expect(call()).toBe(`{"v":${outcome}}`);
    else expect((await failureOf(call)).message).toContain(outcome);
  });
});

describe('a type that nobody knows', () => {
  it.each<[given: Given, json: string]>([
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
  ])('takes %j', (given, json) => {
    expect(readJson('$v: Thing!', given)).toBe(`{"v":${json}}`);
  });

  it('is a fault where a schema is known', async () => {
    for (const type of ['Thing', '[Thing!]', 'Query']) {
      const error = await failureOf(() => read(`$v: ${type}`, { literal: ['v=1'] }, SCHEMA));
      expect(error.code).toBe('usage');
      expect(error.message).toContain('cannot be used as an input type');
    }
  });

  it('may be one of those that describe a schema', () => {
    expect(readJson('$v: __TypeKind', { literal: ['v=OBJECT'] })).toBe('{"v":"OBJECT"}');
  });
});

describe('what is declared', () => {
  it.each<[declared: string, given: Given, message: string, hint: string]>([
    ['', { literal: ['v=1'] }, 'declares no variable $v', 'it declares none'],
    ['$a: Int = 1', { literal: ['v=1'] }, 'declares no variable $v', '$a: Int = 1'],
    ['$a: Int, $b: [ID!]!', { json: '{"v":1}' }, 'no variable $v', '$a: Int, $b: [ID!]!'],
    ['$a: Int', { uploads: ['v=x.png'] }, 'declares no variable $v', '$a: Int'],
    ['$a: Int', { literal: ['A=1'] }, 'declares no variable $A', '$a: Int'],
    ['$v: Int!', {}, '"$v" of required type "Int!" was not provided', '-F'],
    ['$v: Int!, $w: Int!', {}, 'was not provided. (and 1 more)', '-F'],
    ['$v: In!', { json: '{}' }, '"$v" of required type "In!" was not provided', '-F'],
    ['$v: Int! = 1', { literal: ['v=null'] }, 'must not be null', '-F'],
  ])('%j is not %j', async (declared, given, message, hint) => {
    const { code, message: told, details } = await failureOf(() => read(declared, given));
    expect([code, told]).toEqual(['usage', expect.stringContaining(message)]);
    expect(details.hint).toContain(hint);
  });

  it.each<[string, Given, string]>([
    ['', {}, '{}'],
    ['$v: Int', {}, '{}'],
    ['$v: Int! = 5', {}, '{}'],
    ['$v: Int! = 5', { literal: ['v=6'] }, '{"v":6}'],
    ['$v: Int, $w: Int = 1', { literal: ['w=null'] }, '{"w":null}'],
  ])('%j may be %j', (declared, given, json) => {
    expect(readJson(declared, given)).toBe(json);
  });
});

describe('single values and --variables', () => {
  it.each<[declared: string, given: Given, json: string]>([
    ['$a: Int, $b: Int', { json: '{"a":1.0,"b":2}', literal: ['b=3'] }, '{"a":1.0,"b":3}'],
    ['$a: Int, $b: Int', { json: '{"b":2}', literal: ['a=1'] }, '{"b":2,"a":1}'],
    ['$a: T', { json: '{"a":{"x":1,"y":2}}', literal: ['a[y]=3'] }, '{"a":{"x":1,"y":3}}'],
    ['$a: T', { json: '{"a":{"x":{"y":1}}}', literal: ['a[x][z]=2'] }, '{"a":{"x":{"y":1,"z":2}}}'],
    ['$a: [Int]', { json: '{"a":[1]}', literal: ['a[]=2'] }, '{"a":[1,2]}'],
    ['$a: T', { json: '{"a":null}', literal: ['a[x]=1'] }, '{"a":{"x":1}}'],
    ['$a: T', { json: '{"a":{"x":1}}', literal: ['a=2'] }, '{"a":2}'],
    ['$a: T', { json: '{"a":{"f":"x"}}', uploads: ['a[f]=b.png'] }, '{"a":{"f":null}}'],
  ])('%s: %j', (declared, given, json) => {
    expect(readJson(declared, given)).toBe(json);
  });
});

describe('a key', () => {
  it.each(['', '=', 'v[', 'v]', 'v[a', '[a]', '[]', 'v[a]b', 'v[[a]]', 'v[]]'])(
    'cannot be %j',
    async (key) => {
      const values: GivenValue[] = [{ key, text: '1', origin: 'literal' }];
      const call = () => readVariables(operationOf('query ($v: T) { a }'), { values });
      expect((await failureOf(call)).code).toBe('usage');
    },
  );

  it.each<[Given, string]>([
    [{ literal: ['v=1', 'v=2'] }, 'v is given twice'],
    [{ literal: ['v=1'], string: ['v=1'] }, 'v is given twice'],
    [{ literal: ['v[a]=1', 'v[a]=2'] }, 'v[a] is given twice'],
    [{ literal: ['v=1'], uploads: ['v=f'] }, 'v is given twice'],
    [{ uploads: ['v=f', 'v=g'] }, 'v is given twice'],
    [{ literal: ['v[]=1', 'v[a]=2'] }, 'v is given as an object, and'],
    [{ literal: ['v[a]=1', 'v[]=2'] }, 'v is given as a list, and'],
    [{ literal: ['v=1', 'v[a]=2'] }, 'v[a] is a part of what v gives'],
    [{ literal: ['v=1', 'v[]=2'] }, 'v[] is a part of what v gives'],
    [{ literal: ['v[a]=1', 'v[a][b]=2'] }, 'v[a][b] is a part of what v[a] gives'],
    [{ json: '{"v":[1]}', literal: ['v[a]=2'] }, 'v is given as an object, and'],
    [{ literal: ['v[a][]=1', 'v[a][b]=2'] }, 'v.a is given as an object, and'],
  ])('contradicts another: %j', async (given, message) => {
    const error = await failureOf(() => read('$v: T', given));
    expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(message)]);
  });

  // The other order of what is refused above.
  it.each<Given>([
    { literal: ['v[a]=1', 'v=2'] },
    { literal: ['v[]=1', 'v=2'] },
    { literal: ['v[a][b]=1', 'v[a]=2'] },
    { literal: ['v[a]=1'], uploads: ['v=f'] },
    { uploads: ['v[a]=f', 'v=g'] },
    { uploads: ['v=f', 'v[a]=g'] },
  ])('contradicts one before, and nothing is lost: %j', async (given) => {
    expect((await failureOf(() => read('$v: T', given))).code).toBe('usage');
  });

  it.each([
    ['__proto__=1', '{"__proto__":1}'],
    ['constructor=1', '{"constructor":1}'],
    ['v[__proto__][x]=1', '{"v":{"__proto__":{"x":1}}}'],
    ['v[constructor][prototype]=1', '{"v":{"constructor":{"prototype":1}}}'],
    ['v[][__proto__]=1', '{"v":[{"__proto__":1}]}'],
    ['v={"__proto__":{"x":1}}', '{"v":{"__proto__":{"x":1}}}'],
    ['v[a b.c-d "é]=1', '{"v":{"a b.c-d \\"é":1}}'],
  ])('is a name like any other: %s', (text, json) => {
    const declared = '$v: T, $__proto__: Int, $constructor: Int';
    expect(readJson(declared, { literal: [text] })).toBe(json);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it.each(['__proto__', 'constructor', 'toString'])('is no field by accident: %s', async (name) => {
    const call = () => read('$v: In', { literal: [`v[${name}]=1`] }, SCHEMA);
    expect((await failureOf(call)).message).toContain(`Field "${name}" is not defined`);
    const missing = () => read(`$${name}: Int!`, {});
    expect((await failureOf(missing)).message).toContain('was not provided');
  });
});

describe('an upload', () => {
  it.each<[declared: string, given: Given, json: string, paths: string[]]>([
    ['$f: Upload!', { uploads: ['f=a'] }, '{"f":null}', ['f a']],
    ['$f: [Upload!]!', { uploads: ['f[]=a', 'f[]=b'] }, '{"f":[null,null]}', ['f.0 a', 'f.1 b']],
    ['$f: [Upload]', { uploads: ['f[]=a', 'f[]=a'] }, '{"f":[null,null]}', ['f.0 a', 'f.1 a']],
    [
      '$v: In, $n: Int',
      { literal: ['v[n]=1', 'n=2'], uploads: ['v[file]=a'] },
      '{"v":{"n":1,"file":null},"n":2}',
      ['v.file a'],
    ],
    [
      '$v: [In!]',
      { literal: ['v[][n]=1', 'v[][n]=2'], uploads: ['v[][file]=a'] },
      '{"v":[{"n":1},{"n":2,"file":null}]}',
      ['v.1.file a'],
    ],
    [
      '$v: In, $f: Upload',
      { json: '{"v":{"in":{"s":null}}}', uploads: ['f=b', 'v[in][file]=a'] },
      '{"v":{"in":{"s":null,"file":null}},"f":null}',
      ['f b', 'v.in.file a'],
    ],
    [
      '$f: [[Upload]]',
      { uploads: ['f[][]=a', 'f[][]=b'] },
      '{"f":[[null],[null]]}',
      ['f.0.0 a', 'f.1.0 b'],
    ],
    ['$__proto__: Upload', { uploads: ['__proto__=a'] }, '{"__proto__":null}', ['__proto__ a']],
  ])('%s %j', (declared, given, json, paths) => {
    for (const schema of [undefined, SCHEMA]) {
      const { json: read_, uploads } = read(declared, given, schema);
      expect(printJson(read_)).toBe(json);
      expect(uploads.map(({ path, file }) => `${path} ${file}`)).toEqual(
        paths.map((path) => `variables.${path}`),
      );
    }
  });

  it('is none where only values are given', () => {
    expect(read('$v: T', { literal: ['v=null'] }).uploads).toEqual([]);
  });
});

describe('objects in a list', () => {
  it.each([
    [['v[][a]=1', 'v[][b]=2'], '[{"a":1,"b":2}]'],
    [['v[][a]=1', 'v[][b]=2', 'v[][a]=3'], '[{"a":1,"b":2},{"a":3}]'],
    [['v[][a]=1', 'v[][l][]=2', 'v[][l][]=3', 'v[][a]=4'], '[{"a":1,"l":[2,3]},{"a":4}]'],
    [['v[][o][x]=1', 'v[][o][y]=2', 'v[][o][x]=3'], '[{"o":{"x":1,"y":2}},{"o":{"x":3}}]'],
    [['v[]=1', 'v[][a]=2', 'v[]=3'], '[1,{"a":2},3]'],
  ])('from %j', (literal, json) => {
    expect(printJson(read('$v: T', { literal }).json)).toBe(`{"v":${json}}`);
  });
});

describe('items of a list that is there', () => {
  it('are named by their numbers', () => {
    const { json } = read('$v: T', { json: '{"v":[1,{"a":2}]}', literal: ['v[0]=9', 'v[1][b]=3'] });
    expect(printJson(json)).toBe('{"v":[9,{"a":2,"b":3}]}');
  });

  it('may be where files belong', () => {
    const given = { literal: ['v[][n]=a', 'v[][n]=b'], uploads: ['v[1][f]=two', 'v[0][f]=one'] };
    const { json, uploads } = read('$v: T', given);
    expect(printJson(json)).toBe('{"v":[{"n":"a","f":null},{"n":"b","f":null}]}');
    expect(uploads).toEqual([
      { path: 'variables.v.1.f', file: 'two' },
      { path: 'variables.v.0.f', file: 'one' },
    ]);
  });

  it('are not made by a number', async () => {
    const given = { json: '{"v":[1]}', literal: ['v[1]=2'] };
    const { code, message } = await failureOf(() => read('$v: T', given));
    expect([code, message]).toEqual([
      'usage',
      expect.stringContaining('v is given as an object, and'),
    ]);
  });
});
