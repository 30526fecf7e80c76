import { request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_READINGS } from '../../src/protocol/readings.ts';
import { signatureCheck } from '../../src/sandbox/authentication.ts';
import { printEnvelope } from '../../src/sandbox/operation.ts';
import type { DiagnosisThread } from '../../src/server/diagnosis/diagnosis-thread.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
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

test('the search for a client that disconnects stops', async () => {
  const entries: LogEntry[] = [];
  const { url } = await start({ log: (entry) => entries.push(entry) });
  const headers = { 'Content-Type': 'application/json' };
  const outgoing = request(`${url}/open/v1/trade/bill`, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => {}).end(unexplained(2));
  // The search takes more than a second.
  await new Promise((resolve) => outgoing.once('finish', () => setTimeout(resolve, 100)));
  outgoing.destroy();
  await vi.waitFor(() => expect(entries).toMatchObject([{ code: 1002, search: 'skipped' }]));
});

/** The program of a thread that answers each job but the first with these expressions. */
const answering = (expression: string): string =>
  `const { parentPort } = require('worker_threads');
   const messages = [];
   parentPort.on('message', ({ number, question, cancelled, job }) => {
     messages.push(question ?? cancelled);
     if (number > 0) parentPort.postMessage({ number, answer: ${expression} });
   });`;

test.each([
  ['does not parse', 'this is not a program'],
  ['ends immediately', ''],
  ['ends with a job', "require('worker_threads').parentPort.once('message', () => process.exit())"],
])("the main thread does a short search if the worker's program %s", async (_, program) => {
  const searcher = thread(program);
  const searches = [unexplained(0), signedAs({ paid: 'True' })].map((body) =>
    searcher.ask('search', job(body)),
  );
  expect(await Promise.all(searches)).toMatchObject([
    { diagnosis: [], complete: false },
    { diagnosis: [{ id: 'boolean-reformatted' }], complete: true },
  ]);
});

test('the next search starts a new worker', async () => {
  const searcher = thread(
    "require('worker_threads').parentPort.once('message', () => process.exit())",
  );
  const body = signedAs({ paid: 'True' });
  expect(await searcher.ask('search', job(body))).toMatchObject({ complete: true });
  expect(await searcher.ask('search', job(body))).toMatchObject({ complete: true });
});

test('the thread sees no variable of the process', async () => {
  const searcher = thread(answering('Object.keys(process.env)'));
  void searcher.ask('search', job('first'));
  expect(await searcher.ask('search', job('{}'))).toEqual([]);
});

describe('a search is cancelled', () => {
  const messagesOf = (searcher: DiagnosisThread) => searcher.ask('search', job('next'));

  test('when its client disconnects', async () => {
    const searcher = thread(answering('messages'));
    const client = new AbortController();
    const search = searcher.ask('search', job(unexplained(0)), client.signal);
    client.abort();
    expect(await search).toBeUndefined();
    expect(await messagesOf(searcher)).toEqual(['search', 0, 'search']);
  });

  test('after 8 seconds, when the answer without it is sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const searcher = thread(answering('messages'));
    const check = signatureCheck(DEFAULT_READINGS, async () => searcher);
    const checked = check({ body: unexplained(0) }, NOW, new AbortController().signal);
    // The check starts the search after some turns of the event loop.
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    vi.advanceTimersByTime(8000);
    const { refusal, findings } = await checked;
    expect(findings).toMatchObject({ diagnosis: [], search: 'skipped' });
    expect(refusal && printEnvelope(refusal)).toContain('"search":"skipped"');
    expect(await messagesOf(searcher)).toEqual(['search', 0, 'search']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('when the thread is closed, which answers no new one', async () => {
    const searcher = thread();
    const search = searcher.ask('search', job(unexplained(0)));
    await searcher.close();
    expect(await search).toBeUndefined();
    expect(await searcher.ask('search', job(unexplained(1)))).toBeUndefined();
  });
});
