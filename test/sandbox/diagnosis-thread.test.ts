import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { DiagnosisThread } from '../../src/sandbox/diagnosis-thread.ts';
import type { SearchJob } from '../../src/sandbox/diagnosis-worker.ts';
import { printEnvelope } from '../../src/sandbox/envelope.ts';
import { signatureCheck } from '../../src/sandbox/signature-check.ts';
import { call, NOW, post, SECONDS, start } from './support.ts';

const { secret } = SANDBOX_CREDENTIALS;

/** Eleven fields, of which a language prints four in its own way. */
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

/** A body signed over its fields, some of them with these texts; null leaves a field out. */
function signedAs(texts: Readonly<Record<string, string | null>>, body: object = FIELDS): string {
  const pairs = Object.entries(body)
    .map(([name, value]) => [name, name in texts ? texts[name] : rightText(value)] as const)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => (text?.startsWith(`${name}%5B`) ? text : `${name}=${text}`))
    .sort();
  const sign = createHash('md5')
    .update(pairs.join('&') + secret)
    .digest('hex')
    .toUpperCase();
  return JSON.stringify({ ...body, sign });
}

function rightText(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A body whose signature no signer made. */
const unexplained = (seed: number): string =>
  signedAs({ city: `another ${seed}` }, { ...FIELDS, seq_id: `seq ${seed}` });

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
  const wrong = [1, 2, 3].map(async (seed) => {
    const { data } = await post(sandbox, unexplained(seed));
    order.push(data.search ?? '');
  });
  // The first search alone takes a hundred times as long.
  order.push((await call(sandbox)).message);
  await Promise.all(wrong);
  expect(order).toEqual(['Success', 'complete', 'complete', 'complete']);
});

function thread(program?: string): DiagnosisThread {
  const own = new DiagnosisThread(program);
  onTestFinished(() => own.close());
  return own;
}

const job = (body: string): SearchJob => ({ request: { body }, secret, options: {} });

test('the same request is searched once', async () => {
  const own = thread();
  const found = own.search(job(unexplained(0)));
  expect(own.search(job(unexplained(0)))).toBe(found);
  expect(own.search(job(unexplained(1)))).not.toBe(found);
});

test.each([
  ['does not parse', 'this is no program'],
  ['ends at once', ''],
  ['ends with a job', "require('worker_threads').parentPort.once('message', () => process.exit())"],
])('with a program that %s the search is done here, cut short', async (_, program) => {
  const own = thread(program);
  const searches = [unexplained(0), signedAs({ paid: 'True' })].map((body) =>
    own.search(job(body)),
  );
  expect(await Promise.all(searches)).toMatchObject([
    { diagnosis: [], complete: false },
    { diagnosis: [{ id: 'boolean-reformatted' }], complete: true },
  ]);
});

test('the thread sees no variable of the process', async () => {
  const program = `const { parentPort } = require('worker_threads');
    parentPort.on('message', () => parentPort.postMessage(Object.keys(process.env)));`;
  expect(await thread(program).search(job('{}'))).toEqual([]);
});

test('no more than 8 searches wait, and the answer to another says that it was skipped', async () => {
  const own = thread('setInterval(() => {}, 1000)');
  const searches = Array.from({ length: 9 }, (_, seed) => own.search(job(unexplained(seed))));
  expect(searches.slice(0, 8)).not.toContain(undefined);
  expect(searches[8]).toBeUndefined();
  const check = signatureCheck(undefined, async () => own);
  const { refusal, findings } = await check({ body: unexplained(9) }, NOW);
  expect(findings).toMatchObject({ diagnosis: [], search: 'skipped' });
  expect(refusal && printEnvelope(refusal)).toContain('"search":"skipped"');
});

test('closing ends searches under way and allows no other', async () => {
  const own = thread();
  const search = own.search(job(unexplained(0)));
  await own.close();
  expect(await search).toEqual({ diagnosis: [], complete: false });
  expect(own.search(job(unexplained(1)))).toBeUndefined();
});
