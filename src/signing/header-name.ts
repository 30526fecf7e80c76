import { SIGN_HEADERS } from '../protocol/operations.ts';
import type { Readings } from '../protocol/readings.ts';
import { sameName } from './header-mode.ts';

/** The name under which a header is signed that arrived under `sent`. */
export type Spelling = (sent: string) => string;

type WordStyle = (word: string) => string;

const capitalized: WordStyle = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** `X-TMS-Request-Id`, `X-TMS-Request-ID` and `X-TMS-REQUEST-ID`, the likely one first. */
const WORD_STYLES: readonly WordStyle[] = [
  capitalized,
  (word) => (word.length <= 3 ? word.toUpperCase() : capitalized(word)),
  (word) => word.toUpperCase(),
];

/** Header names are signed in the case in which they arrive. */
export const asSent: Spelling = (sent) => sent;

/** Header names are signed as the documents spell them (D1 5.2), whatever case arrives. */
export const asDocumented: Spelling = (sent) => documentedName(sent, capitalized);

/**
 * The spellings to try under a reading of `header-names`, the likely one first; under none, those
 * of every reading. Names that the documents do not list have several usual spellings.
 */
export function spellingsOf(reading: Readings['header-names']): readonly Spelling[] {
  if (reading === 'as-sent') return [asSent];
  const documented = [
    asDocumented,
    ...WORD_STYLES.slice(1).map(
      (style): Spelling =>
        (sent) =>
          documentedName(sent, style),
    ),
    (sent: string) => knownName(sent) ?? sent,
  ];
  return reading === 'documented' ? documented : [...documented, asSent];
}

/** The documents' spelling of a header that they list. */
function knownName(sent: string): string | undefined {
  return Object.values(SIGN_HEADERS).find((known) => sameName(known, sent));
}

/** Other names keep their spelling where the prefix shows that their case was kept. */
function documentedName(sent: string, style: WordStyle): string {
  const words = (): string => inWords(sent, style).replace(/^x-tms-/i, 'X-TMS-');
  return knownName(sent) ?? (sent.startsWith('X-TMS-') ? sent : words());
}

/** Each word of a header with a capital and else in lower case, as Go and others spell it. */
export function capitalizedName(name: string): string {
  return inWords(name, capitalized);
}

function inWords(name: string, style: WordStyle): string {
  return name.split('-').map(style).join('-');
}
