import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { call, envelopeOf, postJson, SECONDS, start } from './support.ts';

const PATH = '/takecar/estimate/price';
const HERE = { city: '杭州', lat: 30.27 };
const WEST_LAKE = { slat: 30.2489, slon: 120.1536 };
const AIRPORT = { dlat: 30.2295, dlon: 120.4345 };

interface Estimate {
  readonly car_type: string;
  readonly name: string;
  readonly price: number;
  readonly discount: number;
  readonly final_price: number;
}

interface Answer {
  readonly city: string;
  readonly currency: string;
  readonly distance_km: number;
  readonly duration_min: number;
  readonly estimates: readonly Estimate[];
}

/** The answer in header mode, as text. */
async function text(sandbox: Sandbox, fields: object): Promise<string> {
  const { headers, body } = signHeaders(JSON.stringify(fields), SANDBOX_CREDENTIALS, {
    timestamp: SECONDS,
  });
  const reply = await postJson(`${sandbox.url}/api/open${PATH}`, body ?? '', headers);
  expect(envelopeOf(reply)).toMatchObject({ code: 0, message: 'Success' });
  return reply.body.toString();
}

async function estimate(sandbox: Sandbox, fields: object): Promise<Answer> {
  return (JSON.parse(await text(sandbox, fields)) as { data: Answer }).data;
}

test('a request has plausible prices for each type of car', async () => {
  const { estimates, ...ride } = await estimate(await start(), HERE);
  expect(ride).toEqual({
    city: '杭州',
    currency: 'CNY',
    distance_km: expect.any(Number),
    duration_min: expect.any(Number),
  });
  expect(ride.distance_km).toBeGreaterThanOrEqual(2);
  expect(ride.distance_km).toBeLessThan(30);
  expect(ride.duration_min).toBeGreaterThan(0);
  expect(estimates.map(({ car_type, name }) => [car_type, name])).toEqual([
    ['economy', '经济型'],
    ['comfort', '舒适型'],
    ['business', '商务型'],
    ['luxury', '豪华型'],
  ]);
  const prices = estimates.map(({ price }) => price);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  for (const { price, discount, final_price } of estimates) {
    expect(discount).toBeLessThan(price);
    expect(final_price).toBeCloseTo(price - discount, 5);
  }
});

test('amounts have two decimals on the wire', async () => {
  const answer = await text(await start(), { ...HERE, ...WEST_LAKE, ...AIRPORT });
  const amounts = [...answer.matchAll(/"(?:distance_km|\w*price\w*|discount)":([^,}]*)/g)];
  expect(amounts).toHaveLength(1 + 4 * 5);
  for (const [, amount] of amounts) expect(amount).toMatch(/^\d+\.\d\d$/);
  expect(answer).toContain('"base_price":9.00');
});

test('the same request has the same answer, in every sandbox and in both modes', async () => {
  const [one, two] = [await start(), await start()];
  const answer = await estimate(one, HERE);
  expect(await estimate(two, HERE)).toEqual(answer);
  expect((await call(two, HERE, {}, PATH)).data).toEqual(answer);
  expect(await estimate(one, { ...HERE, city: '宁波' })).not.toMatchObject({
    distance_km: answer.distance_km,
  });
});

test('with start and destination, the distance is between them', async () => {
  const sandbox = await start();
  const ride = await estimate(sandbox, { ...HERE, ...WEST_LAKE, ...AIRPORT });
  expect(ride.distance_km).toBeCloseTo(27.07, 1);
  const { slat: lat, slon: lng } = WEST_LAKE;
  const alike = [
    { city: '杭州', lat, lng, ...AIRPORT },
    { city: '杭州', lat, lon: lng, ...AIRPORT },
  ];
  for (const fields of alike) {
    expect((await estimate(sandbox, fields)).distance_km).toBe(ride.distance_km);
  }
});

test.each([
  ['of zero length', { dlat: 30.27, dlon: 120, lng: 120 }, 0],
  ['to the opposite side of the earth', { dlat: -30.27, dlon: -60, lng: 120 }, 20_015.09],
])('a ride %s has a price', async (_, fields, kilometres) => {
  const { distance_km, duration_min, estimates } = await estimate(await start(), {
    ...HERE,
    ...fields,
  });
  expect(distance_km).toBe(kilometres);
  expect(duration_min).toBeGreaterThanOrEqual(1);
  expect(estimates[0]?.price).toBeCloseTo(9 + 1.8 * kilometres, 1);
});

test('car_type selects one type, with the same price', async () => {
  const sandbox = await start();
  const all = await estimate(sandbox, HERE);
  for (const one of all.estimates) {
    const answer = await estimate(sandbox, { ...HERE, car_type: one.car_type });
    expect(answer).toEqual({ ...all, estimates: [one] });
  }
});

test.each(['rocket', '', 'Economy', 1])('car_type %j is 1011', async (car_type) => {
  expect(await call(await start(), { ...HERE, car_type }, {}, PATH)).toEqual({
    code: 1011,
    message: 'Vehicle type invalid',
    data: {},
  });
});

test.each([
  [{ city: undefined }, 'city is missing'],
  [{ city: '' }, 'city is missing'],
  [{ city: 330100 }, 'city is a number, not a string'],
  [{ lat: undefined }, 'lat is missing'],
  [{ lat: null }, 'lat is missing'],
  [{ lat: 'north' }, 'lat is a string, not a number'],
  [{ lat: '30.27' }, 'lat is a string, not a number'],
  [{ lat: true }, 'lat is a boolean, not a number'],
  [{ lat: [30] }, 'lat is an array, not a number'],
  [{ lat: 90.01 }, 'lat is not in -90 to 90'],
  [{ lat: -91 }, 'lat is not in -90 to 90'],
  [{ lat: 9e200 }, 'lat is not in -90 to 90'],
  [{ lng: 181 }, 'lng is not in -180 to 180'],
  [{ lng: 1, lon: 'x' }, 'lon is a string, not a number'],
  [{ slat: 91 }, 'slat is not in -90 to 90'],
  [{ slon: -181 }, 'slon is not in -180 to 180'],
  [{ dlat: {} }, 'dlat is an object, not a number'],
  [{ dlon: '1,5' }, 'dlon is a string, not a number'],
])('%j is 1001', async (change, message) => {
  const answer = { code: 1001, message, data: {} };
  expect(await call(await start(), { ...HERE, ...change }, {}, PATH)).toEqual(answer);
});

test('the ranges include their ends', async () => {
  const fields = { city: '杭州', lat: 90, lng: -180, dlat: -90, dlon: 180 };
  expect((await call(await start(), fields, {}, PATH)).code).toBe(0);
});
