import { expect, onTestFinished, test, vi } from 'vitest';
import { job, signedAs, thread, unexplained } from './support.ts';

test('quick searches overtake long ones, of which at most four wait', async () => {
  // On a busy machine the searches take more than 8 seconds, so the timer of that limit never fires.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const searcher = thread();
  const order: string[] = [];
  const search = async (body: string) => {
    const found = await searcher.search(job(body));
    order.push(found ? (found.diagnosis[0]?.id ?? 'none') : 'skipped');
  };
  const long = [0, 1, 2, 3, 4].map(unexplained);
  await Promise.all([...long, signedAs({ paid: 'True' })].map(search));
  expect(order).toEqual(['skipped', 'boolean-reformatted', 'none', 'none', 'none', 'none']);
  await Promise.all(long.slice(3).map(search));
  expect(order.slice(6)).toEqual(['none', 'none']);
});
