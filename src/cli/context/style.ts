import type { ChalkInstance } from 'chalk';

const NAMES = [
  'bold',
  'dim',
  'underline',
  'inverse',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
] as const;
type StyleName = (typeof NAMES)[number];

/** Paints a text. Styles can be chained: `style.red.bold(text)`. */
export type Style = ((text: string) => string) & { readonly [Name in StyleName]: Style };

let chalk: ChalkInstance | undefined;

/** Loads chalk, which few commands need. Until then, styles return a text unchanged. */
export async function loadStyles(): Promise<void> {
  const { Chalk } = await import('chalk');
  chalk ??= new Chalk({ level: 1 });
}

/**
 * The styles of mop. Until {@link Terminal} writes them, their control sequences contain a random
 * key, so that a text from outside cannot contain one.
 */
export function createStyle(coloured: boolean, names: readonly StyleName[] = []): Style {
  const paint = (text: string): string => {
    if (!coloured || text === '') return text;
    return names.reduceRight((inner, name) => {
      const [open, close] = sequencesOf(name);
      return open + inner.replaceAll(close, close + open) + close;
    }, text);
  };
  for (const name of NAMES) {
    Object.defineProperty(paint, name, { get: () => createStyle(coloured, [...names, name]) });
  }
  return paint as Style;
}

const sequences = new Map<StyleName, readonly [open: string, close: string]>();

/** The control sequences that begin and end a style. */
function sequencesOf(name: StyleName): readonly [open: string, close: string] {
  if (!chalk) return ['', ''];
  const known = sequences.get(name);
  if (known) return known;
  const [open = '', close = ''] = keyedStyles(chalk[name]('\0')).split('\0');
  sequences.set(name, [open, close]);
  return [open, close];
}

/** Four numbers: `fast-string-width` knows numbers of up to four digits. */
let key: string | undefined;

function sequence(code: string): string {
  key ??= [...crypto.getRandomValues(new Uint16Array(4))].map((each) => each % 10_000).join(';');
  return `\u001b[${code};${key}m`;
}

/** Changes a text, except the control sequences of its styles. */
export function outsideStyles(text: string, change: (text: string) => string): string {
  return withStyles(text, change, sequence);
}

/** Removes the key from the styles of a text, and optionally changes the text outside them. */
export function plainStyles(text: string, change: (text: string) => string = String): string {
  return withStyles(text, change, (code) => `\u001b[${code}m`);
}

/** Adds the key to all styles of a text. It must not contain control sequences from outside. */
export function keyedStyles(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
  return text.replace(/\u001b\[(\d+)m/g, (_, code) => sequence(code));
}

/** The parts of a text. Every second one is the control sequence of a style. */
export function splitStyles(text: string): string[] {
  return key === undefined ? [text] : text.split(new RegExp(`(\\u001b\\[\\d+;${key}m)`));
}

/** Whether a part of {@link splitStyles} ends a style. */
export function endsStyle(sequence: string): boolean {
  return /\[(?:2\d|39|49);/.test(sequence);
}

/** Removes the styles of a text. */
export function withoutStyles(text: string): string {
  return withStyles(text, String, () => '');
}

function withStyles(
  text: string,
  change: (text: string) => string,
  print: (code: string) => string,
): string {
  if (key === undefined) return change(text);
  // The capture makes every second part a code.
  const parts = text.split(new RegExp(`\\u001b\\[(\\d+);${key}m`));
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : print(part))).join('');
}
