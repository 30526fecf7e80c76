import { SIGN_HEADERS } from '../protocol/operations.ts';
import { sameName } from './header-mode.ts';

/** A spelling of the words of a header that the documents do not name. */
export type WordStyle = (word: string) => string;

const capitalized: WordStyle = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** `X-TMS-Request-Id`, `X-TMS-Request-ID` and `X-TMS-REQUEST-ID`, the likely one first. */
export const WORD_STYLES: readonly WordStyle[] = [
  capitalized,
  (word) => (word.length <= 3 ? word.toUpperCase() : capitalized(word)),
  (word) => word.toUpperCase(),
];

/** A header as the documents spell it; one that they do not name, in their manner. */
export function documentedName(name: string, style: WordStyle = capitalized): string {
  const documented = Object.values(SIGN_HEADERS).find((known) => sameName(known, name));
  return documented ?? inWords(name, style).replace(/^x-tms-/i, 'X-TMS-');
}

/** Each word of a header with a capital and else in lower case, as Go and others spell it. */
export function capitalizedName(name: string): string {
  return inWords(name, capitalized);
}

function inWords(name: string, style: WordStyle): string {
  return name.split('-').map(style).join('-');
}
