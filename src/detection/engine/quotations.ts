import type { Span } from './mapped-text.ts';

/** A quotation within one line of a normalised text. */
const QUOTATION =
  /"[^"\n]{2,300}"|「[^「」\n]{2,300}」|『[^『』\n]{2,300}』|《[^《》\n]{1,80}》|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?![\w'])/g;

/** Introductions after which the speaker asserts the quoted words. */
const ASSERTED = [
  /\b(?:i|we) (?:just |only |will |want to |have to |must |would )*(?:say|said|whisper(?:ed)?|tell you|told you|promise|repeat|add|reply|ask|beg)\b[^."]*$/,
  /(?:^|[.!?;,:] ?|\b(?:and|then|just|please|now|you (?:should|could|can|must|might|need to|have to)) )(?:tell|text|write to|message|answer|repeat|remember|remind|send|say)\b(?! (?:me|us)\b)[^."]*$/,
  /(?:^|[,，。])(?:我|我们)(?:只|就|会|想|要|必须|还是)*(?:说|告诉你|想说|对你说|答应|发誓|保证)[^。"]*$/,
  /(?:对|跟|和|给)(?:他|她|他们|家人|朋友|爸妈|父母|医生|自己)[^。"]{0,6}(?:说|发|讲|回复|念)[^。"]*$/,
];

/**
 * The quotations of a normalised text that the speaker does not assert. The speaker asserts a
 * quotation that fills a line, or that the speaker asks another person to say.
 */
export function unassertedQuotations(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: quotation, index } of text.matchAll(QUOTATION)) {
    const start = index;
    const end = index + quotation.length;
    // The last 80 characters before a quotation suffice.
    const before = text.slice(Math.max(0, start - 80), start).replace(/^.*\n/s, '');
    const after = text.slice(end, end + 80).replace(/\n.*$/s, '');
    if (!WORD.test(before) && !WORD.test(after)) continue;
    if (!ASSERTED.some((pattern) => pattern.test(before))) spans.push({ start, end });
  }
  return spans;
}

const WORD = /[\p{L}\p{N}]/u;
