import { describe, expect, it } from 'vitest';
import { type GivenValue, readVariables, uploadKey } from '../../src/graphql/variables.ts';
import { printJson } from '../../src/json/print.ts';
import { checkRows } from '../support/rows.ts';
import { failureOf, operationOf } from './support.ts';
import { type Given, read, readJson, SCHEMA } from './variables-support.ts';

describe('single values and --variables', () => {
  it('are merged', () =>
    checkRows<[declared: string, given: Given, json: string]>(
      [
        ['$a: Int, $b: Int', { json: '{"a":1.0,"b":2}', literal: ['b=3'] }, '{"a":1.0,"b":3}'],
        ['$a: Int, $b: Int', { json: '{"b":2}', literal: ['a=1'] }, '{"b":2,"a":1}'],
        ['$a: T', { json: '{"a":{"x":1,"y":2}}', literal: ['a[y]=3'] }, '{"a":{"x":1,"y":3}}'],
        [
          '$a: T',
          { json: '{"a":{"x":{"y":1}}}', literal: ['a[x][z]=2'] },
          '{"a":{"x":{"y":1,"z":2}}}',
        ],
        ['$a: [Int]', { json: '{"a":[1]}', literal: ['a[]=2'] }, '{"a":[1,2]}'],
        ['$a: T', { json: '{"a":null}', literal: ['a[x]=1'] }, '{"a":{"x":1}}'],
        ['$a: T', { json: '{"a":{"x":1}}', literal: ['a=2'] }, '{"a":2}'],
        ['$a: T', { json: '{"a":{"f":"x"}}', uploads: ['a[f]=b.png'] }, '{"a":{"f":null}}'],
      ],
      ([declared, given, json]) => {
        expect(readJson(declared, given)).toBe(json);
      },
    ));
});

describe('a key', () => {
  it('that is malformed is rejected', () =>
    checkRows(['', '=', 'v[', 'v]', 'v[a', '[a]', '[]', 'v[a]b', 'v[[a]]', 'v[]]'], async (key) => {
      const values: GivenValue[] = [{ key, text: '1', origin: 'literal' }];
      const call = () => readVariables(operationOf('query ($v: T) { a }'), { given: values });
      expect((await failureOf(call)).code).toBe('usage');
    }));

  it('that contradicts another is rejected', () =>
    checkRows<[Given, string]>(
      [
        [{ literal: ['v=1', 'v=2'] }, 'v is given twice'],
        [{ literal: ['v=1'], string: ['v=1'] }, 'v is given twice'],
        [{ literal: ['v[a]=1', 'v[a]=2'] }, 'v[a] is given twice'],
        [{ literal: ['v=1'], uploads: ['v=f'] }, 'v is given twice'],
        [{ uploads: ['v=f', 'v=g'] }, 'v is given twice'],
        [{ literal: ['v[]=1', 'v[a]=2'] }, 'v is given as an object and as'],
        [{ literal: ['v[a]=1', 'v[]=2'] }, 'v is given as a list and as another kind of value'],
        [{ literal: ['v=1', 'v[a]=2'] }, 'v[a] is a part of v, which is also given'],
        [{ literal: ['v=1', 'v[]=2'] }, 'v[] is a part of v, which is also given'],
        [{ literal: ['v[a]=1', 'v[a][b]=2'] }, 'v[a][b] is a part of v[a], which is also given'],
        [{ json: '{"v":[1]}', literal: ['v[a]=2'] }, 'v is given as an object and as'],
        [
          { literal: ['v[a][]=1', 'v[a][b]=2'] },
          'v.a is given as an object and as another kind of value',
        ],
      ],
      async ([given, message]) => {
        const error = await failureOf(() => read('$v: T', given));
        expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(message)]);
      },
    ));

  it('and its part are rejected in either order', () =>
    checkRows<Given>(
      [
        { literal: ['v[a]=1', 'v=2'] },
        { literal: ['v[]=1', 'v=2'] },
        { literal: ['v[a][b]=1', 'v[a]=2'] },
        { literal: ['v[a]=1'], uploads: ['v=f'] },
        { uploads: ['v[a]=f', 'v=g'] },
        { uploads: ['v=f', 'v[a]=g'] },
      ],
      async (given) => {
        expect((await failureOf(() => read('$v: T', given))).code).toBe('usage');
      },
    ));

  it('may be any name, including __proto__', () =>
    checkRows(
      [
        ['__proto__=1', '{"__proto__":1}'],
        ['constructor=1', '{"constructor":1}'],
        ['v[__proto__][x]=1', '{"v":{"__proto__":{"x":1}}}'],
        ['v[constructor][prototype]=1', '{"v":{"constructor":{"prototype":1}}}'],
        ['v[][__proto__]=1', '{"v":[{"__proto__":1}]}'],
        ['v={"__proto__":{"x":1}}', '{"v":{"__proto__":{"x":1}}}'],
        ['v[a b.c-d "é]=1', '{"v":{"a b.c-d \\"é":1}}'],
      ],
      ([text, json]) => {
        const declared = '$v: T, $__proto__: Int, $constructor: Int';
        expect(readJson(declared, { literal: [text] })).toBe(json);
        expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
      },
    ));

  it.each(['__proto__', 'constructor', 'toString'])(
    'is not an inherited field: %s',
    async (name) => {
      const call = () => read('$v: In', { literal: [`v[${name}]=1`] }, SCHEMA);
      expect((await failureOf(call)).message).toContain(`Field "${name}" is not defined`);
      const missing = () => read(`$${name}: Int!`, {});
      expect((await failureOf(missing)).message).toContain('was not provided');
    },
  );
});

