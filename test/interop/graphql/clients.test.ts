/** Tests the sandbox with third-party GraphQL clients and tools. */
import { expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { sandbox } from '../../support/platform.ts';
import { run } from './programs.ts';

/** The address of a sandbox that is closed after the test. */
async function endpoint(): Promise<string> {
  const { env } = await sandbox();
  return `${env.MOP_BASE_URL}/graphql`;
}

/** Runs a program of `clients/` against a sandbox. Returns its output. */
async function client(name: string): Promise<unknown> {
  return JSON.parse(await run(`clients/${name}.js`, await endpoint()));
}

/** The results of `rideProgress`, from the first step to the last. */
const STEPS = ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'];

const INVALID = expect.stringContaining('Cannot query field "nothing"');

it('graphql-request', async () => {
  expect(await client('graphql-request')).toEqual({
    query: { bills: [{ date: '2026-11-19', type: 'REFUND' }] },
    mutation: { bookRide: { city: '杭州', passengers: 2 } },
    error: INVALID,
  });
});

it('Apollo Client, over HTTP, over a WebSocket and in batches', async () => {
  const __typename = 'Booking';
  expect(await client('apollo-client')).toMatchObject({
    query: { bills: [{ __typename: 'Bill', id: '2026-11-19:ALL', date: '2026-11-19' }] },
    mutation: { bookRide: { __typename, city: '杭州' } },
    error: INVALID,
    subscription: STEPS.map((step) => ({ rideProgress: { __typename, step } })),
    // Refused with a reason.
    batch: [expect.stringMatching(/batch/i), expect.stringMatching(/batch/i)],
  });
});

it('urql, with subscriptions over server-sent events', async () => {
  expect(await client('urql')).toEqual({
    query: { bills: [{ date: '2026-11-19', type: 'ALL' }] },
    error: INVALID,
    subscription: STEPS.map((step) => ({ rideProgress: { step } })),
  });
});

it('graphql-sse', async () => {
  const results = STEPS.map((step) => ({ data: { rideProgress: { step } } }));
  const { distinct, single } = (await client('graphql-sse')) as Record<string, unknown>;
  expect(distinct).toEqual(results);
  expect(single).toEqual({ refused: expect.stringContaining('405') });
  const reservation = await fetch(await endpoint(), { method: 'PUT' });
  expect(await reservation.text()).toContain('single-connection mode');
});

it('graphql-js 16.11 reads the whole schema', async () => {
  expect(await client('graphql-js')).toEqual({
    fields: expect.arrayContaining(['bill', 'node', 'search']),
    unknownLocations: [],
  });
});

it('GraphQL Code Generator generates types', async () => {
  const files = (await client('codegen')) as Record<string, string>;
  const types = files['generated/graphql.ts'] ?? '';
  expect(types).toContain('export type BillsQueryVariables');
  expect(types).toMatch(/export type BillsQuery = .*date: .*city: string/s);
});

it.each([
  ['a query', 'query AppQuery { bill { date rides { nodes { city } } } }', ['AppQuery']],
  [
    'a connection with pages',
    `query AppQuery { bill { ...App_bill } }
     fragment App_bill on Bill
     @refetchable(queryName: "AppPageQuery")
     @argumentDefinitions(
       first: { type: "Int", defaultValue: 2 }
       after: { type: "String" }
     ) {
       rides(first: $first, after: $after) @connection(key: "App_rides") {
         edges { node { city } }
       }
     }`,
    ['AppPageQuery', 'AppQuery', 'App_bill'],
  ],
])('relay-compiler compiles %s', async (_, document, artifacts) => {
  const { stdout: schema } = await mop(['gql', 'schema', await endpoint()]);
  expect(JSON.parse(await run('clients/relay-compiler.js', schema, document))).toEqual({
    files: artifacts.map((name) => `${name}.graphql.js`),
  });
});
