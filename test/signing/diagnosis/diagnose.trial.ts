import { expect, it } from 'vitest';
import { md5 } from '../../support/platform.ts';
import { bareRequest, search } from './support.ts';

it('a search in 500 fields ends early', () => {
  const fields = Array.from({ length: 500 }, (_, index) => [`field ${index}`, index * 1.1]);
  const request = bareRequest(JSON.stringify(Object.fromEntries(fields)));
  const { complete, candidates } = search(request, md5('nobody').toUpperCase());
  expect(complete).toBe(false);
  expect(candidates).toBeGreaterThan(1000);
});

it('a search in a request of megabytes ends early', () => {
  const request = bareRequest(JSON.stringify({ text: 'x'.repeat(3_000_000) }));
  const { complete, candidates } = search(request, md5('nobody').toUpperCase());
  expect(complete).toBe(false);
  expect(candidates).toBeGreaterThan(20);
  expect(candidates).toBeLessThan(500);
});
