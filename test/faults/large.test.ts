import { expect, it, onTestFinished, vi } from 'vitest';
import { ThreadHash } from '../../src/platform/bills/thread-hash.ts';
import { expectFault, head, raw } from './support.ts';

it('the hash thread of a large corrupt bill is closed after each attempt', async () => {
  const closed = vi.spyOn(ThreadHash.prototype, 'close');
  onTestFinished(() => closed.mockRestore());
  const bytes = 9 * 1024 ** 2;
  const broken = Buffer.alloc(bytes);
  broken.set([0x1f, 0x8b, 0xff]);
  const fault = raw(() => [head(`Content-Length: ${bytes}`), broken]);
  await expectFault('download', fault, { code: 7, message: /the download is corrupt/ });
  // Two attempts.
  expect(closed).toHaveBeenCalledTimes(2);
  await Promise.all(closed.mock.results.map(({ value }) => value));
});