describe('an upload', () => {
  it('is null in the variables, with its path', () =>
    checkRows<[declared: string, given: Given, json: string, paths: string[]]>(
      [
        ['$f: Upload!', { uploads: ['f=a'] }, '{"f":null}', ['f a']],
        [
          '$f: [Upload!]!',
          { uploads: ['f[]=a', 'f[]=b'] },
          '{"f":[null,null]}',
          ['f.0 a', 'f.1 b'],
        ],
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
      ],
      ([declared, given, json, paths]) => {
        for (const schema of [undefined, SCHEMA]) {
          const { json: read_, uploads } = read(declared, given, schema);
          expect(printJson(read_)).toBe(json);
          expect(uploads.map(({ path, file }) => `${path} ${file}`)).toEqual(
            paths.map((path) => `variables.${path}`),
          );
        }
      },
    ));

  it('is absent when only values are given', () => {
    expect(read('$v: T', { literal: ['v=null'] }).uploads).toEqual([]);
  });
});

describe('the key of an upload', () => {
  it('is the key of a value whose type is sent as a file', () =>
    checkRows<[declared: string, key: string, upload: string | undefined, withSchema?: string]>(
      [
        ['$v: Upload!', 'v', 'v'],
        ['$v: [Upload!]!', 'v', 'v[]'],
        ['$v: [Upload]', 'v[]', 'v[]'],
        ['$v: [Upload]', 'v[0]', 'v[0]'],
        ['$v: In', 'v[file]', undefined, 'v[file]'],
        ['$v: [In!]!', 'v[][in][file]', undefined, 'v[][in][file]'],
        ['$v: [In!]!', 'v[file]', undefined, 'v[file]'],
        ['$v: File', 'v', undefined, 'v'],
        ['$v: String', 'v', undefined],
        ['$v: In', 'v', undefined],
        ['$v: Upload', 'w', undefined],
      ],
      ([declared, key, upload, withSchema = upload]) => {
        const operation = operationOf(`query (${declared}) { a }`);
        expect(uploadKey(operation, key, undefined)).toBe(upload);
        expect(uploadKey(operation, key, SCHEMA)).toBe(withSchema);
      },
    ));
});

describe('a single object in the place of a list', () => {
  it('has the types of its items', () => {
    expect(readJson('$v: [In!]', { literal: ['v[s]=1'] }, SCHEMA)).toBe('{"v":{"s":"1"}}');
  });
});

describe('objects in a list', () => {
  it('receive keys until one repeats', () =>
    checkRows(
      [
        [['v[][a]=1', 'v[][b]=2'], '[{"a":1,"b":2}]'],
        [['v[][a]=1', 'v[][b]=2', 'v[][a]=3'], '[{"a":1,"b":2},{"a":3}]'],
        [['v[][a]=1', 'v[][l][]=2', 'v[][l][]=3', 'v[][a]=4'], '[{"a":1,"l":[2,3]},{"a":4}]'],
        [['v[][o][x]=1', 'v[][o][y]=2', 'v[][o][x]=3'], '[{"o":{"x":1,"y":2}},{"o":{"x":3}}]'],
        [['v[]=1', 'v[][a]=2', 'v[]=3'], '[1,{"a":2},3]'],
      ],
      ([literal, json]) => {
        expect(printJson(read('$v: T', { literal }).json)).toBe(`{"v":${json}}`);
      },
    ));
});

describe('items of an existing list', () => {
  it('are named by their indexes', () => {
    const { json } = read('$v: T', { json: '{"v":[1,{"a":2}]}', literal: ['v[0]=9', 'v[1][b]=3'] });
    expect(printJson(json)).toBe('{"v":[9,{"a":2,"b":3}]}');
  });

  it('need a list or a known type', async () => {
    const { code, details } = await failureOf(() => read('$v: T', { literal: ['v[a][0]=x'] }));
    expect([code, details.hint]).toEqual(['usage', expect.stringContaining("'v[a][]'")]);
  });

  it('may be files', () => {
    const given = { literal: ['v[][n]=a', 'v[][n]=b'], uploads: ['v[1][f]=two', 'v[0][f]=one'] };
    const { json, uploads } = read('$v: T', given);
    expect(printJson(json)).toBe('{"v":[{"n":"a","f":null},{"n":"b","f":null}]}');
    expect(uploads).toEqual([
      { path: 'variables.v.1.f', file: 'two' },
      { path: 'variables.v.0.f', file: 'one' },
    ]);
  });

  it('can be created with the next index', async () => {
    expect(readJson('$v: T', { json: '{"v":[1]}', literal: ['v[1]=2'] })).toBe('{"v":[1,2]}');
    expect(readJson('$v: [T!]!', { literal: ['v[0][n]=1', 'v[1][n]=2', 'v[0][m]=3'] })).toBe(
      '{"v":[{"n":1,"m":3},{"n":2}]}',
    );
    const { code, message } = await failureOf(() => read('$v: [T]', { literal: ['v[1]=2'] }));
    expect([code, message]).toEqual(['usage', 'the next item of v has the index 0']);
  });
});
