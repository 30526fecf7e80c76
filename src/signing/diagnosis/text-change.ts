import { md5Hex } from '../../runtime/md5.ts';
import { base64Text, hexText, utf8Bytes } from '../bytes.ts';

/**
 * A sample such as `Optional[V]`, in which `V` is the text; a pattern and its replacement; or code.
 */
export type TextChange = string | readonly [pattern: RegExp, other: string] | Convert;
export type Convert = (text: string) => string;

export const lowerCase: Convert = (text) => text.toLowerCase();
export const upperCase: Convert = (text) => text.toUpperCase();
export const capitalized: Convert = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** `orderId` for `order_id`. Capital letters stay. */
export const camelName: Convert = (name) =>
  name.replace(/(?<![_-])[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
export const md5: Convert = (text) => md5Hex(text);
export const md5Upper: Convert = (text) => md5(text).toUpperCase();
export const base64: Convert = (text) => base64Text(utf8Bytes(text));
export const hex: Convert = (text) => hexText(utf8Bytes(text));

export function changeOf(change: TextChange): Convert {
  if (typeof change === 'function') return change;
  if (typeof change !== 'string') return (text) => text.replace(...change);
  const [before, behind = ''] = change.split('V');
  return (text) => before + text + behind;
}

type SampleRow = readonly [how: string, cost: number, sample: string];

/** Rows of samples, which are in the titles. */
export function framed(cost: number, ...samples: readonly string[]): readonly SampleRow[] {
  return samples.map((sample) => [frameTitle(sample), cost, sample]);
}

/** Rows of samples with their language, such as `Optional[V] of Java`. */
export function wrapped(cost: number, ...samples: readonly string[]): readonly SampleRow[] {
  return samples.map((sample) => {
    const [wrapper = ''] = sample.split(' of ');
    return [`as ${sample.replace('V', '…')}`, cost, wrapper];
  });
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ '\n': 'a line end', '\r\n': 'a Windows line end', '\r': 'a carriage return' },
  ...{ '\t': 'a tab', ' ': 'a space', '  ': 'two spaces', '\ufeff': 'a byte order mark' },
};
const BRACKETS: Readonly<Record<string, string>> = {
  ...{ '""': 'double quotes', "''": 'single quotes', '()': 'parentheses', '[]': 'brackets' },
  ...{ '{}': 'braces', '<>': 'angle brackets', '  ': 'spaces' },
  ...{ "b''": 'a bytes literal of Python' },
};

function frameTitle(sample: string): string {
  const [before = '', behind = ''] = sample.split('V');
  const nameOf = (text: string): string => NAMES[text] ?? JSON.stringify(text);
  if (before === '') return `with ${nameOf(behind)} appended`;
  if (behind === '') return `with ${nameOf(before)} in front`;
  const brackets = BRACKETS[before + behind];
  return brackets ? `in ${brackets}` : `as ${sample.replace('V', '…')}`;
}

/** The text of a sample such as `<pairs>&<secret>`, by the names of its parts. */
export function filledBy<Name extends string>(
  sample: string,
): (parts: Readonly<Record<Name, string>>) => string {
  const pieces = sample.split(/<(\w+)>/);
  return (parts) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : parts[piece as Name])).join('');
}
