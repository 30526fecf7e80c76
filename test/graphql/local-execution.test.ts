import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseOperation, parseDocument } from '../../src/graphql/document.ts';
import { executeLocally } from '../../src/graphql/local-execution.ts';
import { describeError } from '../../src/graphql/response.ts';
import { printJson } from '../../src/json/print.ts';
import { failureOf, parseObject, schemaOf } from './support.ts';

interface Local {
  readonly sdl: string;
  readonly data: string;
  readonly variables?: string;
  readonly operation?: string;
}

async function execute(text: string, { sdl, data, variables = '{}', operation }: Local) {
  const document = parseDocument(text, 'q');
  return executeLocally({
    schema: schemaOf(sdl),
    document,
    operation: chooseOperation(document, operation),
    variables: parseObject(variables),
    data: parseObject(data),
  });
}

/** The data of an execution without errors, as JSON text. */
async function dataOf(text: string, local: Local): Promise<string> {
  const { json, data, errors } = await execute(text, local);
  expect(errors).toEqual([]);
  expect(printJson(json)).toBe(`{"data":${data && printJson(data)}}`);
  return data ? printJson(data) : 'none';
}

/** The errors of an execution, a line each, and its data. */
async function errorsOf(text: string, local: Local): Promise<[errors: string[], data: unknown]> {
  const { json, errors } = await execute(text, local);
  const { data } = JSON.parse(printJson(json)) as { readonly data: unknown };
  return [errors.map((error) => describeError({ ...error, locations: [] }, 'q')), data];
}

const SDL = `
  type Query {
    bill(date: String, id: ID, paid: Boolean, total: Float, kind: Kind, tag: String): Bill
    bills(date: String, dates: [String], tag: [String!], kind: Kind, total: Float, id: ID,
      paid: Boolean, first: Int, in: In, tags: [String!], unit: String = "EUR"): [Bill!]!
    node(id: ID): Node  nodes(id: ID, kind: Kind): [Node]  found(name: String): [Found]
    only: Only  matrix: [[Int]]  name(date: String): String
  }
  type Mutation {
    pay(id: ID!, total: Float = 5, kind: Kind, in: In): Bill
    payAll(id: ID, in: In): [Bill]  drop(id: ID): Boolean!  count(n: Int): Int
    list(id: ID): [Bill]  make(name: String): Found
  }
  type Subscription { paid: Bill }
  interface Node { id: ID!  kind: Kind }
  interface Only { id: ID! }
  type Bill implements Node & Only {
    id: ID!  kind: Kind  date: String  total: Float  paid: Boolean  tags: [String!]
    lines(kind: Kind): [Line]  top(kind: Kind): Line
  }
  type Ride implements Node { id: ID!  kind: Kind  name: String }
  type Line { kind: Kind  n: Int }
  union Found = Bill | Ride
  enum Kind { PAID REFUND }
  input In { date: String  total: Float  tags: [String!] }`;

const DATA = `{
  "bills": [
    { "id": 1, "date": "2026-11-18", "total": 1.0, "paid": true, "kind": "PAID", "tags": ["a"],
      "lines": [{ "kind": "PAID", "n": 1 }, { "kind": "REFUND", "n": 2 }],
      "top": [{ "kind": "PAID", "n": 1 }, { "kind": "REFUND", "n": 2 }] },
    { "id": "2", "date": "2026-11-19", "total": 1e2, "paid": false, "kind": "REFUND", "tags": ["a", "b"] },
    { "id": "3", "date": "2026-11-19", "total": null, "kind": "PAID" }
  ],
  "bill": [{ "id": "1", "date": "2026-11-18" }, { "id": "2", "date": "2026-11-19" }],
  "nodes": [
    { "__typename": "Bill", "id": "1", "kind": "PAID" },
    { "__typename": "Ride", "id": "2", "kind": "PAID", "name": "Ride" },
    null
  ],
  "found": [{ "__typename": "Ride", "id": "2", "name": "a" }, { "__typename": "Bill", "id": "1" }],
  "only": { "id": "1" },
  "matrix": [[1, 2.0], null, []],
  "name": "杭州"
}`;
const local = { sdl: SDL, data: DATA };

