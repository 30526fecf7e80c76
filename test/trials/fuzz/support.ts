import { rmSync, writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { CHARACTER } from '../../support/character.ts';
import { times } from '../scale.ts';

/** Any UTF-16, with difficult parts: unpaired surrogates, invisible characters, line ends. */
export const awkwardText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: CHARACTER }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ufeff',
    '\u00a0',
    '\r\n',
    '\u2028',
    '\ud83d',
    '\ude95',
    '杭州🚕',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b', '../a', 'a/b', '-', '@-', '0'),
);

/** One mistake at any place of a text. */
interface Edit {
  readonly kind: 'insert' | 'replace' | 'repeat' | 'swap' | 'cut' | 'flip';
  /** The place, from 0 to 1 of the current length. */
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

const KINDS: readonly Edit['kind'][] = ['insert', 'replace', 'repeat', 'swap', 'cut', 'flip'];
const PLACES = 10_000;

function edited(text: string, { kind, at, length, piece }: Edit): string {
  const start = Math.floor(at * text.length);
  const end = start + length;
  switch (kind) {
    case 'insert':
      return text.slice(0, start) + piece + text.slice(start);
    case 'replace':
      return text.slice(0, start) + piece + text.slice(end);
    case 'repeat':
      return text.slice(0, end) + text.slice(start);
    case 'swap':
      return (
        text.slice(0, start) +
        text.slice(end, end + length) +
        text.slice(start, end) +
        text.slice(end + length)
      );
    case 'cut':
      return text.slice(0, start);
    case 'flip':
      return (
        text.slice(0, start) +
        String.fromCharCode(text.charCodeAt(start) ^ (1 << (length % 8))) +
        text.slice(start + 1)
      );
  }
}

/**
 * Texts with one to three mistakes: a part is inserted, replaced, repeated, swapped or cut off, or a
 * bit is flipped.
 *
 * @param pieces Pieces to insert, in addition to random characters.
 */
export function mutated(
  sample: fc.Arbitrary<string>,
  pieces: readonly string[],
): fc.Arbitrary<string> {
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom(...KINDS),
    // fc.double would be close to 0 nearly always.
    at: fc.integer({ min: 0, max: PLACES }).map((place) => place / PLACES),
    length: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.nat(60)),
    piece: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...pieces) },
      fc.string({ unit: 'binary-ascii', maxLength: 3 }),
      awkwardText,
    ),
  });
  return fc
    .tuple(sample, fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) => edits.reduce(edited, text));
}

/** Like {@link mutated}, but bytes: the result may be invalid UTF-8. */
export function mutatedBytes(
  sample: fc.Arbitrary<string>,
  pieces: readonly string[],
): fc.Arbitrary<Uint8Array> {
  const bytes = (text: string): string => Buffer.from(text).toString('latin1');
  const broken = ['\xff', '\xc3', '\xe4\xb8', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\x80', '\0'];
  return mutated(sample.map(bytes), [...pieces.map(bytes), ...broken]).map((text) =>
    Buffer.from(text, 'latin1'),
  );
}

/** A repeated piece. In quadratic time it would take minutes. */
export function many(piece: string, length = times(300_000, 1_000_000)): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

const sandbox: { work?: () => unknown } = createContext({});
const script = new Script('work()');

/**
 * Runs `work`, and aborts it after a time limit. Vitest's limit cannot end a synchronous loop.
 *
 * @throws An error of code ERR_SCRIPT_EXECUTION_TIMEOUT.
 */
export function withinSeconds<T>(seconds: number, work: () => T): T {
  sandbox.work = work;
  return script.runInContext(sandbox, { timeout: seconds * 1000 }) as T;
}

/**
 * Asserts that the CPU time of `work` is proportional to the size of its input. `large` is eight
 * times as large as `small`: in quadratic time, it would take 64 times as long.
 */
export async function expectLinearTime<T>(
  small: T,
  large: T,
  work: (input: T) => unknown,
): Promise<void> {
  const secondsOf = (input: T) => cpuSeconds(() => work(input));
  // The first run may compile the code.
  const limit = 0.25 + 16 * Math.min(await secondsOf(small), await secondsOf(small));
  // A collection of garbage may exceed the limit once.
  if ((await secondsOf(large)) > limit) expect(await secondsOf(large)).toBeLessThan(limit);
}

/** Unlike the time, the CPU time of this process does not depend on other processes. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await withinSeconds(20, work);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
}

/** Replaces a file. Truncating it would make some file systems wait for the disk. */
export function rewrite(path: string, content: string | Uint8Array): void {
  rmSync(path, { force: true });
  writeFileSync(path, content, { mode: 0o600 });
}
