import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { DEFAULT_READINGS } from '../../src/protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { SANDBOX_SECRETS } from '../../src/sandbox/authentication.ts';
import { DiagnosisThread } from '../../src/server/diagnosis/diagnosis-thread.ts';
import type { SearchJob } from '../../src/server/diagnosis/search-job.ts';
import { SECONDS } from '../sandbox/support.ts';

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
export function signedAs(
  texts: Readonly<Record<string, string | null>>,
  body: object = FIELDS,
): string {
  const pairs = Object.entries(body)
    .map(([name, value]) => [name, name in texts ? texts[name] : correctText(value)] as const)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `${name}=${text}`)
    .sort();
  const sign = createHash('md5')
    .update(pairs.join('&') + SANDBOX_CREDENTIALS.secret)
    .digest('hex')
    .toUpperCase();
  return JSON.stringify({ ...body, sign });
}

function correctText(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A body whose signature no known mistake explains. */
export function unexplained(seed: number): string {
  const { lat, stops, memo, gone, ...few } = FIELDS;
  return signedAs({ city: `another ${seed}` }, { ...few, seq_id: `seq ${seed}` });
}

/** A thread that ends with the test. */
export function thread(program?: string): DiagnosisThread {
  const created = new DiagnosisThread(program);
  onTestFinished(() => created.close());
  return created;
}

export const job = (body: string): SearchJob => ({
  request: { body },
  readings: DEFAULT_READINGS,
  secrets: SANDBOX_SECRETS,
});
