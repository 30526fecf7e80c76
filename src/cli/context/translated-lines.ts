import fastStringWidth from 'fast-string-width';
import type { Translator } from '../../locale/translator.ts';
import { endsStyle, splitStyles } from './style.ts';

type Texts = Pick<Translator, 'text' | 'word'> & Partial<Pick<Translator, 'isKept'>>;

/**
 * The translation of a text for a terminal, line by line. A line is one text, or else its styled
 * parts and its columns are texts. A column begins where it began, unless the text before it is too
 * long.
 */
export function translatedLines(text: string, translator: Texts): string {
  return text
    .split('\n')
    .map((line) => translatedLine(line, translator))
    .join('\n');
}

function translatedLine(line: string, translator: Texts): string {
  if (!/[a-z]/i.test(line)) return line;
  const parts = splitStyles(line);
  const isOnePart = parts.length === 5 && `${parts[0]}${parts[4]}`.trim() === '';
  const whole = isOnePart ? line : translator.text(line);
  return whole === line ? translatedColumns(line, translator) : whole;
}

/** The translation of the styled parts and the columns of a line. */
export function translatedColumns(line: string, translator: Texts): string {
  const parts = splitStyles(line);
  let [original, result] = ['', ''];
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      original += part;
      result += part;
      continue;
    }
    const isStyled = index > 0 && !endsStyle(parts[index - 1] ?? '');
    const isText = isStyled && translator.text(part) !== part;
    for (const [at, segment] of (isText ? [part] : part.split(/( {2,})/)).entries()) {
      original += segment;
      if (at % 2 === 1) result = padded(result, segment, fastStringWidth(original));
      else result = joined(result, translatedSegment(segment, isStyled, translator));
    }
  }
  return result;
}

/** A word is data, unless it is styled or a heading. */
function translatedSegment(segment: string, isStyled: boolean, translator: Texts): string {
  const text = segment.trim();
  if (translator.isKept?.(text)) return segment;
  const isWord = isStyled && segment !== ' ';
  const translation = isWord ? translatedState(text, translator) : translator.text(text);
  return segment.replace(text, () => translation);
}

/** A state, such as `missing`, or `X 3 missing`, in which the number follows the word in Chinese. */
function translatedState(text: string, translator: Texts): string {
  const [, mark = '', count = '', word = ''] = /^([^a-z\d]* )?(\d+ )?([a-z-]+)$/.exec(text) ?? [];
  const translation = translator.word(word === '' ? text : word);
  if (word === '') return translation;
  return translation === word ? text : `${mark}${translation} ${count}`.trimEnd();
}

/** A text with a gap up to a column. A label is its own gap if it ends there. */
function padded(text: string, gap: string, column: number): string {
  const width = fastStringWidth(text);
  if (width === 0) return text + gap;
  const free = column - width;
  const isLabel = /：(?:\p{Cc}\[[\d;]+m)*$/u.test(text);
  if (isLabel && free <= 1) return text;
  return text + ' '.repeat(Math.max(free, 2));
}

/** Full-width punctuation has its own space. */
function joined(before: string, after: string): string {
  const isPunctuated = /[：，。；）](?:\p{Cc}\[[\d;]+m)*$/u.test(before);
  return before + (isPunctuated ? after.replace(/^ (?! )/, '') : after);
}
