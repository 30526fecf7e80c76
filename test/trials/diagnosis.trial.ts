import { expect, it } from 'vitest';
import { attempts, withSuspect } from '../../src/signing/diagnosis/attempts.ts';
import { habitsFor } from '../../src/signing/diagnosis/habits.ts';
import {
  laterSuspects,
  suspectsFor,
  visibleMistakes,
} from '../../src/signing/diagnosis/suspects.ts';
import { verifySignature } from '../../src/signing/verification/verify.ts';
import { bareRequest, caseOf, RICH_BODY, SIGNATURE_SHAPES } from '../signing/diagnosis/support.ts';
import { credentials } from '../signing/helpers.ts';
import { md5 } from '../support/platform.ts';
import { times } from './scale.ts';

const SHAPES = Object.entries(SIGNATURE_SHAPES);
const SIGNATURES = 20_000;
/** Per shape: single mistakes and habits; in a long run also the first combinations. */
const SIGNERS = times(2000, 20_000);

it.each(SHAPES)('no signer produces a random signature of the shape %s', (_, shape) => {
  const random = (seed: number): string => shape(md5(`random ${seed}`).toUpperCase());
  const signatures = new Set(
    Array.from({ length: Math.ceil(SIGNATURES / SHAPES.length) }, (_, seed) => random(seed)),
  );
  const { evidence, right } = caseOf(RICH_BODY, random(0));
  const starts = visibleMistakes(evidence).map((suspects) =>
    suspects.reduce(withSuspect, { signer: right, suspects: [] }),
  );
  const suspects = suspectsFor(evidence, false);
  const later = () => laterSuspects(right, evidence, suspects);
  const suspected = { suspects: () => suspects, later, habits: () => habitsFor(evidence) };
  let tried = 0;
  for (const { signer } of attempts(starts, suspected, evidence, 6)) {
    expect(signatures.has(signer.signature)).toBe(false);
    if (++tried === SIGNERS) break;
  }
  expect(tried).toBe(SIGNERS);
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
