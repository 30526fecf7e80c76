import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import type { Readings } from '../../src/protocol/readings.ts';
import { sortedByName } from '../../src/signing/canonical.ts';
import { readCapture } from '../../src/signing/capture/read-capture.ts';
import { DIAGNOSIS_IDS } from '../../src/signing/diagnosis/mistake.ts';
import { explainSignature } from '../../src/signing/explain.ts';
import type { ReceivedRequest } from '../../src/signing/received-request.ts';
import { type Vector, vectorOf } from '../../src/signing/verification/vector.ts';
import { examineSignature } from '../../src/signing/verification/verify.ts';
import { testTable } from '../support/rows.ts';

interface VectorFile {
  readonly mode: string;
  readonly vectors: readonly (Vector & { readonly their_canonical?: string })[];
}

const directory = new URL('../vectors/', import.meta.url);
const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, directory), 'utf8'));

const schema = (await read('vector.schema.json')) as object;
const validate = new Ajv2020({ formats: {}, strict: false }).compile(schema);

/** The request of a vector, read from an HTTP message. */
async function requestOf({ request }: Vector) {
  const head = [
    'POST /path HTTP/1.1',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const body = Buffer.from(request.body, 'base64');
  return readCapture(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

/** The readings of `mop sign`. By default, verification accepts other readings too. */
const READINGS: Readings = { 'nested-json': 'compact', 'null-in-header': 'empty' };

function examine(vector: Vector, request: ReceivedRequest) {
  const others = vector.other_secrets ?? [];
  const secrets = [vector.secret, ...others].map((secret, index) => ({ name: `${index}`, secret }));
  return { secrets, ...examineSignature(request, secrets, { now: 0, readings: READINGS }) };
}

/** One valid vector and one for each single mistake: combinations take longer to find. */
function onePerMistake(vectors: readonly Vector[]): readonly Vector[] {
  const single = vectors.filter(({ diagnosis }) => diagnosis.length < 2);
  return [...new Map(single.map((vector) => [vector.diagnosis[0]?.id, vector])).values()];
}

const files = [
  { name: 'body.json', file: (await read('body.json')) as VectorFile },
  { name: 'header.json', file: (await read('header.json')) as VectorFile },
];

// The verdicts take half a minute, and several times longer while other tests run.
vi.setConfig({ testTimeout: 240_000 });

describe.each(files)('$name', ({ file }) => {
  it('matches its schema', () => {
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
  });

  it('gives each vector a distinct name', () => {
    const ids = file.vectors.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const id = (vector: Vector): string => vector.id;

  testTable(
    'every vector: the right signature, stage by stage',
    file.vectors,
    id,
    async (vector) => {
      const { mode, entries, canonical, signature } = explainSignature(
        await requestOf(vector),
        vector.secret,
        READINGS,
      );
      expect(mode).toBe(file.mode);
      expect(sortedByName(entries).map(({ name, value }) => [name, value])).toEqual(
        vector.stages.entries,
      );
      expect(canonical).toBe(vector.stages.canonical);
      expect(canonical + vector.secret).toBe(vector.stages.string_to_sign);
      expect(signature).toBe(vector.signature);
    },
  );

  testTable('every vector: the verdict', file.vectors, id, async (vector) => {
    const request = await requestOf(vector);
    const { verdict, content, signer } = examine(vector, request);
    const { valid, diagnosis } = verdict;
    expect(diagnosis.map(({ id, fields }) => ({ id, fields }))).toEqual(vector.diagnosis);
    expect(valid).toBe(vector.result === 'valid');
    // The found signer makes the same mistakes.
    expect(signer?.signature).toBe(content.signature);
    // A canonical string contains marks in place of the bytes of files.
    const hasFile = diagnosis.some(({ id }) => id === 'multipart-file-included');
    if (vector.their_canonical !== undefined && !hasFile) {
      expect(signer?.canonical).toBe(vector.their_canonical);
    }
  });

  testTable(
    'one vector of every mistake: saved again',
    onePerMistake(file.vectors),
    id,
    async (vector) => {
      const request = await requestOf(vector);
      const { secrets, ...examination } = examine(vector, request);
      const saved = vectorOf(request, examination, secrets);
      if (saved === undefined) throw new Error('not saved');
      const again = examine(saved, await requestOf(saved)).verdict;
      expect({ ...again, expected: '' }).toMatchObject({
        valid: vector.result === 'valid',
        diagnosis: vector.diagnosis,
      });
      expect(again.expected).toBe(saved.signature);
      expect(validate({ mode: file.mode, vectors: [saved] }), JSON.stringify(validate.errors)).toBe(
        true,
      );
    },
  );
});

it('contain every mistake at least twice, and many combinations', () => {
  const invalid = files.flatMap(({ file }) => file.vectors.filter((v) => v.result === 'invalid'));
  // A wrong version is not a mistake of the signer.
  const counts = DIAGNOSIS_IDS.filter((id) => id !== 'version').map((id) => ({
    id,
    alone: invalid.filter(({ diagnosis }) => diagnosis.length === 1 && diagnosis[0]?.id === id)
      .length,
  }));
  expect(counts.filter(({ alone }) => alone < 2)).toEqual([]);
  expect(invalid.filter(({ diagnosis }) => diagnosis.length === 2).length).toBeGreaterThan(40);
});
