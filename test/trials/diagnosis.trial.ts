import { expect, it } from 'vitest';
import { attempts, baselinesOf, variantsFor } from '../../src/signing/diagnosis/attempts.ts';
import type { ReceivedRequest } from '../../src/signing/received-request.ts';
import { verifySignature } from '../../src/signing/verification/verify.ts';
import { bareRequest, caseOf, RICH_BODY, SIGNATURE_SHAPES } from '../signing/diagnosis/support.ts';
import { credentials } from '../signing/helpers.ts';
import { md5 } from '../support/platform.ts';
import { times } from './scale.ts';

const SHAPES = Object.entries(SIGNATURE_SHAPES);
const SIGNATURES = 20_000;

/** Tries up to `count` signers, and returns their number. None may have one of the signatures. */
function tryAll(request: ReceivedRequest, signatures: ReadonlySet<string>, count: number): number {
  const [first = ''] = signatures;
  const { evidence, right } = caseOf(request, first);
  const [usual, ...others] = baselinesOf(right, evidence);
  if (!usual) throw new Error('the signature has an unknown form');
  const extent = { maxCost: 6, maxCount: count };
  const variants = variantsFor(evidence, false);
  let tried = 0;
  for (const attempt of attempts([usual, ...others], evidence, variants, extent)) {
    if (attempt === undefined) continue;
    const { signer } = attempt;
    if (signatures.has(signer.signature)) throw new Error(`explained: ${signer.signature}`);
    if (++tried === count) break;
  }
  return tried;
}

function randomSignatures(count: number, shape: (hex: string) => string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: count }, (_, seed) => shape(md5(`random ${seed}`).toUpperCase())),
  );
}

it.each(SHAPES)('no signer produces a random signature of the shape %s', (_, shape) => {
  const count = times(1000, 20_000);
  const signatures = randomSignatures(Math.ceil(SIGNATURES / SHAPES.length), shape);
  expect(tryAll(RICH_BODY, signatures, count)).toBe(count);
});

it('no signer of many small requests produces one of 20,000 random signatures', () => {
  const signatures = randomSignatures(SIGNATURES, (hex) => hex);
  const values = ['"x"', '1', '1.50', 'true', 'null', '""', '[1]', '{"k":"a b"}', '"2026-11-19"'];
  // As many signers as with `--effort low`.
  // The first five pairs have every value, and the first 81 are all pairs.
  for (let seed = 0; seed < times(5, 100); seed++) {
    const at = 2 * seed;
    const [first, second] = [values[at % 9], values[(at + 1 + Math.floor(seed / 9)) % 9]];
    const json = `{"a":${first},"b${seed}":${second},"timestamp":${1795132800 + seed}}`;
    expect(tryAll(bareRequest(json), signatures, 18_000)).toBeGreaterThan(5000);
  }
});

it('a complete search does not explain a random signature', () => {
  const request = bareRequest('{"a":"x y","n":1.5,"o":{"k":"中/","list":[1,true]},"none":null}');
  for (let seed = 0; seed < times(1, 3); seed++) {
    const { evidence } = caseOf(request, md5(`random ${seed}`).toUpperCase());
    const body = JSON.stringify(request.body).replace(/[0-9A-F]{32}/, evidence.signature);
    const verdict = verifySignature({ body: JSON.parse(body) }, credentials.secret, { now: 0 });
    expect(verdict).toMatchObject({ diagnosis: [], complete: true });
    expect(verdict.candidates).toBeGreaterThan(20_000);
  }
});
