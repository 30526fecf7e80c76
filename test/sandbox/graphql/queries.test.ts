import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { content, start } from '../support.ts';
import { BAD_INPUT, data, failure } from './support.ts';

const RIDE = `
  __typename id date city carType distanceKm minutes amount discount paid payChannel price
  ... on RefundedRide { refund whole }
`;

type Row = Readonly<Record<string, string>>;

/** The lines of a bill, as a download gives them. */
async function rowsOf(sandbox: Sandbox, fields: object = {}): Promise<Row[]> {
  const [header = '', ...lines] = (await content(sandbox, fields)).trimEnd().split('\n');
  const columns = header.split(',');
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
  });
}

function expectedRide(row: Row): object {
  const minutes = (Date.parse(row.paid_at ?? '') - Date.parse(row.started_at ?? '')) / 60_000;
  const isRefunded = row.status === 'REFUNDED';
  return {
    __typename: isRefunded ? 'RefundedRide' : 'PaidRide',
    id: row.order_id,
    date: row.order_id?.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3'),
    city: row.city,
    carType: row.car_type,
    distanceKm: Number(row.distance_km),
    minutes: Math.floor(minutes),
    amount: row.amount,
    discount: row.discount === '0.00' ? null : row.discount,
    paid: row.paid_amount,
    payChannel: row.pay_channel,
    price: row.amount,
    ...(isRefunded && { refund: row.refund_amount, whole: row.refund_amount === row.paid_amount }),
  };
}