describe('an operation of D3', () => {
  it.each([
    ['fields', '{ name only { id } }', '{"name":"杭州","only":{"id":"1"}}'],
    ['aliases', '{ a: name b: only { c: id } }', '{"a":"杭州","b":{"c":"1"}}'],
    ['lists of lists', '{ matrix }', '{"matrix":[[1,2.0],null,[]]}'],
    ['what is not there', '{ node { id } }', '{"node":null}'],
    [
      '__typename',
      '{ __typename only { __typename } }',
      '{"__typename":"Query","only":{"__typename":"Bill"}}',
    ],
    [
      'fragments',
      '{ nodes { ...N ... on Ride { name } } } fragment N on Node { id }',
      '{"nodes":[{"id":"1"},{"id":"2","name":"Ride"},null]}',
    ],
    [
      'a union',
      '{ found { __typename ... on Bill { id } ... on Ride { name } } }',
      '{"found":[{"__typename":"Ride","name":"a"},{"__typename":"Bill","id":"1"}]}',
    ],
    [
      'directives',
      'query ($no: Boolean = false) { name @include(if: $no) a: name @skip(if: true) b: name @include(if: true) }',
      '{"b":"杭州"}',
    ],
    [
      'the schema itself',
      '{ __type(name: "Line") { name fields { name type { name } } } }',
      '{"__type":{"name":"Line","fields":[{"name":"kind","type":{"name":"Kind"}},{"name":"n","type":{"name":"Int"}}]}}',
    ],
    [
      '__proto__ as a name',
      '{ __proto__: name constructor: name }',
      '{"__proto__":"杭州","constructor":"杭州"}',
    ],
  ])('has %s', async (_, text, data) => {
    expect(await dataOf(text, local)).toBe(data);
  });

  it('has toJSON as a name', async () => {
    expect(await dataOf('{ toJSON: name }', local)).toBe('{"toJSON":"杭州"}');
  });

  it('is the one that was chosen', async () => {
    const text = 'query A { name } query B { matrix }';
    expect(await dataOf(text, { ...local, operation: 'B' })).toContain('matrix');
  });

  it('is no subscription', async () => {
    const error = await failureOf(() => execute('subscription { paid { id } }', local));
    expect([error.code, error.message]).toEqual(['usage', expect.stringContaining('no events')]);
  });
});

