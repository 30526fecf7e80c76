import { alignCanonical, type Comparison, type PairDifference } from '../../../signing/compare.ts';
import { plainName } from '../../../signing/header-name.ts';
import { SECRET_MARK } from '../../../signing/mask-secret.ts';
import {
  alignTexts,
  differs,
  firstDifference,
  type Piece,
} from '../../../signing/text-difference.ts';
import { OTHER_MARK } from '../../../signing/verification/strings-to-sign.ts';
import type { Output } from '../../context/output.ts';
import type { Style } from '../../context/style.ts';
import { visible } from '../../context/visible-text.ts';

/** The display names of the private-use characters that `visible` escapes. */
const NAMES: Readonly<Record<string, string>> = {
  '<U+E000>': '<secret>',
  '<U+E001>': '<another secret>',
  '<U+DC00>': '<file>',
};

/** Two strings, one below the other, with each difference between ⟦ and ⟧. */
export function stringLines(wrong: string, right: string, name: string, style: Style): string[] {
  const bytes = (text: string): number =>
    Buffer.byteLength(text.replaceAll(SECRET_MARK, '').replaceAll(OTHER_MARK, ''));
  const at = bytes(right.slice(0, firstDifference(wrong, right)));
  const pieces = alignCanonical(wrong, right);
  return [
    `   ${name}    ${marked(pieces, 'theirs', style)}`,
    `   right     ${marked(pieces, 'ours', style)}`,
    style.dim(
      `   first difference at byte ${at}; ${name} ${bytes(wrong)} bytes, right ${bytes(right)} bytes, without the secret`,
    ),
  ];
}

/** From this width on, both values of a field are printed side by side. */
const WIDE = 100;
const MAX_FIELDS = 12;
const INDENT = '   ';

/** The fields that differ: a table on a wide terminal, otherwise a list. */
export async function fieldLines(
  comparison: Comparison,
  name: string,
  output: Output,
): Promise<string[]> {
  const style = output.styles('stdout');
  const notes = comparisonNotes(comparison, style);
  const rows = fieldRows(comparison, style);
  if (rows.length === 0) return notes;
  const more = rows.length - MAX_FIELDS;
  return [
    ...notes,
    '',
    style.bold('Fields that differ'),
    ...(await layout(rows.slice(0, MAX_FIELDS), name, output)),
    ...(more > 0 ? [`   and ${more} more`] : []),
  ];
}

type FieldRow = readonly [field: string, wrong: string, right: string];

async function layout(
  rows: readonly FieldRow[],
  name: string,
  output: Output,
): Promise<readonly string[]> {
  const { width = 0 } = output;
  if (width < WIDE) {
    return rows.flatMap(([field, wrong, right]) => [
      `   ${field}`,
      `     ${name}  ${wrong}`,
      `     right   ${right}`,
    ]);
  }
  const text = await output.table(['field', name, 'right'], rows, INDENT.length);
  return text.split('\n').map((line) => INDENT + line);
}

/** Notes about the pairs as a whole. */
function comparisonNotes({ hasPairs, pairs, moved }: Comparison, style: Style): string[] {
  if (!hasPairs)
    return ['   the string has other fields, or its name=value pairs are not joined with "&"'];
  if (moved.length === 0) return [];
  const names = moved.slice(0, MAX_FIELDS).map((name) => shownStart(name, style));
  const more = moved.length > names.length ? ', …' : '';
  const same = pairs.length === 0 ? 'the same pairs in another order' : 'the order differs';
  return [`   ${same}; moved: ${names.join(', ')}${more}`];
}

