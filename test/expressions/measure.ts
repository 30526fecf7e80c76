import type { Attack } from './pattern.ts';

/**
 * In linear time, each character of a long text takes as long as one of a short text. In quadratic
 * time, it takes as many times longer as the text is. The limit is between both, as a power of that.
 */
const MAX_EXPONENT = 0.8;

/** A shorter text that takes as long has an expression with exponential time. In milliseconds. */
const STUCK_MS = 100;

/**
 * A shorter time for each character of a long text is too short for quadratic time: each character
 * would read thousands of others. In nanoseconds.
 */
const QUICK_NS = 180;

const ATTEMPTS = 4;

/** In exponential time, three further characters take eight times as long: a run ends soon after the limit. */
const SMALL_SIZES = [16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 64, 256];

/** No expression matches it, so that each one tries all ways to read the text before it. */
const UNLIKELY = '\u0001';

/**
 * Finds all matches in a text. A sticky expression reads tokens: the first position without a match
 * ends them.
 */
function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  for (let at = 0; at <= text.length && pattern.test(text); pattern.lastIndex = at) {
    at = Math.max(at + 1, pattern.lastIndex);
  }
}

function textOf({ start, piece }: Attack, size: number): string {
  const text = start + piece.repeat(Math.ceil(size / piece.length)) + UNLIKELY;
  // An expression joins the parts in memory before it reads them.
  /^/.test(text);
  return text;
}

/** The time of this process in milliseconds: other processes would disturb a clock. */
function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The time to find all matches in a text, several times, in milliseconds. */
function timeOf(pattern: RegExp, text: string, times = 1): number {
  const from = processTime();
  for (let time = 0; time < times; time++) run(pattern, text);
  return processTime() - from;
}

export interface Growth {
  /** How many times longer a character of the long text takes. */
  readonly factor: number;
  /** The time of the long text, in milliseconds. */
  readonly ms: number;
  readonly isLinear: boolean;
}

/**
 * Compares the times of an expression for texts of two sizes. A text that overflows the stack of the
 * expression takes an infinite time.
 */
export function growthOf(
  pattern: RegExp,
  attack: Attack,
  sizes: readonly [short: number, long: number],
): Growth {
  try {
    return measured(pattern, attack, sizes);
  } catch (error) {
    if (!/call stack/.test(String(error))) throw error;
    const infinite = Number.POSITIVE_INFINITY;
    return { factor: infinite, ms: infinite, isLinear: false };
  }
}

function measured(
  { source, flags }: RegExp,
  attack: Attack,
  [short, long]: readonly [number, number],
): Growth {
  const pattern = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  // Also compiles the expression.
  for (const size of SMALL_SIZES) {
    const text = textOf(attack, size);
    const ms = timeOf(pattern, text);
    if (ms > STUCK_MS) return { factor: Number.POSITIVE_INFINITY, ms, isLinear: false };
  }
  const [shortText, longText] = [textOf(attack, short), textOf(attack, long)];
  const scale = Math.round(longText.length / shortText.length);
  const limit = scale ** MAX_EXPONENT;
  let [ms, base] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    ms = Math.min(ms, timeOf(pattern, longText));
    if (ms * 1e6 < QUICK_NS * longText.length) return { factor: 1, ms, isLinear: true };
    // Both texts have the same number of characters in all.
    base = Math.min(base, timeOf(pattern, shortText, scale));
    if (ms / base <= limit) break;
  }
  const factor = ms / base;
  return { factor, ms, isLinear: factor <= limit };
}
