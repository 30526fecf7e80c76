import { SIGN_HEADERS } from '../protocol/operations.ts';

/** A header as the documents spell it; one that they do not name, in their manner. */
export function documentedName(name: string): string {
  const documented = Object.values(SIGN_HEADERS).find(
    (known) => known.toLowerCase() === name.toLowerCase(),
  );
  return documented ?? capitalizedName(name).replace(/^x-tms-/i, 'X-TMS-');
}

/** Each word of a header with a capital and else in lower case, as Go and others spell it. */
export function capitalizedName(name: string): string {
  return name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
