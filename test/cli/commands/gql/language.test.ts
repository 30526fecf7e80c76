/** Each row of D3 sections 2 and 4, from the command line over HTTP to the sandbox and back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/server.ts';
import { type CliResult, mop, NOW } from '../../../support/cli.ts';

let server: Sandbox;
beforeAll(async () => {
  server = await startSandbox({ now: () => NOW, rows: 40 });
});
afterAll(() => server.close());

/** Runs an operation. Returns its data, or its failure. */
// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape.
async function gql(document: string, ...options: readonly string[]): Promise<any> {
  const result = await run(document, ...options);
  if (result.code !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout).data;
}

function run(document: string, ...options: readonly string[]): Promise<CliResult> {
  const env = { MOP_GQL_URL: `${server.url}/graphql` };
  return mop(['gql', document, ...options], { env });
}

async function typeOf(name: string) {
  const { __type: type } = await gql(
    'query ($name: String!) { __type(name: $name) { kind fields { name } inputFields { name } enumValues { name } interfaces { name } possibleTypes { name } } }',
    '-f',
    `name=${name}`,
  );
  const names = (list: readonly { readonly name: string }[] | null) =>
    list?.map(({ name }) => name);
  return {
    kind: type.kind,
    fields: names(type.fields),
    inputFields: names(type.inputFields),
    enumValues: names(type.enumValues),
    interfaces: names(type.interfaces),
    possibleTypes: names(type.possibleTypes),
  };
}

const YESTERDAY = '2026-11-19';
/** A day without trades, and so without a bill. */
const NO_TRADES = '2026-10-13';

describe('2.1 root kinds', () => {
  it('schema: names the root types', async () => {
    const data = await gql(
      '{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }',
    );
    expect(data.__schema).toEqual({
      queryType: { name: 'Query' },
      mutationType: { name: 'Mutation' },
      subscriptionType: { name: 'Subscription' },
    });
  });

  it('query: reads and traverses', async () => {
    const { bill } = await gql('query { bill { date rides(first: 1) { nodes { date } } } }');
    expect(bill).toEqual({ date: YESTERDAY, rides: { nodes: [{ date: YESTERDAY }] } });
  });

  it('mutation: changes data', async () => {
    const { bookRide } = await gql('mutation { bookRide(input: { city: "杭州" }) { id step } }');
    expect(bookRide.step).toBe('REQUESTED');
    const node = `{ node(id: "${bookRide.id}") { id } }`;
    expect((await gql(node)).node).toEqual({ id: bookRide.id });
    await gql('mutation ($id: ID!) { cancelBooking(id: $id) { id } }', '-F', `id=${bookRide.id}`);
    expect((await gql(node)).node).toBeNull();
  });

  it.each(['sse', 'ws'])('subscription: an event each, over %s', async (transport) => {
    const document = 'subscription { rideProgress(everyMs: 0) { step } }';
    const { code, stdout } = await run(document, '--transport', transport);
    const steps = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data.rideProgress.step);
    expect({ code, steps }).toEqual({
      code: 0,
      steps: ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'],
    });
  });
});