function fieldRows({ pairs }: Comparison, style: Style): FieldRow[] {
  const otherNames = renamedFields(pairs);
  const taken = new Set(otherNames.values());
  const bothSides = (theirs: string, ours: string): [wrong: string, right: string] => {
    const pieces = alignTexts(theirs, ours);
    return [marked(pieces, 'theirs', style), marked(pieces, 'ours', style)];
  };
  const oneSide = (text: string | undefined, colour: Style): string =>
    text === undefined ? style.dim('(absent)') : colour(`⟦${shownStart(text, style)}⟧`);
  const rows = pairs.filter((pair) => !taken.has(pair));
  return rows.map((pair) => {
    const { name, theirs, ours } = pair;
    const field = shownStart(name, style);
    const other = otherNames.get(pair);
    if (other) {
      const sides = bothSides(`${other.name}=${other.theirs}`, `${name}=${ours}`);
      return [`${field} (renamed)`, ...sides];
    }
    if (theirs !== undefined && ours !== undefined) return [field, ...bothSides(theirs, ours)];
    const label = ours === undefined ? 'extra' : 'missing';
    return [`${field} (${label})`, oneSide(theirs, style.red), oneSide(ours, style.green)];
  });
}

/** Missing fields with another name: in another style, or with the same value. */
function renamedFields(
  pairs: readonly PairDifference[],
): ReadonlyMap<PairDifference, PairDifference> {
  const renamed = new Map<PairDifference, PairDifference>();
  if (pairs.length > MAX_RENAMED) return renamed;
  const added = new Set(pairs.filter(({ ours }) => ours === undefined));
  for (const pair of pairs.filter(({ theirs }) => theirs === undefined)) {
    const alike = [...added].filter(({ name }) => plainName(name) === plainName(pair.name));
    const equal = [...added].filter(({ theirs }) => theirs && theirs === pair.ours);
    const [match, ...others] = alike.length > 0 ? alike : equal;
    if (match === undefined || others.length > 0) continue;
    renamed.set(pair, match);
    added.delete(match);
  }
  return renamed;
}

/** More differences are not compared by name: the time grows with the square of their number. */
const MAX_RENAMED = 1000;

/** One side of two texts, with each difference between marks. */
function marked(pieces: readonly Piece[], side: keyof Piece, style: Style): string {
  const colour = side === 'theirs' ? style.red : style.green;
  const texts = pieces.slice(0, MAX_PIECES).map((piece, at) => {
    if (differs(piece)) return colour(`⟦${differenceText(piece, side, style)}⟧`);
    const [isFirst, isLast] = [at === 0, at === pieces.length - 1];
    return cut(piece[side], isFirst ? 0 : MAX_SHOWN, isLast ? 0 : MAX_SHOWN, style);
  });
  return texts.join('') + (pieces.length > MAX_PIECES ? '…' : '');
}

const MAX_PIECES = 200;

/** Characters on each side of a mark: enough for any usual request. */
const MAX_SHOWN = 1000;

/** Shows the codes of texts that look alike, such as precomposed and combining characters. */
function differenceText(piece: Piece, side: keyof Piece, style: Style): string {
  const text = cut(piece[side], MAX_SHOWN, 0, style);
  if (piece.theirs.normalize() !== piece.ours.normalize()) return text;
  return text.replace(/[^\p{ASCII}·→↵…]/gu, codeOf);
}

/** The start and the end of a text made visible. */
function cut(text: string, start: number, end: number, style: Style): string {
  if (text.length <= start + end) return shown(text, style);
  const [head, tail] = [text.slice(0, start), text.slice(text.length - end)];
  // Drop half a surrogate pair at the cut.
  const whole = [head.replace(/[\ud800-\udbff]$/, ''), tail.replace(/^[\udc00-\udfff]/, '')];
  return whole.map((part) => shown(part, style)).join('…');
}

/** The start of a text made visible. */
export function shownStart(text: string, style: Style): string {
  return cut(text, MAX_SHOWN, 0, style);
}

/** A text made visible, with names for the secret and for files. */
function shown(text: string, style: Style): string {
  return visible(text)
    .replace(/[⟦⟧]/g, codeOf)
    .replace(/<U\+(?:E00[01]|DC00)>/g, (mark) => style.yellow(NAMES[mark] ?? mark));
}

function codeOf(character: string): string {
  return `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`;
}
