import { append } from '../../any-length.ts';
import {
  withoutBackslashes,
  withoutDoubledQuotes,
  withoutEntities,
  withoutPercents,
} from '../../notations/escapes.ts';
import { COMMON_FIELDS, SIGN_HEADERS } from '../../protocol/operations.ts';
import { firstDifference } from '../text-difference.ts';
import { Source } from './source.ts';

/**
 * The part of a pasted text that is most similar to the right string `ours`: a log line with a
 * prefix and suffix, in quotes, escaped or URL-encoded. The secret or a placeholder may follow.
 */
export function pastedCanonical(pasted: string, ours: string, secrets: readonly string[]): string {
  const whole = pasted.replace(/\r?\n$/, '');
  const pairs = firstPairs(ours);
  return whole === ours ? ours : closest(candidatesOf(whole, pairs, secrets), pairs);
}

export function signedCanonical(
  pasted: string,
  ours: string,
  secrets: readonly string[],
  isSigned: (text: string) => boolean,
): string | undefined {
  return candidatesOf(pasted.replace(/\r?\n$/, ''), firstPairs(ours), secrets).find(isSigned);
}

function firstPairs(canonical: string): readonly string[] {
  return canonical.split('&').slice(0, MAX_PAIRS);
}

/**
 * The canonical string in a text, without the prefix and suffix of a logger. White space around a
 * bare string is kept, except for one line end.
 */
export function canonicalWithoutRequest(text: string): string | undefined {
  if (isSignedForm(text)) return undefined;
  const whole = text.replace(/\r?\n$/, '');
  if (isPairs(whole.trim(), /^[\w.[\]-]+=[^\n]*$/)) return whole;
  const lines = canonicalLines(text);
  if (lines.length === 0) return undefined;
  const pairs = COMMON_NAMES.map((name) => `${name}=`);
  return closest(candidatesOf(lines.join('\n'), pairs, []), pairs);
}

/** The lines with the pairs of two common fields, except forms with a signature and addresses. */
export function canonicalLines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => {
    if (SIGNED.test(line) || /\?[\w.-]+=/.test(line)) return false;
    const named = COMMON_NAMES.filter((name) => line.includes(name));
    return named.length > 1 && readingsOf(line, named).some((reading) => hasPairs(reading, named));
  });
}

const SIGNED = /(?:^|[&?;])(?:sign|x-tms-sign)=[\da-f]{16}/i;

export function isSignedForm(text: string): boolean {
  return SIGNED.test(text) && isPairs(text.trim(), /^[^=&\s{<]+=\S*$/);
}

/** Whether a text is two or more pairs. One expression for all pairs would overflow the stack. */
function isPairs(text: string, pair: RegExp): boolean {
  return text.includes('&') && text.split('&').every((each) => pair.test(each));
}

function hasPairs(text: string, names: readonly string[]): boolean {
  const inPair = names.filter((name) => {
    const first = text.indexOf(`${name}=`);
    return (
      text.includes(`&${name}=`) || (first !== -1 && /^[^\s&]*&[\w.-]+=/.test(text.slice(first)))
    );
  });
  return inPair.length > 1;
}

const COMMON_NAMES = [...COMMON_FIELDS, ...Object.values(SIGN_HEADERS)];

/** Limits: further pairs, lines and places in a line are ignored. */
const MAX_PAIRS = 50;
const MAX_LINES = 5;
const MAX_PLACES = 16;
const MAX_LENGTH = 100_000;
const ESCAPES = [withoutEntities, withoutPercents, withoutBackslashes, withoutDoubledQuotes];
const MAX_QUOTED = 200;
const MAX_DEPTH = 2;
const MAX_WORK = 5_000_000;

/** The text with most of the pairs; then with balanced brackets, the same start, the shortest. */
function closest(candidates: readonly string[], pairs: readonly string[]): string {
  const start = pairs[0] ?? '';
  const ranked = candidates.map((text) => ({
    text,
    rank: [
      matchScore(text, pairs),
      -openBrackets(text),
      Math.min(firstDifference(text, start), start.length),
      -text.length,
    ],
  }));
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ranked.reduce((best, next) => (compare(next.rank, best.rank) > 0 ? next : best)).text;
}

function openBrackets(text: string): number {
  const count = (bracket: string): number => text.split(bracket).length;
  return Math.abs(count('[') - count(']')) + Math.abs(count('{') - count('}'));
}

/** Scores a text by the pairs in it: a whole pair counts most, then its name, then its value. */
function matchScore(text: string, pairs: readonly string[]): number {
  return pairs.reduce((sum, pair) => {
    const equals = pair.indexOf('=') + 1;
    const value = pair.slice(equals);
    if (text.includes(pair)) return sum + 4 * pair.length;
    if (text.includes(pair.slice(0, equals))) return sum + 2 * pair.length;
    return value.length > 3 && text.includes(value) ? sum + value.length : sum;
  }, 0);
}

function candidatesOf(
  pasted: string,
  pairs: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  const { text } = new Source(pasted);
  const names = pairs.map((pair) => pair.slice(0, pair.indexOf('='))).filter((name) => name !== '');
  const found = new Set<string>();
  let work = 0;
  const lines = likelyLines(text, pairs);
  const isLog = text.length > MAX_LENGTH && lines.length > 0;
  for (const line of isLog ? lines : [text, ...lines]) {
    for (const reading of readingsOf(line, names)) {
      for (const part of partsOf(reading)) {
        for (const bare of withoutSecret(part, secrets)) found.add(bare);
        work += part.length;
        if (work > MAX_WORK) return [...found];
      }
    }
  }
  return [...found];
}

function likelyLines(text: string, pairs: readonly string[]): readonly string[] {
  const lines = [...new Set(text.split(/\r?\n/))].filter(({ length }) => length <= MAX_LENGTH);
  return lines
    .map((line) => ({ line, matched: matchScore(line, pairs) }))
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.matched - a.matched)
    .slice(0, MAX_LINES)
    .map(({ line }) => line);
}

