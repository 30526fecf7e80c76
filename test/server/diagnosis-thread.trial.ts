import { expect, test } from 'vitest';
import { job, signedAs, thread, unexplained } from './support.ts';

test('a search does not wait for those whose clients have disconnected', async () => {
  const searcher = thread();
  const clients = new AbortController();
  // Together they take longer than the 8 seconds that a search may wait.
  const long = Array.from({ length: 50 }, (_, seed) =>
    searcher.ask('search', job(unexplained(seed)), clients.signal),
  );
  clients.abort();
  expect(await Promise.all(long)).toEqual(Array(50).fill(undefined));
  expect(await searcher.ask('search', job(signedAs({ paid: 'True' })))).toMatchObject({
    diagnosis: [{ id: 'boolean-reformatted' }],
  });
});