interface Page {
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Every ride of a bill, page by page. */
async function allRides(
  sandbox: Sandbox,
  first: number,
  type = 'ALL',
  filter: object | null = null,
): Promise<{ readonly id: string }[]> {
  const query = `query ($type: BillType!, $first: Int!, $after: String, $filter: RideFilter) {
    bill(type: $type) {
      rides(first: $first, after: $after, filter: $filter) {
        edges { cursor node { id } }
        nodes { ${RIDE} }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }`;
  const rides = [];
  for (let after: string | null = null; ; ) {
    const { bill } = await data(sandbox, query, { type, first, after, filter });
    const { edges, nodes, pageInfo }: Page = bill.rides;
    expect(edges.map(({ node }) => node.id)).toEqual(nodes.map(({ id }) => id));
    expect(pageInfo).toMatchObject({
      hasPreviousPage: after !== null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    });
    expect(nodes.length).toBeLessThanOrEqual(first);
    rides.push(...nodes);
    if (!pageInfo.hasNextPage) return rides;
    expect(nodes).toHaveLength(first);
    after = pageInfo.endCursor;
  }
}

function cents(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
}

describe('a bill', () => {
  test.each([
    ['ALL', 0, 7],
    ['PAID', 1, 100],
    ['REFUND', 2, 1],
  ])('of the type %s has the rides that its download lists', async (type, billType, first) => {
    const sandbox = await start({ rows: 60 });
    const rows = await rowsOf(sandbox, { bill_type: billType });
    expect(rows.length).toBeGreaterThan(1);
    expect(await allRides(sandbox, first, type)).toEqual(rows.map(expectedRide));
  });

  test('with several chunks of content has every ride', async () => {
    const sandbox = await start({ rows: 2500 });
    const rides = await allRides(sandbox, 100);
    expect(rides.map(({ id }) => id)).toEqual((await rowsOf(sandbox)).map((row) => row.order_id));
  });

  test('has its sums', async () => {
    const sandbox = await start();
    const rows = await rowsOf(sandbox);
    const { bill } = await data(
      sandbox,
      '{ bill { __typename id date type count total cities hourlyAverage } }',
    );
    expect(bill).toEqual({
      __typename: 'Bill',
      id: '2026-11-19:ALL',
      date: '2026-11-19',
      type: 'ALL',
      count: 200,
      total: (cents(rows, 'paid_amount') / 100).toFixed(2),
      cities: [...new Set(rows.map((row) => row.city))].sort(),
      hourlyAverage: Array.from({ length: 24 }, (_, hour) => {
        const begun = rows.filter((row) => Number(row.started_at?.slice(11, 13)) === hour);
        const average = Math.round(cents(begun, 'amount') / begun.length) / 100;
        return begun.length > 0 ? average.toFixed(2) : null;
      }),
    });
    expect(bill.hourlyAverage.slice(21)).toEqual([expect.any(String), null, null]);
  });

  test('without rides has no averages', async () => {
    const { bill } = await data(
      await start({ rows: 0 }),
      '{ bill { count total cities hourlyAverage rides { nodes { id } pageInfo { endCursor } } } }',
    );
    expect(bill).toEqual({
      count: 0,
      total: '0.00',
      cities: [],
      hourlyAverage: null,
      rides: { nodes: [], pageInfo: { endCursor: null } },
    });
  });

  test('is that of the date, or null for a day without trades', async () => {
    const sandbox = await start();
    const query = `query ($date: Date) { bill(date: $date) { id date count } }`;
    expect(await data(sandbox, query, { date: '2026-08-20' })).toEqual({
      bill: { id: '2026-08-20:ALL', date: '2026-08-20', count: 200 },
    });
    expect(await data(sandbox, query, { date: '2026-10-13' })).toEqual({ bill: null });
    expect(await data(sandbox, query, { date: '2026-11-13' })).toMatchObject({
      bill: { count: 200 },
    });
    expect(await data(sandbox, query, { date: null })).toMatchObject({
      bill: { date: '2026-11-19' },
    });
  });

  test.each(['2026-08-19', '2026-11-20', '2030-01-01'])(
    'of %s is outside the window',
    async (date) => {
      expect(await failure(await start(), `{ bill(date: "${date}") { id } }`)).toEqual({
        message: 'date is not in 2026-08-20 to 2026-11-19',
        code: BAD_INPUT,
      });
    },
  );

  test.each([
    '2026-02-30',
    '20261119',
    '2026-11-19T00:00:00Z',
    'yesterday',
    '',
    20261119,
    ['2026-11-19'],
  ])('cannot be asked for by %j', async (date) => {
    const message = expect.stringContaining('is not a date written as YYYY-MM-DD');
    const sandbox = await start();
    const literal = `{ bill(date: ${JSON.stringify(date)}) { id } }`;
    expect(await failure(sandbox, literal)).toEqual({ message, code: BAD_INPUT });
    const query = 'query ($date: Date) { bill(date: $date) { id } }';
    expect(await failure(sandbox, query, { date })).toEqual({ message, code: BAD_INPUT });
  });

  test('of yesterday follows the time zone of the sandbox and the fault skew', async () => {
    const query = '{ bill { date } }';
    const west = await start({ timeZone: 'America/Los_Angeles' });
    expect(await data(west, query)).toEqual({ bill: { date: '2026-11-18' } });
    const ahead = await start({ faults: [{ name: 'skew', value: 86_400 }] });
    expect(await data(ahead, query)).toEqual({ bill: { date: '2026-11-20' } });
  });
});

describe('a filter', () => {
  test.each([
    [{ city: '杭州' }, (row: Row) => row.city === '杭州'],
    [{ carType: '豪华型' }, (row: Row) => row.car_type === '豪华型'],
    [{ minDistanceKm: 30.5 }, (row: Row) => Number(row.distance_km) >= 30.5],
    [{ discounted: true }, (row: Row) => row.discount !== '0.00'],
    [{ discounted: false }, (row: Row) => row.discount === '0.00'],
    [
      { payChannels: ['wechat', 'alipay'] },
      (row: Row) => row.pay_channel === 'wechat' || row.pay_channel === 'alipay',
    ],
    [{ payChannels: [] }, () => false],
    [
      { city: '北京', discounted: false, minDistanceKm: 10 },
      (row: Row) => row.city === '北京' && row.discount === '0.00' && Number(row.distance_km) >= 10,
    ],
    [
      { city: null, carType: null, minDistanceKm: null, discounted: null, payChannels: null },
      () => true,
    ],
    [{ city: 'nowhere' }, () => false],
  ])('%j selects the matching rides of the bill', async (filter, wanted) => {
    const sandbox = await start();
    const expected = (await rowsOf(sandbox)).filter(wanted).map((row) => row.order_id);
    for (const first of [5, 100]) {
      const rides = await allRides(sandbox, first, 'ALL', filter);
      expect(rides.map(({ id }) => id)).toEqual(expected);
    }
  });

  test('sets hasNextPage only if a matching ride follows', async () => {
    const sandbox = await start();
    const count = (await rowsOf(sandbox)).filter((row) => row.city === '杭州').length;
    const { bill } = await data(
      sandbox,
      `{ bill { rides(first: ${count}, filter: { city: "杭州" }) { pageInfo { hasNextPage } } } }`,
    );
    expect(bill.rides.pageInfo).toEqual({ hasNextPage: false });
  });
});

describe('a page', () => {
  test('can begin after any edge; after the last it is empty', async () => {
    const sandbox = await start({ rows: 5 });
    const query = `query ($after: String, $filter: RideFilter) {
      bill { rides(after: $after, filter: $filter) {
        edges { cursor node { id city } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } }
    }`;
    const page = async (after: string | null, filter = {}): Promise<Page> =>
      (await data(sandbox, query, { after, filter })).bill.rides;
    const { edges } = await page(null);
    expect(edges).toHaveLength(5);
    expect((await page(edges[1]?.cursor ?? '')).edges).toEqual(edges.slice(2));
    const empty = {
      edges: [],
      pageInfo: { hasNextPage: false, startCursor: null, endCursor: null },
    };
    const last = edges.at(-1)?.cursor ?? '';
    expect(await page(last)).toMatchObject(empty);
    expect((await page(last)).pageInfo.hasPreviousPage).toBe(true);
    // The filter lets through none of the rides before.
    expect((await page(last, { city: 'nowhere' })).pageInfo.hasPreviousPage).toBe(false);
  });

  test.each([0, -1, 101])('cannot have %d rides', async (first) => {
    expect(
      await failure(await start(), `{ bill { rides(first: ${first}) { nodes { id } } } }`),
    ).toEqual({ message: 'first is not in 1 to 100', code: BAD_INPUT });
  });

  test.each([
    '',
    'x',
    '!!!',
    '20261119000000001',
    Buffer.from('20261118000000001').toString('base64url'),
    Buffer.from('2026111900000000').toString('base64url'),
  ])('cannot come after %j', async (after) => {
    const query = 'query ($after: String) { bill { rides(after: $after) { nodes { id } } } }';
    expect(await failure(await start(), query, { after })).toEqual({
      message: 'after is not a cursor of the bill of 2026-11-19',
      code: BAD_INPUT,
    });
  });

  test('has ten rides by default', async () => {
    const { bill } = await data(await start(), '{ bill { rides { nodes { id } } } }');
    expect(bill.rides.nodes).toHaveLength(10);
  });
});

describe('bills', () => {
  test('are those of the last days, newest first', async () => {
    const { bills } = await data(await start(), '{ bills { id } }');
    expect(bills.map(({ id }: { id: string }) => id)).toEqual(
      [19, 18, 17, 16, 15, 14, 13].map((day) => `2026-11-${day}:ALL`),
    );
  });

  test('go back to the first day of the window, and skip days without trades', async () => {
    const { bills } = await data(await start(), '{ bills(last: 92, type: PAID) { date type } }');
    expect(bills).toHaveLength(90);
    expect(bills.at(-1)).toEqual({ date: '2026-08-20', type: 'PAID' });
    const dates = bills.map(({ date }: { date: string }) => date);
    expect(dates).not.toContain('2026-10-13');
    expect(dates).not.toContain('2026-09-13');
    expect(dates).toContain('2026-11-13');
  });

  test.each([0, 93])('of %d days cannot be requested', async (last) => {
    expect(await failure(await start(), `{ bills(last: ${last}) { id } }`)).toEqual({
      message: 'last is not in 1 to 92',
      code: BAD_INPUT,
    });
  });
});

const NOT_THERE = [
  '20261119000000200',
  '20261120000000000',
  '20260819000000000',
  '20261013000000000',
  '20261032000000000',
  '2026111900000000',
  '2026-11-19',
  'x',
  '',
];

describe('rides by id', () => {
  test('are in the requested order, with null for an unknown id', async () => {
    const sandbox = await start();
    const ids = ['20261119000000199', ...NOT_THERE, '20260820000000000', '20261119000000199'];
    const { rides } = await data(sandbox, 'query ($ids: [ID!]!) { rides(ids: $ids) { id date } }', {
      ids,
    });
    const last = { id: '20261119000000199', date: '2026-11-19' };
    const first = { id: '20260820000000000', date: '2026-08-20' };
    expect(rides).toEqual([last, ...NOT_THERE.map(() => null), first, last]);
  });

  test('are at most 100', async () => {
    const ids = Array.from({ length: 101 }, String);
    const query = 'query ($ids: [ID!]!) { rides(ids: $ids) { id } }';
    const message = 'ids has more than 100 ids';
    expect(await failure(await start(), query, { ids })).toEqual({ message, code: BAD_INPUT });
  });

  test('may be a single ride', async () => {
    const sandbox = await start();
    const [row = {}] = await rowsOf(sandbox);
    const query = `query ($id: ID!) { ride(id: $id) { ${RIDE} } }`;
    expect(await data(sandbox, query, { id: row.order_id })).toEqual({ ride: expectedRide(row) });
    expect(await data(sandbox, query, { id: 'x' })).toEqual({ ride: null });
  });
});

test('a node is any object with the id', async () => {
  const sandbox = await start();
  const made = await data(
    sandbox,
    'mutation { detect(text: "hello") { id } bookRide(input: { city: "杭州" }) { id } }',
  );
  const query = `query ($id: ID!) {
    node(id: $id) { __typename id ... on Bill { date type } ... on Ride { city } }
  }`;
  const node = async (id: string): Promise<unknown> => (await data(sandbox, query, { id })).node;
  expect(await node('2026-11-19:REFUND')).toEqual({
    __typename: 'Bill',
    id: '2026-11-19:REFUND',
    date: '2026-11-19',
    type: 'REFUND',
  });
  expect(await node('20261119000000000')).toMatchObject({ city: expect.any(String) });
  expect(await node(made.detect.id)).toEqual({ __typename: 'Detection', id: made.detect.id });
  expect(await node(made.bookRide.id)).toEqual({ __typename: 'Booking', id: made.bookRide.id });
  for (const id of [...NOT_THERE, '2026-10-13:ALL', '2026-11-20:ALL', '2026-11-19:all', 'x:ALL']) {
    expect(await node(id)).toBeNull();
  }
});

describe('a search', () => {
  const query = `query ($text: String!, $first: Int!) {
    search(text: $text, first: $first) {
      __typename
      ... on Bill { type }
      ... on Ride { city }
      ... on Detection { text }
    }
  }`;

  test('finds bills by date, detections by text and rides by date or city', async () => {
    const sandbox = await start({ rows: 50 });
    await data(sandbox, 'mutation { detect(text: "从杭州 on 2026-11-19") { id } }');
    const search = async (text: string, first: number): Promise<unknown[]> =>
      (await data(sandbox, query, { text, first })).search;

    const byDate = await search('2026-11', 100);
    expect(byDate.slice(0, 5)).toEqual([
      { __typename: 'Bill', type: 'ALL' },
      { __typename: 'Bill', type: 'PAID' },
      { __typename: 'Bill', type: 'REFUND' },
      { __typename: 'Detection', text: '从杭州 on 2026-11-19' },
      { __typename: expect.stringMatching(/Ride$/), city: expect.any(String) },
    ]);
    expect(byDate).toHaveLength(54);
    expect(await search('2026-11', 3)).toEqual(byDate.slice(0, 3));
    expect(await search('2026-11', 9)).toEqual(byDate.slice(0, 9));

    const [detection, ...rides] = await search('杭州', 100);
    expect(detection).toMatchObject({ __typename: 'Detection' });
    const count = (await rowsOf(sandbox)).filter((row) => row.city === '杭州').length;
    expect(rides).toHaveLength(count);
    expect(await search('nothing like that', 100)).toEqual([]);
  });

  test.each([
    [' ', 10, 'text is empty'],
    ['x'.repeat(100_001), 10, 'text has more than 100000 characters'],
    ['x', 0, 'first is not in 1 to 100'],
    ['x', 101, 'first is not in 1 to 100'],
  ])('of the kind %# is refused', async (text, first, message) => {
    expect(await failure(await start(), query, { text, first })).toEqual({
      message,
      code: BAD_INPUT,
    });
  });
});