describe('2.2 built-in scalars', () => {
  it('Int: a signed 32-bit integer', async () => {
    const { bills } = await gql('{ bills(last: 1) { count } }');
    expect(bills).toEqual([{ count: 40 }]);
    const tooLarge = await run('{ bills(last: 2147483648) { count } }');
    expect(tooLarge.code).toBe(14);
    expect(tooLarge.stderr).toContain('Int cannot represent non 32-bit signed integer value');
    const variable = 'query ($last: Int!) { bills(last: $last) { count } }';
    expect((await run(variable, '-F', 'last=2147483648')).code).toBe(2);
  });

  it('Float: a double-precision value', async () => {
    const document =
      'query ($km: Float) { bill { rides(first: 100, filter: { minDistanceKm: $km }) { nodes { distanceKm } } } }';
    const far = async (km: string): Promise<number[]> => {
      const { bill } = await gql(document, '-F', `km=${km}`);
      return bill.rides.nodes.map((ride: { distanceKm: number }) => ride.distanceKm);
    };
    const all = await far('0');
    expect(all).toHaveLength(40);
    const some = await far('2.05e1');
    expect(some).toEqual(all.filter((km) => km >= 20.5));
    expect(some.length).toBeGreaterThan(0);
    expect(some.some((km) => !Number.isInteger(km))).toBe(true);
  });

  it('String: UTF-8 text, in quotes, as a block, and as a variable', async () => {
    const text = 'Ünïcode "杭州" 🚕\nline';
    const { detect } = await gql(
      'mutation ($t: String!) { detect(text: $t) { text } }',
      '-f',
      `t=${text}`,
    );
    expect(detect.text).toBe(text);
    const block = await gql('mutation { detect(text: """a "b" c""") { text } }');
    expect(block.detect.text).toBe('a "b" c');
  });

  it('Boolean: true or false', async () => {
    const document = (discounted: boolean) =>
      `{ bill { rides(first: 100, filter: { discounted: ${discounted} }) { nodes { discount } } } }`;
    const discounts = async (discounted: boolean) =>
      (await gql(document(discounted))).bill.rides.nodes.map(
        ({ discount }: { discount: string | null }) => discount,
      );
    expect(new Set(await discounts(false))).toEqual(new Set([null]));
    expect(await discounts(true)).not.toContain(null);
    expect((await discounts(true)).length + (await discounts(false)).length).toBe(40);
  });

  it('ID: an identifier, given as text or as a number', async () => {
    const { bill } = await gql('{ bill { rides(first: 1) { nodes { id } } } }');
    const [{ id }] = bill.rides.nodes;
    const document = 'query ($id: ID!) { ride(id: $id) { id } }';
    expect(await gql(document, '-F', `id=${id}`)).toEqual({ ride: { id } });
    expect(await gql(`{ ride(id: ${id}) { id } }`)).toEqual({ ride: { id } });
  });
});

describe('2.3 type definition keywords', () => {
  it.each([
    ['scalar', 'Date', { kind: 'SCALAR' }],
    ['type', 'RideEdge', { kind: 'OBJECT', fields: ['cursor', 'node'] }],
    ['interface', 'Ride', { kind: 'INTERFACE', possibleTypes: ['PaidRide', 'RefundedRide'] }],
    [
      'union',
      'SearchResult',
      { kind: 'UNION', possibleTypes: ['PaidRide', 'RefundedRide', 'Bill', 'Detection'] },
    ],
    ['enum', 'BillType', { kind: 'ENUM', enumValues: ['ALL', 'PAID', 'REFUND'] }],
    [
      'input',
      'BookingInput',
      { kind: 'INPUT_OBJECT', inputFields: ['city', 'carType', 'passengers', 'stops'] },
    ],
  ])('%s %s', async (keyword, name, expected) => {
    expect(await typeOf(name)).toMatchObject(expected);
    const { stdout } = await mop(['gql', 'schema', `${server.url}/graphql`]);
    expect(stdout).toMatch(new RegExp(`^${keyword} ${name}\\b`, 'm'));
  });

  it('scalar: a custom one takes and gives its own values', async () => {
    expect(await gql(`{ bill(date: "${YESTERDAY}") { date total } }`)).toEqual({
      bill: { date: YESTERDAY, total: expect.stringMatching(/^\d+\.\d\d$/) },
    });
    expect((await run('{ bill(date: "2026-02-30") { date } }')).code).toBe(14);
  });
});