/**
 * A line, its parts in quotes, and the texts below its layers. A layer counts only if more pairs
 * appear below it: otherwise the signer escaped the values.
 */
function readingsOf(line: string, names: readonly string[], depth = 0): readonly string[] {
  if (line.length > MAX_LENGTH || depth > MAX_DEPTH) return [line];
  const pairsIn = (text: string) => names.filter((name) => text.includes(`&${name}=`)).length;
  const own = pairsIn(line);
  const below = ESCAPES.flatMap((opens) => opens(line)).filter((text) => pairsIn(text) > own);
  const quoted = quotedTexts(line).filter((text) => names.some((name) => text.includes(name)));
  return [line, ...[...below, ...quoted].flatMap((text) => readingsOf(text, names, depth + 1))];
}

function quotedTexts(line: string): readonly string[] {
  return ['"', "'", '`'].flatMap((quote) => {
    const texts: string[] = [];
    const token = new RegExp(`\\\\.|[^\\\\${quote}]+|(${quote})`, 'gs');
    let start = -1;
    for (const { 1: end, index } of line.matchAll(token)) {
      if (end === undefined) continue;
      const text = line.slice(start, index);
      if (start !== -1) append(texts, [...withoutBackslashes(text).slice(0, 1), text]);
      start = index + 1;
    }
    return texts.slice(0, MAX_QUOTED);
  });
}

function partsOf(line: string): readonly string[] {
  const trimmed = line.trim();
  const parts = [line, trimmed];
  const starts = trimmed.matchAll(/(?<=^|[\s"'`[({<>:=|,;])[^\s"'`[\](){}<>:=|,;&?/]+=/g);
  for (const { index } of [{ index: 0 }, ...starts].slice(0, MAX_PLACES)) {
    const part = trimmed.slice(index);
    append(parts, [part, ...LOGGER_SUFFIXES.map((end) => withoutSuffix(part, end))]);
    const closing = CLOSING[trimmed[index - 1] ?? ''];
    if (closing === undefined) continue;
    for (let end = part.length, left = MAX_PLACES; end > 0 && left > 0; left--) {
      end = part.lastIndexOf(closing, end - 1);
      if (end > 0) parts.push(part.slice(0, end));
    }
  }
  // Values without names have no `=` that marks a start.
  const wrapped = /[[("'`<{](?=[^\s])/.exec(trimmed);
  const closing = CLOSING[wrapped?.[0] ?? ''];
  const end = closing === undefined ? -1 : trimmed.lastIndexOf(closing);
  if (wrapped && end > wrapped.index) parts.push(trimmed.slice(wrapped.index + 1, end));
  return parts;
}

const CLOSING: Readonly<Record<string, string>> = {
  '[': ']',
  '(': ')',
  '{': '}',
  '<': '>',
  '>': '<',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** Suffixes of loggers: a length, fields, or the border of a table. */
const LOGGER_SUFFIXES = [
  /[\s,;]*[[(](?:len\w*|size|bytes|chars)\s*[=:]?\s*\d+[\])]$/i,
  /[\s,;]*[[(]\d+\s*(?:bytes?|char\w*)[\])]$/i,
  /[\s,;]+(?:len\w*|size|bytes|chars)\s*[=:]?\s*\d+$/i,
  /[\s,;]+\d+\s*(?:bytes?|char\w*)$/i,
  /,?(?:\s+[\w.]+=\S*)+$/,
  /\s+\|$/,
];

/** Searches only the last 200 characters: these patterns are slow on a long text. */
function withoutSuffix(text: string, end: RegExp): string {
  const at = Math.max(text.length - 200, 0);
  return text.slice(0, at) + text.slice(at).replace(end, '');
}

/** The text, and the part of it before the secret or a placeholder. */
function withoutSecret(text: string, secrets: readonly string[]): readonly string[] {
  const before = secrets.flatMap((secret) => {
    const at = secret === '' ? -1 : text.lastIndexOf(secret);
    const isEnd = at !== -1 && !/^\w/.test(text.slice(at + secret.length));
    return isEnd ? [text.slice(0, at)] : [];
  });
  return [...before, text, withoutSuffix(text, PLACEHOLDER)];
}

const PLACEHOLDER = /(?:\*{3,}|<secret[^>]*>|\[REDACTED\]|<redacted>)$/i;
