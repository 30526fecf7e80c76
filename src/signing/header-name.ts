import { SIGN_HEADERS } from '../protocol/operations.ts';
import type { Readings } from '../protocol/readings.ts';
import { sameName } from './header-mode.ts';

/** The signed name of a header, or of a word in it, that arrived as `sent`. */
export type Spelling = (sent: string) => string;

const capitalized = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** The likeliest style first: `X-TMS-Request-Id`, `X-TMS-Request-ID`, `X-TMS-REQUEST-ID`. */
const STYLES: readonly Spelling[] = [
  capitalized,
  (word) => (word.length <= 3 ? word.toUpperCase() : capitalized(word)),
  (word) => word.toUpperCase(),
];

export const asSent: Spelling = (sent) => sent;

/** Header names that arrive in any case are signed in the spelling of the documents (D1 5.2). */
export const asDocumented = documented(capitalized);

/** Listed names are signed in the spelling of the documents, other names as they arrive. */
export const asListed: Spelling = (sent) =>
  Object.values(SIGN_HEADERS).find((known) => sameName(known, sent)) ?? sent;

/**
 * The spellings to try under a reading of `header-names`, the likeliest first. Without a reading,
 * those of every reading. A name that the documents do not list has several.
 */
export function spellingsOf(reading: Readings['header-names']): readonly Spelling[] {
  if (reading === 'as-sent') return [asSent];
  const spellings = [...STYLES.map(documented), asListed];
  return reading === 'documented' ? spellings : [...spellings, asSent];
}

/** A name with the exact prefix `X-TMS-` keeps its other words: the prefix shows that case was kept. */
function documented(style: Spelling): Spelling {
  return (sent) => {
    const listed = asListed(sent);
    if (listed.startsWith('X-TMS-')) return listed;
    return inWords(sent, style).replace(/^x-tms-/i, 'X-TMS-');
  };
}

/** Capitalizes each word of a header and puts the rest in lower case, as Go does. */
export function capitalizedName(name: string): string {
  return inWords(name, capitalized);
}

function inWords(name: string, style: Spelling): string {
  return name.split('-').map(style).join('-');
}

/** The name of a field or header without its style: `apiKey`, `API_KEY` and `api-key` become equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
