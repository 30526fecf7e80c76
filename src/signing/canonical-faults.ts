import { COMMON_FIELDS, SIGN_HEADERS } from '../protocol/operations.ts';
import { compareNames } from './canonical.ts';
import { pairsOf } from './compare.ts';

const { version, apiKey, timestamp, seqId } = SIGN_HEADERS;
/** A request of header mode may lack the nonce. */
const COMMON_HEADERS = [version, apiKey, timestamp, seqId];
const SIGNATURES = new Set(['sign', SIGN_HEADERS.sign.toLowerCase()]);

/**
 * The rules of D1 section 5 that a canonical string breaks, as predicates: `contains city twice`.
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
  const [before, after] = [names[unsorted - 1], names[unsorted]].map(short);
  const faults: readonly (string | false | undefined)[] = [
    canonical !== canonical.trim() && 'begins or ends with white space',
    signature && `contains the signature (${signature})`,
    repeated !== undefined && `contains ${short(repeated)} twice`,
    unsorted !== -1 && `is not sorted by name (${before} before ${after})`,
    missing.length > 0 && `lacks ${missing.join(', ')}`,
  ];
  return faults.filter((fault) => typeof fault === 'string');
}

function short(name = ''): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
