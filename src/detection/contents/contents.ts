import { MopError } from '../../errors.ts';
import { jsonValue } from '../../json/parse.ts';
import { AS_IS } from '../check-text.ts';
import { IN_PLACE } from './in-place.ts';
import { RECORDS } from './records.ts';
import { unreadableRun } from './runs.ts';
import { nonProseFormat } from './text-format.ts';

/** A text inside another, without the notations around it. */
export interface Content {
  readonly text: string;
  /** The names of the removed notations, the outermost first. */
  readonly layers: readonly string[];
}

/** Maximum number of notations inside each other. */
const MAX_DEPTH = 12;
/** Each content costs a request. */
const MAX_CONTENTS = 48;
/** Maximum number of contents that are the single values of a record. */
const MAX_VALUES = 12;

/**
 * The texts inside a text, breadth first: with all encodings decoded in place, and the values of
 * each record in it. Empty for prose.
 *
 * @throws {MopError} `usage` for a text that cannot be understood.
 */
export function contentsOf(text: string): readonly Content[] {
  const hidden = text.match(INVISIBLE_RUN)?.find((run) => new Set(run).size > 1);
  if (hidden !== undefined) {
    throw notUnderstood(`contains ${[...hidden].length} invisible characters in a row`);
  }
  const queue: Content[] = [{ text, layers: [] }];
  const contents: Content[] = [];
  const seen = new Set([keyOf(text)]);
  const add = (content: Content): boolean => {
    const key = keyOf(content.text);
    if (seen.has(key) || !/[\p{L}\p{N}]/u.test(key)) return false;
    seen.add(key);
    contents.push(content);
    if (contents.length > MAX_CONTENTS) {
      throw notUnderstood(`has more than ${MAX_CONTENTS} texts inside it`);
    }
    return true;
  };
  for (const outer of queue) {
    const steps = decoded(outer);
    const plain = steps.at(-1) ?? outer;
    add(plain);
    let isRecord = false;
    for (const each of steps) {
      for (const content of recordsIn(each)) {
        isRecord = each === plain;
        if (!add(content)) continue;
        if (content.layers.length > MAX_DEPTH) throw tooDeep();
        queue.push(content);
      }
    }
    checkUnderstood(plain, isRecord);
  }
  return contents;
}

/** A text, and the text after each notation that is decoded in place. The last text is plain. */
function decoded(outer: Content): readonly Content[] {
  const steps = [outer];
  for (let next = firstDecoded(outer); next; next = firstDecoded(next)) {
    if (next.layers.length > MAX_DEPTH) throw tooDeep();
    steps.push(next);
  }
  return steps;
}

function firstDecoded({ text, layers }: Content): Content | undefined {
  for (const { name, decode } of IN_PLACE) {
    const result = decode(text);
    if (result !== text) return { text: result, layers: [...layers, name] };
  }
  return undefined;
}

/**
 * The values of the records in a text: joined, because a text may be cut into cells, and single,
 * because a long harmless value may outweigh a risky one.
 */
function* recordsIn({ text, layers }: Content): Generator<Content> {
  for (const { name, values } of RECORDS) {
    const found = values(text).filter((value) => /\p{L}/u.test(value) || value.length >= LONG_WORD);
    if (found.length === 0) continue;
    const inner = [...layers, name];
    yield { text: found.join(' '), layers: inner };
    for (const value of grouped(found)) yield { text: value, layers: inner };
  }
}

/** Values that are not single words, in at most {@link MAX_VALUES} groups. */
function grouped(values: readonly string[]): readonly string[] {
  const texts = values.filter((value) => PHRASE.test(value) || value.length >= LONG_WORD);
  const size = Math.ceil(texts.length / MAX_VALUES);
  const groups: string[] = [];
  for (let at = 0; at < texts.length; at += size) {
    groups.push(texts.slice(at, at + size).join('\n'));
  }
  return groups;
}

const PHRASE =
  /\p{L}\P{L}{1,1000}\p{L}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]{3}/u;
/** A longer word may be an encoding. */
const LONG_WORD = 12;

/** Different invisible characters in a row may encode a text. Characters of tags are decoded. */
const INVISIBLE_RUN =
  /(?:(?![\u{e0020}-\u{e007f}])[\p{Default_Ignorable_Code_Point}\p{Cf}]){16,1000}/gu;

/** Texts that differ in white space are judged once. */
function keyOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function checkUnderstood({ text, layers }: Content, isRecord: boolean): void {
  const run = unreadableRun(text);
  if (run !== undefined) {
    throw notUnderstood(
      `contains ${run.length} characters that look like Base64 or another encoding, but are not encoded text: ${run.slice(0, 16)}…`,
    );
  }
  if (layers.length === 0 || isRecord) return;
  const format = jsonValue(text) ? undefined : nonProseFormat(text);
  if (!format) return;
  throw notUnderstood(`contains ${layersText(layers)} that is not prose`);
}

/** The notations around a content, the innermost first: `Base64 in YAML`. */
export function layersText(layers: readonly string[]): string {
  return layers.toReversed().join(' in ');
}

/** The place of a finding, for the end of a message; empty for the given text itself. */
export function placeText(content: Content | undefined): string {
  return content ? `, in the content of ${layersText(content.layers)}` : '';
}

function tooDeep(): MopError {
  return notUnderstood('has too many notations inside each other');
}

function notUnderstood(fault: string): MopError {
  return new MopError('usage', `the text ${fault}`, {
    hint: `decode or split it, and check the texts in it; ${AS_IS}`,
  });
}
