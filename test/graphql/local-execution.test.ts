import { describe, expect, it } from 'vitest';
import { printJson } from '../../src/json/print.ts';
import { checkRows } from '../support/rows.ts';
import { dataOf, errorsOf, execute } from './local-execution-support.ts';
import { failureOf } from './support.ts';

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
  it('executes every construct of D3', () =>
    checkRows(
      [
        ['fields', '{ name only { id } }', '{"name":"杭州","only":{"id":"1"}}'],
        ['aliases', '{ a: name b: only { c: id } }', '{"a":"杭州","b":{"c":"1"}}'],
        ['lists of lists', '{ matrix }', '{"matrix":[[1,2.0],null,[]]}'],
        ['a missing object', '{ node { id } }', '{"node":null}'],
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
      ],
      async ([_, text, data]) => {
        expect(await dataOf(text, local)).toBe(data);
      },
    ));

  it('accepts toJSON as a name', async () => {
    expect(await dataOf('{ toJSON: name }', local)).toBe('{"toJSON":"杭州"}');
  });

  it('is selected by its name', async () => {
    const text = 'query A { name } query B { matrix }';
    expect(await dataOf(text, { ...local, operation: 'B' })).toContain('matrix');
  });

  it('may not be a subscription', async () => {
    const error = await failureOf(() => execute('subscription { paid { id } }', local));
    expect([error.code, error.message]).toEqual(['usage', expect.stringContaining('no events')]);
  });
});

