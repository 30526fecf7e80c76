import { expect, it } from 'vitest';
import { MISTAKES } from '../../../src/signing/diagnosis/dimensions.ts';
import type { DiagnosisId } from '../../../src/signing/diagnosis/mistake.ts';
import { md5 } from '../../support/platform.ts';
import { bareRequest, caseOf, idsOf, OTHERS, RICH_BODY, RICH_HEADERS, search } from './support.ts';

it.each([
  ['RICH_BODY', RICH_BODY, MISTAKES],
  ['RICH_HEADERS', RICH_HEADERS, MISTAKES.slice(0, 8)],
] as const)('one mistake of any kind is found alone in %s', (_, request, mistakes) => {
  const { evidence, right } = caseOf(request, md5('nobody').toUpperCase(), OTHERS);
  for (const mistake of mistakes) {
    // A search is slow, so try only the last variant.
    for (const { title, change } of mistake.variants(evidence).slice(-1)) {
      const found = search(request, change(right).signature);
      expect(found.diagnosis, title).toHaveLength(1);
      const [id] = idsOf(found) as [DiagnosisId];
      // Another mistake may give the same bytes; the first one is reported.
      if (id !== mistake.id) expect(found.alternatives, title).toContain(mistake.id);
      expect(found.signer?.signature).toBe(change(right).signature);
    }
  }
});

it('a search in 500 fields ends early', () => {
  const fields = Array.from({ length: 500 }, (_, index) => [`field ${index}`, index * 1.1]);
  const request = bareRequest(JSON.stringify(Object.fromEntries(fields)));
  const { complete, candidates } = search(request, md5('nobody').toUpperCase());
  expect(complete).toBe(false);
  expect(candidates).toBeGreaterThan(1000);
});
