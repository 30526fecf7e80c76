import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_READINGS } from '../../src/protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { printEnvelope } from '../../src/sandbox/envelope.ts';
import { SANDBOX_SECRETS, signatureCheck } from '../../src/sandbox/signature-check.ts';
import { DiagnosisThread } from '../../src/server/diagnosis/diagnosis-thread.ts';
import type { SearchJob } from '../../src/server/diagnosis/search-job.ts';
import { call, NOW, post, SECONDS, start } from '../sandbox/support.ts';

const { secret } = SANDBOX_CREDENTIALS;

/** Eleven fields; languages print several of them differently. */
const FIELDS = {
  api_key: 'sandbox',
  seq_id: '9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21',
  timestamp: SECONDS,
  nonce: 'abcdefghij',
  city: '杭州',
  remark: 'a b',
  memo: '',
  gone: null,
  paid: true,
  lat: 30.27,
  stops: [{ name: '西湖', at: 'b/c' }],
};

/** A body whose signature uses `texts` for some fields; null leaves a field out. */
function signedAs(texts: Readonly<Record<string, string | null>>, body: object = FIELDS): string {
  const pairs = Object.entries(body)
    .map(([name, value]) => [name, name in texts ? texts[name] : correctText(value)] as const)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => (text?.startsWith(`${name}%5B`) ? text : `${name}=${text}`))
    .sort();
  const sign = createHash('md5')
    .update(pairs.join('&') + secret)
    .digest('hex')
    .toUpperCase();
  return JSON.stringify({ ...body, sign });
}

function correctText(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A body whose signature no known mistake explains. */
function unexplained(seed: number): string {
  const { lat, stops, memo, gone, ...few } = FIELDS;
  return signedAs({ city: `another ${seed}` }, { ...few, seq_id: `seq ${seed}` });
}

const ESCAPED = String.raw`[{"name":"\u897f\u6e56","at":"b\/c"}]`;
const DUMPED = String.raw`[{"name": "\u897f\u6e56", "at": "b/c"}]`;

test.each([
  [
    'json.dumps of Python',
    { gone: 'None', paid: 'True', stops: DUMPED },
    ['null-included', 'boolean-reformatted', 'nested-spacing', 'nested-escaped-unicode'],
  ],
  [
    'str of Python',
    { gone: 'None', paid: 'True', stops: "[{'name': '西湖', 'at': 'b/c'}]" },
    ['null-included', 'boolean-reformatted', 'nested-flattened'],
  ],
  [
    'json_encode of PHP',
    { gone: '', paid: '1', stops: ESCAPED },
    ['null-included', 'boolean-reformatted', 'nested-escaped-unicode', 'nested-escaped-slash'],
  ],
  [
    'json_encode of PHP for nested values only',
    { gone: 'null', stops: ESCAPED },
    ['null-included', 'nested-escaped-unicode', 'nested-escaped-slash'],
  ],
  [
    'http_build_query of PHP',
    {
      city: '%E6%9D%AD%E5%B7%9E',
      remark: 'a+b',
      gone: null,
      paid: '1',
      stops: 'stops%5B0%5D%5Bname%5D=%E8%A5%BF%E6%B9%96&stops%5B0%5D%5Bat%5D=b%2Fc',
    },
    ['value-url-encoded', 'boolean-reformatted', 'nested-flattened'],
  ],
])('eleven fields signed with the defaults of %s are diagnosed', async (_, texts, ids) => {
  const answer = await post(await start(), signedAs(texts));
  expect(answer).toMatchObject({
    code: 1002,
    data: { diagnosis: ids.map((id) => ({ id })), search: 'complete' },
  });
});

test('a search does not delay other requests', async () => {
  const sandbox = await start();
  const order: string[] = [];
  const wrong = [1, 2].map(async (seed) => {
    const { data } = await post(sandbox, unexplained(seed));
    order.push(data.search ?? '');
  });
  // One search takes a hundred times as long as this call.
  order.push((await call(sandbox)).message);
  await Promise.all(wrong);
  // On a busy machine a search may take more than 8 seconds.
  const searched = expect.stringMatching(/^(?:complete|skipped)$/);
  expect(order).toEqual(['Success', searched, searched]);
});

function thread(program?: string): DiagnosisThread {
  const created = new DiagnosisThread(program);
  onTestFinished(() => created.close());
  return created;
}

const job = (body: string): SearchJob => ({
  request: { body },
  readings: DEFAULT_READINGS,
  secrets: SANDBOX_SECRETS,
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