describe('arguments', () => {
  it.each([
    ['none', '', ['1', '2', '3']],
    ['a text', '(date: "2026-11-19")', ['2', '3']],
    ['a text that nothing has', '(date: "2026")', []],
    ['an ID that is a number in the data', '(id: 1)', ['1']],
    ['an ID that is a text in the data', '(id: 2)', ['2']],
    ['a number, however it is written', '(total: 100)', ['2']],
    ['a number with its digits', '(total: 1.00)', ['1']],
    ['false', '(paid: false)', ['2']],
    ['an enum', '(kind: PAID)', ['1', '3']],
    ['null', '(date: null)', ['1', '2', '3']],
    ['two', '(date: "2026-11-19", kind: PAID)', ['3']],
    ['a list, of which one is enough', '(tags: ["b", "c"])', ['2']],
    ['an empty list', '(tags: [])', []],
    ['one that no field is called', '(first: 1)', ['1', '2', '3']],
    ['another', '(dates: ["2026-11-18"], tag: "a")', ['1', '2', '3']],
    ['an object', '(in: { date: "2026-11-18" })', ['1', '2', '3']],
    ['a default that no field is called', '(unit: "USD")', ['1', '2', '3']],
  ])('select from a list: %s', async (_, given, ids) => {
    const data = JSON.parse(await dataOf(`{ bills${given} { id } }`, local)) as {
      readonly bills: readonly { readonly id: string }[];
    };
    expect(data.bills.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['the first of a list', '{ bill { id } }', '{"bill":{"id":"1"}}'],
    ['the first that fits', '{ bill(date: "2026-11-19") { id } }', '{"bill":{"id":"2"}}'],
    ['none', '{ bill(date: "2026-11-20") { id } }', '{"bill":null}'],
    ['by what its fields have', '{ nodes(id: 2) { id } }', '{"nodes":[{"id":"2"}]}'],
    [
      'by what one type of a union has',
      '{ found(name: "a") { __typename } }',
      '{"found":[{"__typename":"Ride"}]}',
    ],
    [
      'further down',
      '{ bills(id: 1) { lines(kind: REFUND) { n } } }',
      '{"bills":[{"lines":[{"n":2}]}]}',
    ],
    [
      'one further down',
      '{ bills(id: 1) { top(kind: REFUND) { n } } }',
      '{"bills":[{"top":{"n":2}}]}',
    ],
    ['nothing from a scalar', '{ name(date: "x") }', '{"name":"杭州"}'],
  ])('select %s', async (_, text, data) => {
    expect(await dataOf(text, local)).toBe(data);
  });

  it.each([
    ['2026-11-18', '{"id":"1"}'],
    ['2026-11-19', 'null'],
  ])('select a single object, or nothing: %s', async (date, bill) => {
    const data = '{"bill":{"id":"1","date":"2026-11-18"}}';
    const text = `{ bill(date: "${date}") { id } }`;
    expect(await dataOf(text, { ...local, data })).toBe(`{"bill":${bill}}`);
  });

  it('come from variables', async () => {
    const text = 'query ($d: String, $k: Kind = PAID) { bills(date: $d, kind: $k) { id } }';
    const variables = '{"d":"2026-11-19"}';
    expect(await dataOf(text, { ...local, variables })).toBe('{"bills":[{"id":"3"}]}');
    expect(await dataOf(text, { ...local, variables: '{"k":"REFUND"}' })).toBe(
      '{"bills":[{"id":"2"}]}',
    );
  });

  it('tell long numbers apart', async () => {
    const sdl = 'scalar Long type Query { rides(n: Long): [Ride] } type Ride { n: Long }';
    const data = '{"rides":[{"n":9007199254740992},{"n":9007199254740993}]}';
    const text = 'query ($n: Long) { rides(n: $n) { n } }';
    const variables = '{"n":9007199254740993}';
    expect(await dataOf(text, { sdl, data, variables })).toBe('{"rides":[{"n":9007199254740993}]}');
  });
});

describe('a leaf', () => {
  const of = (type: string, value: string) =>
    execute('{ v }', {
      sdl: `scalar Any enum E { A B } type Query { v: ${type} }`,
      data: `{"v":${value}}`,
    });

  it.each<[type: string, value: string, result: string]>([
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
  ])('of %s: %s', async (type, value, result) => {
    const { json, errors } = await of(type, value);
    expect(errors).toEqual([]);
    expect(printJson(json)).toBe(`{"data":{"v":${result}}}`);
  });

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

  it.each([
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
    ['E', '1', 'Query.v is an enum by the schema, and not in the data.'],
    ['[Int]', '1', 'Query.v is a list by the schema, and not in the data.'],
    ['[Int]', '{}', 'Query.v is a list by the schema, and not in the data.'],
    ['[[Int]]', '[[1],2]', 'Query.v is a list by the schema, and not in the data.'],
    ['Int!', 'null', 'Cannot return null for non-nullable field Query.v.'],
    ['[Int!]', '[1,null]', 'Cannot return null for non-nullable field Query.v.'],
  ])('of %s is not %s', async (type, value, message) => {
    const { data, errors } = await of(type, value);
    expect(errors.map(({ message }) => message)).toEqual(message === undefined ? [] : [message]);
    if (message !== undefined && type.endsWith('!')) expect(data).toBeUndefined();
    else expect(data && printJson(data)).toBe(message === undefined ? '{"v":"1.5"}' : '{"v":null}');
  });
});

describe('an error', () => {
  it.each([
    [
      'of an object that is text',
      '{ only { id } name }',
      '{"only":"x","name":"a"}',
      ['only: Query.only is an object by the schema, and not in the data.'],
      { only: null, name: 'a' },
    ],
    [
      'of items that are no objects',
      '{ nodes { id } name }',
      '{"nodes":[7],"name":"a"}',
      ['nodes: Query.nodes is an object by the schema, and not in the data.'],
      { nodes: null, name: 'a' },
    ],
    [
      'of an interface without a type',
      '{ nodes { id } name }',
      '{"nodes":[{"id":"1"},{"__typename":"Ride","id":"2"}],"name":"a"}',
      ['nodes.0: An object of the data needs "__typename" to say which Node it is.'],
      { nodes: [null, { id: '2' }], name: 'a' },
    ],
    [
      'of a type that is none of the union',
      '{ found { __typename } }',
      '{"found":[{"__typename":"Line"}]}',
      ['found.0: Runtime Object type "Line" is not a possible type for "Found".'],
      { found: [null] },
    ],
    [
      'of a type that nobody knows',
      '{ found { __typename } }',
      '{"found":[{"__typename":"X"}]}',
      [
        'found.0: Abstract type "Found" was resolved to a type "X" that does not exist inside the schema.',
      ],
      { found: [null] },
    ],
    [
      'of what must be there',
      '{ bills { id } name }',
      '{"name":"a"}',
      ['bills: Cannot return null for non-nullable field Query.bills.'],
      null,
    ],
    [
      'further down',
      '{ only { id } name }',
      '{"only":{},"name":"a"}',
      ['only.id: Cannot return null for non-nullable field Bill.id.'],
      { only: null, name: 'a' },
    ],
  ])('%s', async (_, text, data, errors, left) => {
    expect(await errorsOf(text, { ...local, data })).toEqual([errors, left]);
  });

  it('stands beside the data, with its places', async () => {
    const { json } = await execute('{\n  name\n  matrix\n}', {
      ...local,
      data: '{"name":"a","matrix":7}',
    });
    expect(printJson(json)).toBe(
      '{"errors":[{"message":"Query.matrix is a list by the schema, and not in the data.","locations":[{"line":3,"column":3}],"path":["matrix"]}],"data":{"name":"a","matrix":null}}',
    );
  });
});

describe('a mutation', () => {
  const bill = 'id total date kind tags';
  it.each([
    [
      'answers what it was given',
      `mutation { pay(id: 7, kind: PAID) { ${bill} } }`,
      '{}',
      '{"pay":{"id":"7","total":5,"date":null,"kind":"PAID","tags":null}}',
    ],
    [
      'takes input objects apart',
      `mutation { pay(id: 7, in: { date: "d", total: 6, tags: ["a"] }) { ${bill} } }`,
      '{}',
      '{"pay":{"id":"7","total":6,"date":"d","kind":null,"tags":["a"]}}',
    ],
    [
      'puts it on top of the data of its name',
      `mutation { pay(id: 7) { ${bill} } }`,
      '{"pay":{"id":"1","date":"d","total":1.0,"kind":"REFUND"}}',
      '{"pay":{"id":"7","total":5,"date":"d","kind":"REFUND","tags":null}}',
    ],
    [
      'may say that something is null',
      `mutation { pay(id: 7, kind: null, total: null) { ${bill} } }`,
      '{"pay":{"kind":"REFUND","total":1,"date":"d"}}',
      '{"pay":{"id":"7","total":null,"date":"d","kind":null,"tags":null}}',
    ],
    [
      'answers a list where one is due',
      'mutation { payAll(id: 7, in: { date: "d" }) { id date } }',
      '{}',
      '{"payAll":[{"id":"7","date":"d"}]}',
    ],
    [
      'selects from a list in the data',
      'mutation { list(id: 2) { id total } pay(id: 2) { id total } }',
      '{"list":[{"id":"1"},{"id":"2","total":2.0}],"pay":[{"id":"1"},{"id":"2","total":3.0}]}',
      '{"list":[{"id":"2","total":2.0}],"pay":null}',
    ],
    ['succeeds', 'mutation { drop(id: 7) }', '{}', '{"drop":true}'],
    ['fails by the data', 'mutation { drop(id: 7) }', '{"drop":false}', '{"drop":false}'],
    [
      'has other scalars from the data',
      'mutation { count(n: 7) }',
      '{"count":1.0}',
      '{"count":1.0}',
    ],
    ['has no other scalars', 'mutation { count(n: 7) }', '{}', '{"count":null}'],
    [
      'knows types by the data',
      'mutation { make(name: "b") { ... on Ride { name id } } }',
      '{"make":{"__typename":"Ride","id":"1","name":"a"}}',
      '{"make":{"name":"b","id":"1"}}',
    ],
    [
      'has fields with arguments',
      'mutation { pay(id: 1) { lines(kind: REFUND) { n } } }',
      '{"pay":{"lines":[{"kind":"PAID","n":1},{"kind":"REFUND","n":2.0}]}}',
      '{"pay":{"lines":[{"n":2.0}]}}',
    ],
  ])('%s', async (_, text, data, result) => {
    expect(await dataOf(text, { ...local, data })).toBe(result);
  });

  it('changes nothing', async () => {
    const text = 'mutation { a: pay(id: 7, in: { date: "d" }) { date } b: pay(id: 7) { date } }';
    const data = '{"pay":{"date":"was"}}';
    expect(await dataOf(text, { ...local, data })).toBe('{"a":{"date":"d"},"b":{"date":"was"}}');
  });

  it.each(['1.0', '1e2', '-0', '12345678901234567890.50'])(
    'answers %s with the digits that it was given',
    async (total) => {
      const text =
        'mutation ($total: Float, $in: In) { pay(id: 1, total: $total, in: $in) { total } }';
      for (const variables of [`{"total":${total}}`, `{"in":{"total":${total}}}`]) {
        const result = await dataOf(text, { ...local, data: '{}', variables });
        expect(result).toBe(`{"pay":{"total":${total}}}`);
      }
    },
  );
});

describe('a default of the schema', () => {
  const sdl = `scalar Long
    input In { l: Long = 9007199254740993 f: Float = 1.10 }
    type Query { f(id: Long = 9007199254740993): T  n(first: Int = 3): Int }
    type Mutation { m(in: In): M }
    type M { l: Long f: Float }
    type T { id: Long }`;
  const data = '{"f":[{"id":9007199254740992},{"id":9007199254740993}]}';

  it('has its digits', async () => {
    const found = await execute('{ f { id } }', { sdl, data });
    expect(printJson(found.json)).toBe('{"data":{"f":{"id":9007199254740993}}}');
    const made = await execute('mutation { m(in: {}) { l f } }', { sdl, data });
    expect(printJson(made.json)).toBe('{"data":{"m":{"l":9007199254740993,"f":1.10}}}');
  });

  it('is there for those who ask about the schema', async () => {
    const text = '{ __type(name: "Query") { fields { args { defaultValue } } } }';
    const { errors, json } = await execute(text, { sdl, data });
    expect(errors).toEqual([]);
    expect(printJson(json)).toContain('{"defaultValue":"3"}');
  });
});
