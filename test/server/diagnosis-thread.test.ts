import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_READINGS } from '../../src/protocol/readings.ts';
import { printEnvelope } from '../../src/sandbox/envelope.ts';
import { signatureCheck } from '../../src/sandbox/signature-check.ts';
import { call, NOW, post, start } from '../sandbox/support.ts';
import { job, signedAs, thread, unexplained } from './support.ts';

const DUMPED = String.raw`[{"name": "\u897f\u6e56", "at": "b/c"}]`;

test('eleven fields signed with json.dumps and str of Python are diagnosed', async () => {
  const answer = await post(await start(), signedAs({ gone: 'None', paid: 'True', stops: DUMPED }));
  const ids = ['null-included', 'boolean-reformatted', 'nested-spacing', 'nested-escaped-unicode'];
  expect(answer).toMatchObject({
    code: 1002,
    data: { diagnosis: ids.map((id) => ({ id })), search: 'complete' },
  });
});

test('a search does not delay other requests', async () => {
  const sandbox = await start();
  const order: string[] = [];
  const wrong = post(sandbox, unexplained(1)).then(({ data }) => order.push(data.search ?? ''));
  // The search takes a hundred times as long as this call.
  order.push((await call(sandbox)).message);
  await wrong;
  // On a busy machine a search may take more than 8 seconds.
  expect(order).toEqual(['Success', expect.stringMatching(/^(?:complete|skipped)$/)]);
});

/** The program of a thread that handles each job with these statements. */
const handling = (statements: string): string =>
  `const { parentPort } = require('worker_threads');
   let count = 0;
   parentPort.on('message', ({ number, job: { request: { body } } }) => {
     const answer = (found, to = number) => parentPort.postMessage({ number: to, answer: found });
     ${statements}
   });`;

test('the same request is searched once', async () => {
  const searcher = thread(handling('answer(++count)'));
  const searches = ['a', 'a', 'b'].map((body) => searcher.search(job(body)));
  expect(await Promise.all(searches)).toEqual([1, 1, 2]);
  expect(await searcher.search(job('b'))).toBe(2);
});

test.each([
  ['does not parse', 'this is not a program'],
  ['ends immediately', ''],
  ['ends with a job', "require('worker_threads').parentPort.once('message', () => process.exit())"],
])("the main thread does a short search if the worker's program %s", async (_, program) => {
  const searcher = thread(program);
  const searches = [unexplained(0), signedAs({ paid: 'True' })].map((body) =>
    searcher.search(job(body)),
  );
  expect(await Promise.all(searches)).toMatchObject([
    { diagnosis: [], complete: false },
    { diagnosis: [{ id: 'boolean-reformatted' }], complete: true },
  ]);
});

test('the next worker repeats a search that ended in the main thread', async () => {
  const searcher = thread(handling("body.includes('seq 1') ? process.exit() : answer(body)"));
  const body = unexplained(0);
  const searches = [unexplained(1), body].map((each) => searcher.search(job(each)));
  expect(await searches[1]).toMatchObject({ complete: false });
  expect(await searcher.search(job(body))).toBe(body);
});

test('the thread sees no variable of the process', async () => {
  const searcher = thread(handling('answer(Object.keys(process.env))'));
  expect(await searcher.search(job('{}'))).toEqual([]);
});

test('when 64 searches wait, a new one is skipped, but a known result is returned', async () => {
  const searcher = thread(handling('answer(body)'));
  const search = (body: string) => searcher.search(job(body));
  await search('known');
  const bodies = Array.from({ length: 64 }, (_, index) => `${index}`);
  const waiting = bodies.map(search);
  expect(await Promise.all([search('more'), search('known')])).toEqual([undefined, 'known']);
  expect(await Promise.all(waiting)).toEqual(bodies);
  expect(await search('more')).toBe('more');
});

test('a search that takes more than 8 seconds is skipped, and its result serves the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const searcher = thread(handling('if (++count === 2) answer("a", 0)'));
  const check = signatureCheck(DEFAULT_READINGS, async () => searcher);
  const request = { body: unexplained(0) };
  const checked = check(request, NOW);
  // The check starts the search after some turns of the event loop.
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(8000);
  const { refusal, findings } = await checked;
  expect(findings).toMatchObject({ diagnosis: [], search: 'skipped' });
  expect(refusal && printEnvelope(refusal)).toContain('"search":"skipped"');
  void searcher.search(job(unexplained(1)));
  expect(await searcher.search(job(request.body))).toBe('a');
  expect(vi.getTimerCount()).toBe(1);
});

test('close ends running searches and prevents new ones', async () => {
  const searcher = thread();
  const search = searcher.search(job(unexplained(0)));
  await searcher.close();
  expect(await search).toEqual({ diagnosis: [], complete: false });
  expect(await searcher.search(job(unexplained(1)))).toBeUndefined();
});
