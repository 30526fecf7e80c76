import { expect, test } from 'vitest';
import {
  MAX_BODY_BYTES,
  MAX_EXCHANGES,
  RequestHistory,
} from '../../../src/server/requests/history.ts';
import { EXCHANGE } from './support.ts';

test('keeps the last exchanges, numbered from 1', () => {
  const history = new RequestHistory();
  for (let count = 0; count < MAX_EXCHANGES + 3; count++) history.add(EXCHANGE);
  const ids = history.exchanges.map(({ id }) => id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_EXCHANGES, 4, MAX_EXCHANGES + 3]);
  expect([history.find(3), history.find(4)?.id]).toEqual([undefined, 4]);
});

test('a listener receives each new exchange until it unsubscribes', () => {
  const history = new RequestHistory();
  const received: number[] = [];
  history.add(EXCHANGE);
  const unsubscribe = history.subscribe(({ id }) => received.push(id));
  history.add(EXCHANGE);
  unsubscribe();
  history.add(EXCHANGE);
  expect(received).toEqual([2]);
});

const LONG = 'é'.repeat(MAX_BODY_BYTES / 2);

test.each([
  ['a text at the limit', LONG, true],
  ['a longer text', `${LONG}a`, false],
  ['a form at the limit', [{ name: 'a', value: LONG.slice(1) }], true],
  ['a longer form', [{ name: 'ab', value: LONG }], false],
])('the request with %s is kept: %3$s', (_, body, isKept) => {
  const history = new RequestHistory();
  history.add({ ...EXCHANGE, request: { body } });
  expect(history.find(1)?.request !== undefined).toBe(isKept);
});

test('the body of an answer is truncated at the limit', () => {
  const history = new RequestHistory();
  history.add({ ...EXCHANGE, answer: { headers: [], body: LONG, isTruncated: false } });
  history.add({ ...EXCHANGE, answer: { headers: [], body: `${LONG}abc`, isTruncated: false } });
  expect(history.find(1)?.answer).toEqual({ headers: [], body: LONG, isTruncated: false });
  expect(history.find(2)?.answer).toEqual({ headers: [], body: LONG, isTruncated: true });
});