describe('arguments', () => {
  it('select from a list', () =>
    checkRows(
      [
        ['none', '', ['1', '2', '3']],
        ['a text', '(date: "2026-11-19")', ['2', '3']],
        ['a text without a match', '(date: "2026")', []],
        ['an ID that is a number in the data', '(id: 1)', ['1']],
        ['an ID that is a text in the data', '(id: 2)', ['2']],
        ['a number in another notation', '(total: 100)', ['2']],
        ['a number with its digits', '(total: 1.00)', ['1']],
        ['false', '(paid: false)', ['2']],
        ['an enum', '(kind: PAID)', ['1', '3']],
        ['null', '(date: null)', ['1', '2', '3']],
        ['two arguments', '(date: "2026-11-19", kind: PAID)', ['3']],
        ['a list, of which one is enough', '(tags: ["b", "c"])', ['2']],
        ['an empty list', '(tags: [])', []],
        ['an argument without a field', '(first: 1)', ['1', '2', '3']],
        ['another', '(dates: ["2026-11-18"], tag: "a")', ['1', '2', '3']],
        ['an object', '(in: { date: "2026-11-18" })', ['1', '2', '3']],
        ['a default without a field', '(unit: "USD")', ['1', '2', '3']],
      ],
      async ([_, given, ids]) => {
        const data = JSON.parse(await dataOf(`{ bills${given} { id } }`, local)) as {
          readonly bills: readonly { readonly id: string }[];
        };
        expect(data.bills.map(({ id }) => id)).toEqual(ids);
      },
    ));

  it('select by every input type', () =>
    checkRows(
      [
        ['the first of a list', '{ bill { id } }', '{"bill":{"id":"1"}}'],
        ['the first that fits', '{ bill(date: "2026-11-19") { id } }', '{"bill":{"id":"2"}}'],
        ['none', '{ bill(date: "2026-11-20") { id } }', '{"bill":null}'],
        ['by the fields of an interface', '{ nodes(id: 2) { id } }', '{"nodes":[{"id":"2"}]}'],
        [
          'by a field of one type of a union',
          '{ found(name: "a") { __typename } }',
          '{"found":[{"__typename":"Ride"}]}',
        ],
        [
          'in a nested field',
          '{ bills(id: 1) { lines(kind: REFUND) { n } } }',
          '{"bills":[{"lines":[{"n":2}]}]}',
        ],
        [
          'one object in a nested field',
          '{ bills(id: 1) { top(kind: REFUND) { n } } }',
          '{"bills":[{"top":{"n":2}}]}',
        ],
        ['any scalar', '{ name(date: "x") }', '{"name":"杭州"}'],
      ],
      async ([_, text, data]) => {
        expect(await dataOf(text, local)).toBe(data);
      },
    ));

  it.each([
    ['2026-11-18', '{"id":"1"}'],
    ['2026-11-19', 'null'],
  ])('select a single object or null: %s', async (date, bill) => {
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

  it('distinguish long numbers', async () => {
    const sdl = 'scalar Long type Query { rides(n: Long): [Ride] } type Ride { n: Long }';
    const data = '{"rides":[{"n":9007199254740992},{"n":9007199254740993}]}';
    const text = 'query ($n: Long) { rides(n: $n) { n } }';
    const variables = '{"n":9007199254740993}';
    expect(await dataOf(text, { sdl, data, variables })).toBe('{"rides":[{"n":9007199254740993}]}');
  });
});

describe('an error', () => {
  it.each([
    [
      'of a string instead of an object',
      '{ only { id } name }',
      '{"only":"x","name":"a"}',
      ['only: Query.only is an object in the schema, but not in the data.'],
      { only: null, name: 'a' },
    ],
    [
      'of items that are not objects',
      '{ nodes { id } name }',
      '{"nodes":[7],"name":"a"}',
      ['nodes: Query.nodes is an object in the schema, but not in the data.'],
      { nodes: null, name: 'a' },
    ],
    [
      'of an interface without a type',
      '{ nodes { id } name }',
      '{"nodes":[{"id":"1"},{"__typename":"Ride","id":"2"}],"name":"a"}',
      ['nodes.0: An object in the data needs "__typename": Node has several types.'],
      { nodes: [null, { id: '2' }], name: 'a' },
    ],
    [
      'of a type outside the union',
      '{ found { __typename } }',
      '{"found":[{"__typename":"Line"}]}',
      ['found.0: Runtime Object type "Line" is not a possible type for "Found".'],
      { found: [null] },
    ],
    [
      'of an unknown type',
      '{ found { __typename } }',
      '{"found":[{"__typename":"X"}]}',
      [
        'found.0: Abstract type "Found" was resolved to a type "X" that does not exist inside the schema.',
      ],
      { found: [null] },
    ],
    [
      'of a missing non-null value',
      '{ bills { id } name }',
      '{"name":"a"}',
      ['bills: Cannot return null for non-nullable field Query.bills.'],
      null,
    ],
    [
      'in a nested field',
      '{ only { id } name }',
      '{"only":{},"name":"a"}',
      ['only.id: Cannot return null for non-nullable field Bill.id.'],
      { only: null, name: 'a' },
    ],
  ])('%s', async (_, text, data, errors, left) => {
    expect(await errorsOf(text, { ...local, data })).toEqual([errors, left]);
  });

  it('is returned beside the data, with its places', async () => {
    const { json } = await execute('{\n  name\n  matrix\n}', {
      ...local,
      data: '{"name":"a","matrix":7}',
    });
    expect(printJson(json)).toBe(
      '{"errors":[{"message":"Query.matrix is a list in the schema, but not in the data.","locations":[{"line":3,"column":3}],"path":["matrix"]}],"data":{"name":"a","matrix":null}}',
    );
  });
});

describe('a mutation', () => {
  const bill = 'id total date kind tags';
  it('answers with its input', () =>
    checkRows(
      [
        [
          'returns its arguments',
          `mutation { pay(id: 7, kind: PAID) { ${bill} } }`,
          '{}',
          '{"pay":{"id":"7","total":5,"date":null,"kind":"PAID","tags":null}}',
        ],
        [
          'returns the fields of input objects',
          `mutation { pay(id: 7, in: { date: "d", total: 6, tags: ["a"] }) { ${bill} } }`,
          '{}',
          '{"pay":{"id":"7","total":6,"date":"d","kind":null,"tags":["a"]}}',
        ],
        [
          'overlays the data of its name',
          `mutation { pay(id: 7) { ${bill} } }`,
          '{"pay":{"id":"1","date":"d","total":1.0,"kind":"REFUND"}}',
          '{"pay":{"id":"7","total":5,"date":"d","kind":"REFUND","tags":null}}',
        ],
        [
          'may set a field to null',
          `mutation { pay(id: 7, kind: null, total: null) { ${bill} } }`,
          '{"pay":{"kind":"REFUND","total":1,"date":"d"}}',
          '{"pay":{"id":"7","total":null,"date":"d","kind":null,"tags":null}}',
        ],
        [
          'returns a list if its type is a list',
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
        [
          'fails for incompatible data',
          'mutation { drop(id: 7) }',
          '{"drop":false}',
          '{"drop":false}',
        ],
        [
          'has other scalars from the data',
          'mutation { count(n: 7) }',
          '{"count":1.0}',
          '{"count":1.0}',
        ],
        ['has no other scalars', 'mutation { count(n: 7) }', '{}', '{"count":null}'],
        [
          'takes types from the data',
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
      ],
      async ([_, text, data, result]) => {
        expect(await dataOf(text, { ...local, data })).toBe(result);
      },
    ));

  it('replaces only a field of a compatible type', () => {
    const sdl = `
      type Query { rides(driver: Int): [Ride] }
      type Mutation {
        book(driver: Int, seats: String, state: String, note: Boolean, stops: [String]): Ride
        put(ride: RideIn, driver: DriverIn): Payload
        save(owner: DriverIn, driver: Int): Owned
        take(driver: RideIn): Ride
      }
      type Ride {
        id: ID  driver: Driver  seats: Int  state: State  note: String!  stops: [String]  extra: JSON
      }
      type Driver { name: String  age: Int }
      type Payload { ride: Ride  driver: Driver  city: String }
      interface Owned { owner: Driver }
      type Car implements Owned { owner: Driver  driver: Int }
      type Boat implements Owned { owner: Driver  driver: Driver }
      enum State { OPEN ENDED }
      input RideIn { id: ID  driver: DriverIn  seats: Int  state: State  extra: JSON }
      input DriverIn { name: String }
      scalar JSON`;
    const data = `{
      "rides": [{ "id": 1, "driver": { "name": "Li" } }],
      "book": { "driver": { "name": "Li", "age": 40 }, "seats": 1, "state": "OPEN", "note": "n" },
      "put": { "ride": { "seats": 1, "driver": { "name": "Li", "age": 40 } } },
      "take": { "id": 4, "state": "OPEN" },
      "save": { "__typename": "Boat", "owner": { "age": 1 }, "driver": { "name": "Li" } }
    }`;
    return checkRows<[text: string, data: string]>(
      [
        ['mutation { book(driver: 5) { driver { name } } }', '{"book":{"driver":{"name":"Li"}}}'],
        ['mutation { book(driver: null) { driver { name } } }', '{"book":{"driver":null}}'],
        ['mutation { book(seats: "x") { seats } }', '{"book":{"seats":1}}'],
        ['mutation { book(seats: "3") { seats } }', '{"book":{"seats":3}}'],
        ['mutation { book(state: "SHUT") { state } }', '{"book":{"state":"OPEN"}}'],
        ['mutation { book(state: "ENDED") { state } }', '{"book":{"state":"ENDED"}}'],
        ['mutation { book(note: null) { note } }', '{"book":{"note":"n"}}'],
        ['mutation { book(stops: ["a", null]) { stops } }', '{"book":{"stops":["a",null]}}'],
        [
          'mutation { put(ride: { driver: { name: "Bo" } }) { ride { seats driver { name age } } } }',
          '{"put":{"ride":{"seats":1,"driver":{"name":"Bo","age":40}}}}',
        ],
        [
          'mutation { put(ride: { extra: { a: [1.0] }, state: ENDED }) { ride { extra state } } }',
          '{"put":{"ride":{"extra":{"a":[1.0]},"state":"ENDED"}}}',
        ],
        [
          'mutation { put(driver: { name: "Bo" }) { driver { name age } } }',
          '{"put":{"driver":{"name":"Bo","age":null}}}',
        ],
        [
          'mutation { save(owner: { name: "Bo" }, driver: 5) { owner { name age } ... on Boat { driver { name } } } }',
          '{"save":{"owner":{"name":"Bo","age":1},"driver":{"name":"Li"}}}',
        ],
        // The members of an input object apply only to the field of its name.
        ['mutation { take(driver: { id: 9 }) { id } }', '{"take":{"id":"4"}}'],
        // An incompatible argument does not select either.
        ['{ rides(driver: 5) { id } }', '{"rides":[{"id":"1"}]}'],
      ],
      async ([text, result]) => expect(await dataOf(text, { sdl, data })).toBe(result),
    );
  });

  it('changes nothing', async () => {
    const text = 'mutation { a: pay(id: 7, in: { date: "d" }) { date } b: pay(id: 7) { date } }';
    const data = '{"pay":{"date":"was"}}';
    expect(await dataOf(text, { ...local, data })).toBe('{"a":{"date":"d"},"b":{"date":"was"}}');
  });

  it.each(['1.0', '1e2', '-0', '12345678901234567890.50'])(
    'returns %s with its digits',
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
