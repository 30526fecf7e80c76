/** A range of a text: `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is longer is taken apart, so that one sentence without an end costs no more than many. */
const MAX_SENTENCE_LENGTH = 300;

/** Up to the marks that end a sentence, the quotation marks and brackets behind them included. */
const SENTENCE =
  /[^.!?。;\n]*(?:\.(?![\s"'」』)\]]|$)[^.!?。;\n]*)*(?:[.!?。;]+["'」』)\]]*|\n|$)/gu;

/** The sentences of a normalised text, in their order. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    if (sentence.trim() === '') continue;
    let start = index + sentence.search(/\S/);
    const end = index + sentence.length;
    while (end - start > MAX_SENTENCE_LENGTH) {
      const cut = lastBreak(text, start, start + MAX_SENTENCE_LENGTH);
      spans.push({ start, end: cut });
      start = cut;
    }
    spans.push({ start, end });
  }
  return spans;
}

/** Where a piece of a sentence may end: behind a comma or a space, if there is one. */
function lastBreak(text: string, start: number, limit: number): number {
  const piece = text.slice(start, limit);
  const at = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf(','), piece.lastIndexOf('、'));
  return at > 0 ? start + at + 1 : limit;
}

/** The marks and words that part the clauses of a sentence. */
const CLAUSE_BREAK = new RegExp(
  [
    '[,:;()"、—–「」『』] ?| - ',
    ' (?:but|yet|however|although|though|because|so|until|unless|while|whereas|which means) ',
    // Another subject begins another statement.
    ' (?:and|or|then) (?=(?:i|you|we|they|he|she|it|nobody|no one|everyone|your|my) )',
    '但是|但|可是|然而|不过|所以|因此|而是|而且|只有|只要|那就|就(?=自己|直接|赶紧)',
  ].join('|'),
  'gu',
);

/** Where the clause begins in which `at` lies. */
export function clauseStart(sentence: string, at: number): number {
  return endOfLast(CLAUSE_BREAK, sentence, at);
}

/** A comma, unless what follows it still speaks of what was said. */
const REMARK_END = /[,;:—](?!["'」』)]* ?(?:which|that|this|it is|这|那|是|都是|其实))/u;

/** Where the words end that may say something of what stands before `at`. */
export function remarkEnd(sentence: string, at: number): number {
  const end = sentence.slice(at).search(REMARK_END);
  return end === -1 ? sentence.length : at + end;
}

/** Behind one of these a speaker turns to what is really meant. */
const CONTRAST = / (?:but|yet|however|though|although|still) |但是?|可是|然而|其实|实际上|而我/gu;

/** Where the statement begins in which `at` lies: behind the last "but". */
export function statementStart(sentence: string, at: number): number {
  return endOfLast(CONTRAST, sentence, at);
}

/** Where the last match ends that ends before `limit`. */
function endOfLast(pattern: RegExp, text: string, limit: number): number {
  const ends = [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
  return ends.findLast((end) => end <= limit) ?? 0;
}
