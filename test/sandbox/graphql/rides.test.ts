import { expect, it } from 'vitest';
import {
  findRides,
  type PageArguments,
  type Ride,
  ridePage,
  rideReader,
} from '../../../src/sandbox/graphql/rides.ts';
import { checkRows } from '../../support/rows.ts';

const DATE = '2026-11-19';
const NEVER = new AbortController().signal;
const ROWS = 700;

const cursor = (index: number): string =>
  Buffer.from(`20261119${String(index).padStart(9, '0')}`).toString('base64url');

async function all(type: 'all' | 'paid' | 'refund'): Promise<Ride[]> {
  const rides: Ride[] = [];
  for await (const ride of rideReader(ROWS)({ date: DATE, type }, NEVER)) rides.push(ride);
  return rides;
}

const FILTERS: readonly [
  filter: NonNullable<PageArguments['filter']> | null,
  matches: (ride: Ride) => boolean,
][] = [
  [null, () => true],
  [{ city: '杭州' }, ({ city }) => city === '杭州'],
  [{ discounted: true, carType: '豪华型' }, (r) => r.discount !== null && r.carType === '豪华型'],
  [{ minDistanceKm: 90 }, ({ distanceKm }) => distanceKm >= 90],
  [{ payChannels: [] }, () => false],
];

it('a page from any cursor is that of a pass over the whole bill', () =>
  checkRows(['all', 'paid', 'refund'] as const, async (type) => {
    const rides = await all(type);
    const read = rideReader(ROWS);
    for (const [filter, matches] of FILTERS) {
      for (const index of [null, 699, 0, 255, 256, 257, 3, 511, 512, 640, 698, 700, 99_999]) {
        const after = index === null ? null : cursor(index);
        const id = index === null ? '' : `20261119${String(index).padStart(9, '0')}`;
        const matching = rides.filter(matches);
        const wanted = matching.filter((ride) => ride.id > id);
        const page = await ridePage(
          read,
          { date: DATE, type },
          { first: 20, after, filter },
          NEVER,
        );
        const nodes = wanted.slice(0, 20);
        expect([index, filter, page.nodes]).toEqual([index, filter, nodes]);
        expect(page.pageInfo).toEqual({
          hasNextPage: wanted.length > 20,
          hasPreviousPage: matching.length > wanted.length,
          startCursor: page.edges[0]?.cursor,
          endCursor: page.edges.at(-1)?.cursor,
        });
      }
    }
  }));

it('finds rides by id in any order', async () => {
  const rides = await all('all');
  const ids = [699, 0, 256, 3, 256, 698].map((index) => rides[index]?.id ?? '');
  const found = await findRides(rideReader(ROWS), [...ids, '20261119000000700'], [DATE], NEVER);
  expect(found.map((ride) => ride?.id ?? null)).toEqual([...ids, null]);
});

// A pass over the orders before each of them would take minutes.
it('reads a page at the end of a large bill as quickly as at its start', async () => {
  const read = rideReader(500_000);
  const bill = { date: DATE, type: 'all' } as const;
  for (let index = 499_000; index < 499_100; index++) {
    const page = await ridePage(read, bill, { first: 1, after: cursor(index) }, NEVER);
    expect(page.nodes.map(({ id }) => id)).toEqual([`20261119000${index + 1}`]);
  }
});