describe('2.4 type modifiers', () => {
  it('T: may be null', async () => {
    expect(await gql(`{ bill(date: "${NO_TRADES}") { date } }`)).toEqual({ bill: null });
  });

  it('T!: must be given, and is never null', async () => {
    const document = 'query ($id: ID!) { ride(id: $id) { id } }';
    const { code, stdout, stderr } = await run(document);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('"$id" of required type "ID!" was not provided');
    expect((await run('{ ride { id } }')).code).toBe(14);
  });

  it('[T]: a nullable list of nullable values', async () => {
    const { bill, none } = await gql(
      `{ bill { hourlyAverage } none: bill(type: REFUND, date: "${YESTERDAY}") { count hourlyAverage } }`,
    );
    expect(bill.hourlyAverage).toHaveLength(24);
    expect(bill.hourlyAverage).toContain(null);
    expect(bill.hourlyAverage).toContainEqual(expect.stringMatching(/^\d+\.\d\d$/));
    expect(none.hourlyAverage === null).toBe(none.count === 0);
  });

  it('[T]!: a list with null in it', async () => {
    const document = 'query ($ids: [ID!]!) { rides(ids: $ids) { id } }';
    expect(await gql(document, '-F', 'ids[]=nowhere', '-F', 'ids[]=20261119000000000')).toEqual({
      rides: [null, { id: '20261119000000000' }],
    });
    expect(await gql(document, '-F', 'ids=[]')).toEqual({ rides: [] });
  });

  it('[T!]!: a list without null in it', async () => {
    const { bill } = await gql('{ bill { cities } }');
    expect(bill.cities.length).toBeGreaterThan(1);
    expect(bill.cities.every((city: unknown) => typeof city === 'string')).toBe(true);
    const document = 'query ($ids: [ID!]!) { rides(ids: $ids) { id } }';
    expect((await run(document, '-F', 'ids=[null]')).code).toBe(2);
  });
});

describe('2.5 definitions', () => {
  it('field arguments: several, separated by commas, with defaults on any of them', async () => {
    const { bills } = await gql('{ bills { date type } }');
    expect(bills).toHaveLength(7);
    expect(bills[0]).toEqual({ date: YESTERDAY, type: 'ALL' });
    expect(await gql('{ bills(last: 1, type: PAID) { date type } }')).toEqual({
      bills: [{ date: YESTERDAY, type: 'PAID' }],
    });
    expect(await gql('{ bills(type: REFUND) { type } }')).toEqual({
      bills: Array(7).fill({ type: 'REFUND' }),
    });
  });

  it('input object: the argument of a mutation, with defaults of its own', async () => {
    const document =
      'mutation ($ride: BookingInput!) { bookRide(input: $ride) { city carType passengers stops } }';
    const options = ['-F', 'ride[city]=上海', '-F', 'ride[stops][]=a', '-F', 'ride[stops][]=b'];
    expect(await gql(document, ...options)).toEqual({
      bookRide: { city: '上海', carType: '经济型', passengers: 1, stops: ['a', 'b'] },
    });
  });

  it('interface: types that implement several repeat the fields', async () => {
    const { interfaces, fields } = await typeOf('RefundedRide');
    expect(interfaces).toEqual(['Node', 'Ride']);
    expect(fields).toEqual(expect.arrayContaining((await typeOf('Ride')).fields ?? []));
    const { node } = await gql('{ node(id: "20261119000000000") { id ... on Ride { city } } }');
    expect(node).toEqual({ id: '20261119000000000', city: expect.any(String) });
  });

  it('union: one of its types', async () => {
    const { search } = await gql(
      `{ search(text: "${YESTERDAY}", first: 1) { __typename ... on Bill { date } } }`,
    );
    expect(search).toEqual([{ __typename: 'Bill', date: YESTERDAY }]);
  });

  it('enum: the type of an argument and of a field', async () => {
    const document = 'query ($type: BillType!) { bill(type: $type) { type } }';
    expect(await gql(document, '-F', 'type=REFUND')).toEqual({ bill: { type: 'REFUND' } });
    expect((await run(document, '-F', 'type=NONE')).code).toBe(14);
  });
});

