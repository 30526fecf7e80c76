import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import {
  type DownloadResources,
  withDownloadSlot,
} from '../../../src/platform/bills/download-slots.ts';

/** A download that the test ends. */
function download(signal?: AbortSignal) {
  let resources: DownloadResources | undefined;
  let end = (_error?: Error): void => {};
  const done = withDownloadSlot(
    (given) =>
      new Promise<void>((resolve, reject) => {
        resources = given;
        end = (error) => (error ? reject(error) : resolve());
      }),
    signal,
  ).catch((error: Error) => error.message);
  const finish = async (error?: Error) => {
    end(error);
    return done;
  };
  onTestFinished(async () => void (await finish()));
  return { resources: () => resources, isAlone: () => resources?.isAlone, done, finish };
}

it('runs 16 concurrent downloads, and the others in their order', async () => {
  const all = Array.from({ length: 18 }, () => download());
  const started = () => all.map((one) => one.resources() !== undefined).lastIndexOf(true) + 1;
  await nextTurn();
  expect(started()).toBe(16);
  expect(await all[3]?.finish(new Error('it failed'))).toBe('it failed');
  expect(started()).toBe(17);
  await all[5]?.finish();
  await nextTurn();
  expect(started()).toBe(18);
  for (const one of all) await one.finish();
});

it('removes an interrupted download from the queue, and keeps the order of the others', async () => {
  const running = Array.from({ length: 16 }, () => download());
  const interruption = new AbortController();
  const interrupted = download(interruption.signal);
  const next = download();
  await nextTurn();
  interruption.abort(new Error('interrupted'));
  expect(await interrupted.done).toBe('interrupted');
  await running[0]?.finish();
  await nextTurn();
  expect([interrupted.resources(), next.resources()]).toEqual([undefined, expect.anything()]);
  for (const one of [...running, next]) await one.finish();
});

it('gives large buffers and a second thread to one download at a time', async () => {
  const [first, second] = [download(), download()];
  expect([first.isAlone(), second.isAlone()]).toEqual([true, false]);
  expect(second.resources()?.chunkBytes).toBeLessThan(first.resources()?.chunkBytes ?? 0);
  await first.finish();
  const third = download();
  expect(third.isAlone()).toBe(false);
  await Promise.all([second.finish(), third.finish()]);
  expect(download().isAlone()).toBe(true);
});
