import { COMMON_FIELDS, SIGN_HEADERS } from '../protocol/operations.ts';
import { compareNames } from './canonical.ts';
import { pairsOf } from './compare.ts';

const { version, apiKey, timestamp, seqId } = SIGN_HEADERS;
/** A request of header mode may lack the nonce. */
const COMMON_HEADERS = [version, apiKey, timestamp, seqId];
const SIGNATURES = new Set(['sign', SIGN_HEADERS.sign.toLowerCase()]);

/**
 * The rules of D1 section 5 that a canonical string breaks. Rules that need the request are skipped.
 * Each result completes a sentence about the string, such as `contains city twice`.
 */
export function canonicalFaults(canonical: string): readonly string[] {
  const names = pairsOf(canonical.trim()).map(({ name }) => name);
  const signature = names.find((name) => SIGNATURES.has(name.toLowerCase()));
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  const unsorted = names.findIndex(
    (name, at) => at > 0 && compareNames(names[at - 1] ?? '', name) > 0,
  );
  const isHeaderMode = names.some((name) => /^x-tms-/i.test(name));
  const common: readonly string[] = isHeaderMode ? COMMON_HEADERS : COMMON_FIELDS;
  const inString = new Set(names);
  const missing = common.filter((name) => !inString.has(name));
  const faults: readonly [fault: string, applies: boolean][] = [
    ['begins or ends with white space', canonical !== canonical.trim()],
    [`contains the signature (${signature})`, signature !== undefined],
    [`contains ${short(repeated)} twice`, repeated !== undefined],
    [
      `is not sorted by name (${short(names[unsorted - 1])} before ${short(names[unsorted])})`,
      unsorted !== -1,
    ],
    [`lacks ${missing.join(', ')}`, missing.length > 0],
  ];
  return faults.flatMap(([fault, applies]) => (applies ? [fault] : []));
}

/** Truncates a name for a message: in a string without pairs, the name can be very long. */
function short(name = ''): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

const MAX_NAME = 40;
