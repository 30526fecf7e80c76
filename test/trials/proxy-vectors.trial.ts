import { expect, test } from 'vitest';
import { printJson } from '../../src/json/print.ts';
import { SIGN_HEADERS } from '../../src/protocol/operations.ts';
import { DIAGNOSIS_IDS, type KnownSecret } from '../../src/signing/diagnosis/mistake.ts';
import { type Header, sameName } from '../../src/signing/header-mode.ts';
import { readBody } from '../../src/signing/value-text.ts';
import type { Vector, VectorFile } from '../../src/signing/verification/vector.ts';
import { verifySignature } from '../../src/signing/verification/verify.ts';
import { proxyTo } from '../proxy/support.ts';
import { send } from '../sandbox/support.ts';
import { onePerDiagnosis, FILES as SUITE } from '../signing/vector-suite.ts';
import { envelope, type Received, serve } from '../support/server.ts';
import { isLong } from './scale.ts';

const VECTORS = SUITE.flatMap(({ file: { mode, vectors } }) =>
  vectors.map((vector) => ({ ...vector, mode })),
);
const PATHS = { body: '/open/v1/user/sync', header: '/api/open/user/sync' } as const;

const bodyOf = ({ request }: Vector): Buffer => Buffer.from(request.body, 'base64');

test('the proxy forwards every signed vector unchanged, and reports its diagnosis', async () => {
  const upstream = await serve((_, response) => envelope(response, 0));
  // One proxy for all vectors: starting its thread is slow.
  const secrets: KnownSecret[] = [];
  const { url } = await proxyTo(upstream.url, { secrets });
  const named = new Set<string>();
  // The search for several mistakes is slow.
  for (const vector of isLong ? VECTORS : onePerDiagnosis(VECTORS, 1)) {
    const { id, mode, secret, other_secrets = [], request, diagnosis } = vector;
    const known = [secret, ...other_secrets];
    secrets.splice(0, secrets.length, ...known.map(asKnown));
    const body = bodyOf(vector);
    const headers = wireHeaders(request.headers);
    const reply = await send(url + PATHS[mode], { method: 'POST', headers, body });
    const ids = listOf(diagnosis);
    const found = reply.headers['x-mop-diagnosis'];
    // The vectors are wrong under the readings of mop sign; the proxy accepts every reading.
    const expected = found === ids ? ids : underAnyReading(vector);
    expect(`${id}: ${found}`).toBe(`${id}: ${expected}`);
    expect(upstream.requests.at(-1)?.body).toBe(body.toString());
    for (const each of diagnosis) named.add(each.id);
  }
  // test/proxy/proxy.test.ts tests `version`; no vector has another version.
  expect(DIAGNOSIS_IDS.filter((id) => !named.has(id))).toEqual(['version']);
});

const asKnown = (secret: string): KnownSecret => ({ name: secret, apiKey: undefined, secret });

function listOf(diagnosis: readonly { readonly id: string }[]): string {
  return [...new Set(diagnosis.map(({ id }) => id))].join(',') || 'ok';
}

function underAnyReading({ request, secret, other_secrets = [] }: Vector): string {
  const body = Buffer.from(request.body, 'base64').toString();
  const received = { headers: request.headers, body };
  return listOf(verifySignature(received, [secret, ...other_secrets], { now: 0 }).diagnosis);
}

test('the proxy signs every valid vector without its signature as before', async () => {
  const upstream = await serve((_, response) => envelope(response, 0));
  // One proxy for all vectors of a secret: starting its thread is slow.
  const proxies = new Map<string, Promise<{ readonly url: string }>>();
  const proxyWith = (secret: string): Promise<{ readonly url: string }> => {
    const proxy =
      proxies.get(secret) ?? proxyTo(upstream.url, { credentials: { apiKey: 'unused', secret } });
    proxies.set(secret, proxy);
    return proxy;
  };
  for (const vector of VECTORS.filter(isComplete)) {
    const { url } = await proxyWith(vector.secret);
    const { headers, body } = unsigned(vector, vector.mode);
    const reply = await send(url + PATHS[vector.mode], { method: 'POST', headers, body });
    expect(`${vector.id}: ${reply.status} ${signatureOf(upstream.requests.at(-1))}`).toBe(
      `${vector.id}: 200 ${vector.signature}`,
    );
  }
});

/** Whether a vector is valid and has all fields that would be generated. */
function isComplete({ result, request, mode }: (typeof VECTORS)[number]): boolean {
  const hasNonce = request.headers.some(([name]) => sameName(name, SIGN_HEADERS.nonce));
  return result === 'valid' && (mode === 'body' || hasNonce);
}

/** Adds Host, which Node does not add to a list of headers. */
function wireHeaders(headers: readonly Header[]): readonly string[] {
  return [['Host', 'localhost'], ...headers].flat();
}

/** The request of a vector before it was signed. */
function unsigned(vector: Vector, mode: VectorFile['mode']) {
  const headers = vector.request.headers.filter(([name]) => !sameName(name, SIGN_HEADERS.sign));
  const isForm = headers.some(([, value]) => value.startsWith('multipart/form-data'));
  if (isForm || mode === 'header') return { headers: wireHeaders(headers), body: bodyOf(vector) };
  const members = readBody(bodyOf(vector).toString()).filter(({ name }) => name !== 'sign');
  return { headers: wireHeaders(headers), body: printJson({ kind: 'object', members }) };
}

function signatureOf(received: Received | undefined): string | undefined {
  const header = received?.rawHeaders.findIndex((name) => sameName(name, SIGN_HEADERS.sign)) ?? -1;
  if (header !== -1) return received?.rawHeaders[header + 1];
  return JSON.parse(received?.body ?? '{}').sign;
}
