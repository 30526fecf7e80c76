import { EventEmitter } from 'node:events';
import { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import type { LogEntry } from '../../../src/server/log-entry.ts';
import { NOW, send, start } from '../support.ts';
import { countTimers, data, openStream, post, resultsIn } from './support.ts';

const STEPS = ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'];

/** A function that says how many listen to the events of sandboxes that start from here on. */
function countListeners(): () => number {
  const on = vi.spyOn(EventEmitter.prototype, 'on');
  onTestFinished(() => on.mockRestore());
  return () => {
    const reported = on.mock.calls.map(
      ([name], index) => name === 'value' && on.mock.contexts[index],
    );
    const emitters = [...new Set(reported)].filter((it) => it instanceof EventEmitter);
    return emitters.reduce((sum, emitter) => sum + emitter.listenerCount('value'), 0);
  };
}

describe.each(['GET', 'POST'] as const)('a stream opened by %s', (method) => {
  test('has the steps of a ride and ends', async () => {
    const sandbox = await start();
    const query =
      'subscription { rideProgress(everyMs: 0) { id city carType passengers stops step } }';
    const stream = await openStream(sandbox, query, method);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(stream.response.headers).not.toHaveProperty('content-encoding');
    const text = await stream.end();
    expect(stream.response.complete).toBe(true);
    expect(text).toMatch(/\n\nevent: complete\ndata:\n\n$/);
    const bookings = resultsIn(text).map((result) => result.data.rideProgress);
    const usual = { city: '杭州', carType: '经济型', passengers: 1, stops: [] };
    expect(bookings).toEqual(STEPS.map((step) => ({ id: bookings[0].id, ...usual, step })));
    expect(await data(sandbox, `{ node(id: "${bookings[0].id}") { id } }`)).toEqual({ node: null });
  });

  test('has the result of a query and ends', async () => {
    const text = await (await openStream(await start(), '{ bill { id } }', method)).end();
    expect(resultsIn(text)).toEqual([{ data: { bill: { id: '2026-11-19:ALL' } } }]);
    expect(text).toContain('event: complete');
  });

  test('has the error of an invalid document', async () => {
    const text = await (await openStream(await start(), '{ nothing }', method)).end();
    expect(resultsIn(text)).toMatchObject([
      { errors: [{ message: 'Cannot query field "nothing" on type "Query".' }] },
    ]);
  });

  test('is refused for a document that does not parse', async () => {
    const stream = await openStream(await start(), '{', method);
    expect(stream.response.statusCode).toBe(400);
    expect(JSON.parse(await stream.end())).toMatchObject({
      errors: [{ message: 'Syntax Error: Expected Name, found <EOF>.' }],
    });
  });
});

test('a subscription is a stream for clients that list other types as well', async () => {
  const sandbox = await start();
  const query = 'subscription { rideProgress(everyMs: 0) { step } }';
  for (const accept of ['text/event-stream, multipart/mixed', 'application/json, */*;q=0.1']) {
    const reply = await post(sandbox, query, {}, { Accept: accept });
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const steps = resultsIn(reply.body.toString()).map(({ data }) => data.rideProgress.step);
    expect(steps).toEqual(STEPS);
  }
});

test('a mutation needs a POST', async () => {
  const sandbox = await start();
  const mutation = 'mutation { detect(text: "a") { text } }';
  expect((await openStream(sandbox, mutation, 'GET')).response.statusCode).toBe(405);
  const text = await (await openStream(sandbox, mutation, 'POST')).end();
  expect(resultsIn(text)).toEqual([{ data: { detect: { text: 'a' } } }]);
});

test.each([
  ['rideProgress(everyMs: -1) { id }', 'everyMs is not in 0 to 10000'],
  ['rideProgress(everyMs: 10001) { id }', 'everyMs is not in 0 to 10000'],
  ['rideProgress(city: "") { id }', 'city is empty'],
])('%s is refused', async (field, message) => {
  const text = await (await openStream(await start(), `subscription { ${field} }`)).end();
  expect(resultsIn(text)).toMatchObject([
    { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] },
  ]);
});

test('bookings and detections are reported', async () => {
  const sandbox = await start();
  const all = await openStream(sandbox, 'subscription { rideBooked { city step } }');
  const some = await openStream(
    sandbox,
    'subscription { rideBooked(city: "上海") { city } }',
    'GET',
  );
  const texts = await openStream(sandbox, 'subscription { detected { text } }');
  const grave = await openStream(
    sandbox,
    'subscription { detected(atLeast: HIGH) { text level } }',
  );
  await Promise.all([all, some, texts, grave].map((stream) => stream.until(':')));

  await data(
    sandbox,
    `mutation {
      a: bookRide(input: { city: "杭州" }) { id }
      b: bookRide(input: { city: "上海" }) { id }
      c: detect(text: "The sky is blue.") { id }
      d: detect(text: "You only need me.") { id }
    }`,
  );
  const progress = 'subscription { rideProgress(city: "南京", everyMs: 0) { id } }';
  await (await openStream(sandbox, progress)).end();

  expect(resultsIn(await all.until('南京'))).toEqual(
    ['杭州', '上海', '南京'].map((city) => ({ data: { rideBooked: { city, step: 'REQUESTED' } } })),
  );
  expect(resultsIn(await some.until('上海'))).toEqual([{ data: { rideBooked: { city: '上海' } } }]);
  expect(resultsIn(await texts.until('only'))).toEqual(
    ['The sky is blue.', 'You only need me.'].map((text) => ({ data: { detected: { text } } })),
  );
  expect(resultsIn(await grave.until('only'))).toEqual([
    { data: { detected: { text: 'You only need me.', level: 'HIGH' } } },
  ]);
});

