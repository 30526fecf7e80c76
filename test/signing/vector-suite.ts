import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Readings } from '../../src/protocol/readings.ts';
import { readCapture } from '../../src/signing/capture/read-capture.ts';
import type { ReceivedRequest } from '../../src/signing/received-request.ts';
import { type Vector, type VectorFile, vectorOf } from '../../src/signing/verification/vector.ts';
import { examineSignature } from '../../src/signing/verification/verify.ts';

/** A vector of test/vectors. */
export type SuiteVector = Vector & { readonly their_canonical?: string };

interface SuiteFile extends VectorFile {
  readonly vectors: readonly SuiteVector[];
}

const directory = new URL('../vectors/', import.meta.url);
const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, directory), 'utf8'));

export const FILES = [
  { name: 'body.json', file: (await read('body.json')) as SuiteFile },
  { name: 'header.json', file: (await read('header.json')) as SuiteFile },
];

/** The vector with the shortest body of each combination of up to `most` mistakes. */
export function onePerDiagnosis<V extends SuiteVector>(
  vectors: readonly V[],
  most: number,
): readonly V[] {
  const kind = ({ diagnosis }: SuiteVector): string => diagnosis.map(({ id }) => id).join();
  const few = vectors.filter(({ diagnosis }) => diagnosis.length <= most);
  // A map keeps the last vector of a kind.
  const longestFirst = few.toSorted((a, b) => b.request.body.length - a.request.body.length);
  return [...new Map(longestFirst.map((vector) => [kind(vector), vector])).values()];
}

const validate = new Ajv2020({ formats: {}, strict: false }).compile(
  (await read('vector.schema.json')) as object,
);

/** Asserts that a file fits test/vectors/vector.schema.json. */
export function expectSchema(file: unknown): void {
  expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
}

/** The request of a vector, read from an HTTP message. */
export function requestOf(vector: Vector) {
  return readCapture(messageOf(vector));
}

/** The request of a vector as an HTTP message. */
export function messageOf({ request }: Vector): Uint8Array {
  const head = [
    'POST /path HTTP/1.1',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const body = Buffer.from(request.body, 'base64');
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The readings of `mop sign`. By default, verification accepts other readings too. */
export const READINGS: Readings = { 'nested-json': 'compact', 'null-in-header': 'empty' };

function secretsOf({ secret, other_secrets: others = [] }: Vector) {
  return [secret, ...others].map((secret, index) => ({ name: `${index}`, secret }));
}

function examine(vector: Vector, request: ReceivedRequest) {
  return examineSignature(request, secretsOf(vector), { now: 0, readings: READINGS });
}

/** Asserts the verdict about a vector, and that the found signer makes the same mistakes. */
export async function expectVerdict(vector: SuiteVector): Promise<void> {
  examined(vector, await requestOf(vector));
}

function examined(vector: SuiteVector, request: ReceivedRequest) {
  const examination = examine(vector, request);
  const { verdict, content, signer } = examination;
  expect(verdict.diagnosis.map(({ id, fields }) => ({ id, fields }))).toEqual(vector.diagnosis);
  expect(verdict.valid).toBe(vector.result === 'valid');
  expect(signer?.signature).toBe(content.signature);
  // A canonical string contains marks in place of the bytes of files.
  const hasFile = verdict.diagnosis.some(({ id }) => id === 'multipart-file-included');
  if (vector.their_canonical !== undefined && !hasFile) {
    expect(signer?.canonical).toBe(vector.their_canonical);
  }
  return examination;
}

/** Asserts that `mop sign verify --save-vector` saves a vector with the same verdict. */
export async function expectSaved(vector: SuiteVector & { readonly mode: string }): Promise<void> {
  const request = await requestOf(vector);
  const saved = vectorOf(request, examined(vector, request), secretsOf(vector));
  if (saved === undefined) throw new Error('not saved');
  const again = examine(saved, await requestOf(saved)).verdict;
  expect({ ...again, expected: '' }).toMatchObject({
    valid: vector.result === 'valid',
    diagnosis: vector.diagnosis,
  });
  expect(again.expected).toBe(saved.signature);
  expectSchema({ mode: vector.mode, vectors: [saved] });
}
