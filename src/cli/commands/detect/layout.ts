import fastStringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { Levels } from '../../../detection/levels.ts';
import { printJson } from '../../../json/print.ts';
import type { JsonMember, JsonValue } from '../../../json/value.ts';
import type { Level } from '../../../protocol/detection.ts';
import type { Style } from '../../context/style.ts';
import { padded, wrapHard } from '../../context/table.ts';
import type { Translation } from '../../context/translation.ts';
import { visibleLine } from '../../context/visible-text.ts';

/** The columns of the level, before the text. */
const INDENT = 10;
const MIN_WIDTH = 20;

type Paint = (text: string) => string;

/** Lays out texts of a service for a terminal. Control characters are made visible. */
export class Layout {
  readonly style: Style;
  readonly #width: number;
  readonly #levels: Levels;
  readonly #translation: Translation | undefined;

  /** @param columns Of the terminal; undefined when the output is not one. */
  constructor(
    style: Style,
    columns: number | undefined,
    levels: Levels,
    translation?: Translation,
  ) {
    this.#translation = translation;
    this.style = style;
    this.#levels = levels;
    this.#width = Math.max((columns || 80) - INDENT, MIN_WIDTH);
  }

  /** A level in its colour, padded to the indentation of the text beside it. */
  label = (level: string, paint: Paint = this.#paintOf(level)): string => {
    const shown = visibleLine(level);
    return paint(shown) + ' '.repeat(Math.max(INDENT - fastStringWidth(shown), 1));
  };

  /** A row of a table, cut to the width. */
  row = (line: string, level: string, score: string, text: string): string => {
    const width = Math.max(this.#width - 14, MIN_WIDTH);
    // Chinese has no spaces: a word wrap could move all of it to the next line.
    const wrapped = wrapAnsi(visibleLine(text.slice(0, 4 * width)), width, { wordWrap: false });
    const [shown = ''] = wrapped.split('\n');
    return `${padded(line, 5, true)}  ${level}${padded(score, 5, true)}  ${shown}`;
  };

  heading = (level: string, title: string, paint?: Paint): string[] => {
    const [first = '', ...rest] = this.block(
      this.#translation?.word(title) ?? title,
      this.style.bold,
    );
    return [this.label(level, paint) + first.trimStart(), ...rest];
  };

  /** {@link block} for a text of mop, in the language of the user. */
  note = (text: string, paint?: Paint): string[] =>
    this.block(this.#translation?.text(text) ?? text, paint);

  /** Lines of a text, indented; Chinese is twice as wide. */
  block = (text: string, paint: Paint = String): string[] =>
    this.#wrapped(visibleLine(text), 0).map((line) => ' '.repeat(INDENT) + paint(line));

  /** A line for each field, nested ones indented. */
  fields = (members: readonly JsonMember[]): Iterable<string> => this.#laidOut(fieldLines(members));

  values = (value: JsonValue): Iterable<string> => this.#laidOut(valueLines(value));

  /** The first lines, with a final notice if there are more. */
  limited = (lines: Iterable<string>, most: number): string[] => {
    const kept: string[] = [];
    for (const line of lines) {
      if (kept.length === most) return [...kept, ...this.note('... --json shows the rest')];
      kept.push(line);
    }
    return kept;
  };

  *#laidOut(lines: Iterable<FieldLine>): Generator<string> {
    for (const { indent, text } of lines) {
      const [first = '', ...rest] = this.#wrapped(text, indent + 2);
      yield ' '.repeat(INDENT + indent) + first;
      for (const line of rest) yield ' '.repeat(INDENT + indent + 2) + line;
    }
  }

  #wrapped(text: string, indent: number): string[] {
    const wrap = this.#translation?.wrap ?? wrapHard;
    return wrap(text, this.#width - indent).split('\n');
  }

  #paintOf(level: string): Paint {
    const { green, cyan, yellow, red, magenta } = this.style;
    const colours: Record<Level, Paint> = {
      none: green,
      low: cyan,
      medium: yellow,
      high: red,
      critical: red.bold.inverse,
    };
    const severity = this.#levels.severity(level);
    return severity ? colours[severity] : magenta;
  }
}

/** A line of text, with its indentation in columns. */
interface FieldLine {
  readonly indent: number;
  readonly text: string;
}

/** Maximum characters of a value: a longer one would hide its neighbours. */
const MAX_VALUE = 400;

/** Maximum depth of indented values; deeper values are printed as JSON. */
const MAX_DEPTH = 4;

/** JSON for a person: a line for each field, nested ones indented, numbers with their digits. */
function* valueLines(value: JsonValue, depth = 0): Generator<FieldLine> {
  if (isFlat(value) || depth === MAX_DEPTH) {
    yield { indent: 0, text: inline(value) };
  } else if (value.kind === 'array') {
    for (const item of value.items) yield* asItem(valueLines(item, depth + 1));
  } else if (value.kind === 'object') {
    yield* fieldLines(value.members, depth);
  }
}

function* fieldLines(members: readonly JsonMember[], depth = 0): Generator<FieldLine> {
  for (const { name, value } of members) {
    const label = `${cut(name) || '""'}:`;
    if (isFlat(value) || depth + 1 === MAX_DEPTH) {
      yield { indent: 0, text: `${label} ${inline(value)}` };
      continue;
    }
    yield { indent: 0, text: label };
    for (const { indent, text } of valueLines(value, depth + 1)) yield { indent: indent + 2, text };
  }
}

function* asItem(lines: Iterable<FieldLine>): Generator<FieldLine> {
  let isFirst = true;
  for (const { indent, text } of lines) {
    yield isFirst ? { indent, text: `- ${text}` } : { indent: indent + 2, text };
    isFirst = false;
  }
}

/** Whether a value fits on a line: a scalar, an empty list or object, a list of numbers. */
function isFlat(value: JsonValue): boolean {
  if (value.kind === 'object') return value.members.length === 0;
  return (
    value.kind !== 'array' || value.items.every(({ kind }) => /number|boolean|null/.test(kind))
  );
}

function inline(value: JsonValue): string {
  if (value.kind === 'string' && value.value.trim() !== '') return cut(value.value);
  const isNumbers = value.kind === 'array' && isFlat(value);
  return cut(isNumbers ? `[${value.items.map(printJson).join(', ')}]` : printJson(value));
}

function cut(text: string): string {
  if (text.length <= MAX_VALUE) return visibleLine(text);
  return `${visibleLine(text.slice(0, MAX_VALUE).toWellFormed())}... (${text.length} characters, --json shows all)`;
}