test('no listener remains for a disconnected client', async () => {
  const listeners = countListeners();
  const sandbox = await start();
  const streams = await Promise.all([
    openStream(sandbox, 'subscription { rideBooked { id } }', 'GET'),
    openStream(sandbox, 'subscription { detected { id } }'),
  ]);
  await Promise.all(streams.map((stream) => stream.until(':')));
  expect(listeners()).toBe(2);
  for (const stream of streams) stream.request.destroy();
  await vi.waitFor(() => expect(listeners()).toBe(0));
});

test('the next event waits until the connection takes more', async () => {
  const mustWait: boolean[] = [];
  const { write } = ServerResponse.prototype;
  const writing = vi.spyOn(ServerResponse.prototype, 'write').mockImplementation(function (
    this: ServerResponse,
    ...given: unknown[]
  ) {
    mustWait.push(this.writableNeedDrain);
    return Reflect.apply(write, this, given);
  });
  onTestFinished(() => writing.mockRestore());
  const sandbox = await start();
  const fields = Array.from({ length: 400 }, (_, at) => `a${at}: city`).join(' ');
  const stream = await openStream(sandbox, `subscription { rideBooked { ${fields} } }`);
  await stream.until(':');
  const [city, last] = ['x'.repeat(100), 'y'.repeat(100)];
  await data(
    sandbox,
    `mutation {
      a: bookRide(input: { city: "${city}" }) { id }
      b: bookRide(input: { city: "${city}" }) { id }
      c: bookRide(input: { city: "${last}" }) { id }
    }`,
  );
  await stream.until(last);
  expect(mustWait.length).toBeGreaterThanOrEqual(3);
  expect(mustWait).not.toContain(true);
});

test('a ride is removed when its reader disconnects', async () => {
  const sandbox = await start();
  const stream = await openStream(sandbox, 'subscription { rideProgress(everyMs: 10000) { id } }');
  const [first] = resultsIn(await stream.until('"id"'));
  const query = `{ node(id: "${first?.data.rideProgress.id}") { __typename } }`;
  expect(await data(sandbox, query)).toEqual({ node: { __typename: 'Booking' } });
  stream.request.destroy();
  await vi.waitFor(async () => expect(await data(sandbox, query)).toEqual({ node: null }));
});

test('a ride that is cancelled ends', async () => {
  const sandbox = await start();
  const stream = await openStream(sandbox, 'subscription { rideProgress(everyMs: 100) { id } }');
  const [first] = resultsIn(await stream.until('"id"'));
  const id = first?.data.rideProgress.id;
  await data(sandbox, `mutation { cancelBooking(id: "${id}") { id } }`);
  const text = await stream.end();
  expect(text).toContain('event: complete');
  expect(resultsIn(text).length).toBeLessThan(5);
});

test('streams end with the sandbox, and are logged then', async () => {
  const entries: LogEntry[] = [];
  const [listeners, timers] = [countListeners(), countTimers()];
  const sandbox = await startSandbox({ now: () => NOW, log: (entry) => entries.push(entry) });
  const streams = [
    await openStream(sandbox, 'subscription { rideBooked { id } }'),
    await openStream(sandbox, 'subscription { rideProgress(everyMs: 10000) { id } }', 'GET'),
  ];
  await Promise.all(streams.map((stream) => stream.until(':')));
  expect(entries).toEqual([]);
  expect(timers()).toBe(2);
  await sandbox.close();
  await Promise.all(streams.map((stream) => stream.end()));
  await vi.waitFor(() => expect(entries).toHaveLength(2));
  expect(entries).toMatchObject([
    { path: '/graphql', status: 200, error: undefined },
    { path: '/graphql', status: 200, error: undefined },
  ]);
  expect([listeners(), timers()]).toEqual([0, 0]);
});

test('sums under way end with the sandbox', async () => {
  const sandbox = await startSandbox({ now: () => NOW, rows: 50_000_000 });
  const fields =
    'bill { count rides(filter: { city: "x" }) { nodes { id } } } ride(id: "20261119999999999") { id }';
  const query = `query=${encodeURIComponent(`{ ${fields} }`)}`;
  const reply = send(`${sandbox.url}/graphql?${query}`);
  await send(`${sandbox.url}/graphql?query={detections{id}}`);
  await Promise.all([sandbox.close(), expect(reply).rejects.toThrow()]);
});
