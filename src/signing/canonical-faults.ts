import { COMMON_FIELDS, SIGN_HEADERS } from '../protocol/operations.ts';
import { compareNames } from './canonical.ts';
import { pairsOf } from './compare.ts';

const { sign: _, ...SIGNED_HEADERS } = SIGN_HEADERS;
const COMMON_HEADERS = Object.values(SIGNED_HEADERS);
const SIGNATURES = new Set(['sign', SIGN_HEADERS.sign.toLowerCase()]);

/**
 * The rules of D1 section 5 that a canonical string breaks, as far as it shows without its request.
 * Each completes a sentence about it, such as `contains city twice`.
 */
export function canonicalFaults(canonical: string): readonly string[] {
  const names = pairsOf(canonical.trim()).map(({ name }) => name);
  const signature = names.find((name) => SIGNATURES.has(name.toLowerCase()));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  const unsorted = names.findIndex(
    (name, at) => at > 0 && compareNames(names[at - 1] ?? '', name) > 0,
  );
  const isHeaderMode = names.some((name) => /^x-tms-/i.test(name));
  const common: readonly string[] = isHeaderMode ? COMMON_HEADERS : COMMON_FIELDS;
  const missing = common.filter((name) => !names.includes(name));
  const faults: readonly [fault: string, applies: boolean][] = [
    ['begins or ends with white space', canonical !== canonical.trim()],
    [`contains the signature (${signature})`, signature !== undefined],
    [`contains ${repeated} twice`, repeated !== undefined],
    [`is not sorted by name (${names[unsorted - 1]} before ${names[unsorted]})`, unsorted !== -1],
    [`lacks ${missing.join(', ')}`, missing.length > 0],
  ];
  return faults.flatMap(([fault, applies]) => (applies ? [fault] : []));
}
