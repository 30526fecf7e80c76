import { expect, it } from 'vitest';
import { answering, endpoint, failureOf } from './support.ts';

it('the parts of @defer may not exceed 64 MiB in total', async () => {
  const part = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n---`;
  const large = part(`{"hasNext":true}${' '.repeat(1 << 24)}`);
  const body = `\r\n---${part('{"data":{"a":1.0},"hasNext":true}')}${large.repeat(4)}--\r\n`;
  const headers = { 'Content-Type': 'multipart/mixed; boundary="-"; deferSpec=20220824' };
  const { client } = await endpoint(answering(200, body, headers));
  const deferred = { kind: 'query', query: '{ a ... @defer { b } }' } as const;
  const { code, message, details } = await failureOf(() => client.send(deferred));
  expect([code, message]).toEqual(['api', expect.stringContaining('more than 64 MiB')]);
  expect(details.hint).toContain('stream');
});
