import { wrapAnsi } from 'fast-wrap-ansi';
import type { Levels } from '../../../detection/levels.ts';
import type { JsonMember, JsonValue } from '../../../json/value.ts';
import type { Level } from '../../../protocol/detection.ts';
import type { Style } from '../../context/style.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { type FieldLine, fieldLines, valueLines } from './field-lines.ts';

/** The columns of the level, before the text. */
const INDENT = 10;
const MIN_WIDTH = 20;

type Paint = (text: string) => string;

/** Lays out texts of a service for a terminal. Control characters are made visible. */
export class Layout {
  readonly style: Style;
  readonly #width: number;
  readonly #levels: Levels;

  /** @param columns Of the terminal; undefined when the output is not one. */
  constructor(style: Style, columns: number | undefined, levels: Levels) {
    this.style = style;
    this.#levels = levels;
    this.#width = Math.max((columns || 80) - INDENT, MIN_WIDTH);
  }

  /** A level in its colour, padded to the indentation of the text beside it. */
  label = (level: string, paint: Paint = this.#paintOf(level)): string => {
    const shown = visibleLine(level);
    return paint(shown) + ' '.repeat(Math.max(INDENT - shown.length, 1));
  };

  heading = (level: string, title: string, paint?: Paint): string[] => {
    const [first = '', ...rest] = this.block(title, this.style.bold);
    return [this.label(level, paint) + first.trimStart(), ...rest];
  };

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
      if (kept.length === most) return [...kept, ...this.block('... --json shows the rest')];
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
    return wrapAnsi(text, this.#width - indent, { hard: true }).split('\n');
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