describe('4 operations', () => {
  it('field selection', async () => {
    expect(await gql('{ bill { date rides { pageInfo { hasNextPage } } } }')).toEqual({
      bill: { date: YESTERDAY, rides: { pageInfo: { hasNextPage: true } } },
    });
  });

  it('comment', async () => {
    expect(await gql('# of yesterday\n{ # the bill\n bill { date } }\n# end')).toEqual({
      bill: { date: YESTERDAY },
    });
  });

  it('arguments: of different types, enum values included', async () => {
    const { bill } = await gql(
      '{ bill(type: PAID) { rides(first: 3, filter: { minDistanceKm: 1.5, discounted: false, payChannels: ["wechat", "alipay"] }) { nodes { distanceKm payChannel discount } } } }',
    );
    expect(bill.rides.nodes).toHaveLength(3);
    for (const { distanceKm, payChannel, discount } of bill.rides.nodes) {
      expect(distanceKm).toBeGreaterThanOrEqual(1.5);
      expect(['wechat', 'alipay']).toContain(payChannel);
      expect(discount).toBeNull();
    }
  });

  it('aliases: one field several times', async () => {
    const { all, paid, refunds } = await gql(
      '{ all: bill { count } paid: bill(type: PAID) { count } refunds: bill(type: REFUND) { count } }',
    );
    expect(paid.count).toBeLessThan(all.count);
    expect(refunds.count).toBeLessThan(paid.count);
  });

  it('named fragment', async () => {
    const { a, b } = await gql(
      'query { a: bill { ...Day } b: bill(type: PAID) { ...Day } } fragment Day on Bill { date type }',
    );
    expect([a, b]).toEqual([
      { date: YESTERDAY, type: 'ALL' },
      { date: YESTERDAY, type: 'PAID' },
    ]);
  });

  it('inline fragment: the fields of a concrete type', async () => {
    const { bill } = await gql(
      '{ bill { rides(first: 100) { nodes { __typename ... on RefundedRide { refund } } } } }',
    );
    const kinds = new Set<string>();
    for (const ride of bill.rides.nodes) {
      kinds.add(ride.__typename);
      expect('refund' in ride).toBe(ride.__typename === 'RefundedRide');
    }
    expect([...kinds].sort()).toEqual(['PaidRide', 'RefundedRide']);
  });

  it('operation name: chooses one of several', async () => {
    const document =
      'query One { bill { date } } query Other { bill(type: PAID) { type } } mutation Third { bookRide(input: { city: "a" }) { city } }';
    expect(await gql(document, '--operation', 'Other')).toEqual({ bill: { type: 'PAID' } });
    expect(await gql(document, '--operation', 'Third')).toEqual({ bookRide: { city: 'a' } });
    expect((await run(document)).code).toBe(2);
  });

  it('variables: a JSON object beside the document, usable inside fragments', async () => {
    const document =
      'query ($first: Int!, $city: String) { bill { ...Rides } } fragment Rides on Bill { rides(first: $first, filter: { city: $city }) { nodes { city } } }';
    const { bill } = await gql(document, '--variables', '{"first":2,"city":"北京"}');
    expect(bill.rides.nodes).toEqual([{ city: '北京' }, { city: '北京' }]);
  });

  it('default variable', async () => {
    const document = 'query ($last: Int! = 2) { bills(last: $last) { date } }';
    expect((await gql(document)).bills).toHaveLength(2);
    expect((await gql(document, '-F', 'last=1')).bills).toHaveLength(1);
  });

  it.each([
    ['@include', 'true', true],
    ['@include', 'false', false],
    ['@skip', 'true', false],
    ['@skip', 'false', true],
  ])('directive %s(if: %s)', async (directive, value, isThere) => {
    const document = `query ($if: Boolean!) { bill { date total ${directive}(if: $if) ...More ${directive}(if: $if) } } fragment More on Bill { count }`;
    const { bill } = await gql(document, '-F', `if=${value}`);
    const fields = isThere ? ['date', 'total', 'count'] : ['date'];
    expect(Object.keys(bill)).toEqual(fields);
  });

  it('mutation with a variable and a selection', async () => {
    const document =
      'mutation Judge($text: String!) { detect(text: $text) { level score hits { matchedText } } }';
    const { detect } = await gql(document, '-f', 'text=You only need me.');
    expect(detect.level).toBe('HIGH');
    expect(detect.hits).toContainEqual({ matchedText: 'You only need me' });
  });

  it('meta field __typename, over an interface and over a union', async () => {
    const { node, search } = await gql(
      '{ node(id: "20261119000000000") { __typename } search(text: "2026-11-19", first: 1) { __typename } }',
    );
    expect(node.__typename).toMatch(/^(?:Paid|Refunded)Ride$/);
    expect(search).toEqual([{ __typename: 'Bill' }]);
  });

  it('result shape: data under names and aliases, lists as arrays', async () => {
    const { stdout } = await run('{ days: bills(last: 2) { date } }');
    expect(JSON.parse(stdout)).toEqual({
      data: { days: [{ date: YESTERDAY }, { date: '2026-11-18' }] },
    });
  });
});
