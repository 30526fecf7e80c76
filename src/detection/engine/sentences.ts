import type { Span } from './mapped-text.ts';

/** Matches up to the marks that end a sentence, or to the end of the line. */
const SENTENCE =
  /[^.!?。;\n]*(?:\.(?![\s"'」』)\]]|$)[^.!?。;\n]*)*(?:[.!?。;]+['」』)\]]*|$|(?=\n))/gmu;
/** List marks and indentation before the first word of a line. */
const LEADING = /^(?:[\s\-–•·>#]|\d{1,3}\) )*/u;

export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  let isQuotation = false;
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    if (text[index - 1] === '\n') isQuotation = false;
    const taken = Math.max(end - index, 0);
    const words = sentence.slice(taken).replace(LEADING, '');
    end = index + sentence.length;
    const start = end - words.length;
    if (quotationMarks(words) % 2 === 1) isQuotation = !isQuotation;
    // A closing quotation mark belongs to the sentence that it ends.
    if (isQuotation && text[end] === '"' && words !== '') {
      end++;
      isQuotation = false;
    }
    if (words.trim() !== '')
      spans.push({ start, end: start + text.slice(start, end).trimEnd().length });
  }
  return spans;
}

function quotationMarks(text: string): number {
  return text.split('"').length - 1;
}

/** The marks and words that separate the clauses of a sentence. */
const CLAUSE_BREAK = new RegExp(
  [
    '[,:;()"、—–「」『』] ?| - ',
    ' (?:but|yet|however,|although|though|because|so|until|unless|while|whereas|which means) ',
    // A new subject starts a new statement.
    ' (?:and|or|then) (?=(?:i|you|we|they|he|she|it|nobody|no one|everyone|your|my) )',
    '但是|但|可是|然而|不过|所以|因此|而是|而且|只有|只要|那就|就(?=自己|直接|赶紧)',
  ].join('|'),
  'gu',
);

export function clauseStart(sentence: string, at: number): number {
  return endOfLast(CLAUSE_BREAK, sentence, at);
}

/** A comma, unless the words after it refer back. */
const REMARK_END = /[,;:—](?!["'」』)]* ?(?:which|that|this|it is|这|那|是|都是|其实))/u;

/** The end of the remark that follows `at`. */
export function remarkEnd(sentence: string, at: number): number {
  const end = sentence.slice(at).search(REMARK_END);
  return end === -1 ? sentence.length : at + end;
}

/** After one of these words, the speaker makes the actual statement. */
const CONTRAST =
  /\bwhatever [^,]{1,40}, | (?:but|yet|however,|though|although|still) |但是?|可是|然而|其实|实际上|而我|(?<![说道示你]),(?=这|就|所以|别|快|不如|你不|你就)/gu;

/** The start of the statement around `at`: after the last "but". */
export function statementStart(sentence: string, at: number): number {
  return endOfLast(CONTRAST, sentence, at);
}

/** The end of the last match before `limit`; 0 without a match. */
function endOfLast(pattern: RegExp, text: string, limit: number): number {
  const ends = [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
  return ends.findLast((end) => end <= limit) ?? 0;
}
