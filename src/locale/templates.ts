/** A text with gaps for values, and its translation. */
interface Template {
  /** The fixed parts around the values. */
  readonly parts: readonly string[];
  readonly translation: string;
  /** Whether each value is in quotes. Then it is data. */
  readonly quoted: readonly boolean[];
  /** The length of the fixed parts. */
  readonly length: number;
  /** The length of the first one. */
  readonly start: number;
}

export interface Match {
  readonly translation: string;
  readonly values: readonly string[];
  readonly quoted: readonly boolean[];
  /** The length of the fixed parts. */
  readonly length: number;
  /** The length of the fixed part before the first value. */
  readonly start: number;
}

/** A placeholder. */
export const VALUE = /\{[a-z]*\}/g;

/** The end of a value in quotes. */
const QUOTE = /(?<!\\)"/;

/** The space between two columns, which a value does not contain. */
const GAP = /\S {2,}\S/;

/** The characters of a fixed part that select templates. */
const KEY_LENGTH = 3;

/**
 * Templates by their fixed parts. A search reads the text once for each template with the same
 * beginning or end, so its time is linear in the length of the text.
 */
export class Templates {
  readonly #byStart = new Map<string, Template[]>();
  readonly #byEnd = new Map<string, Template[]>();
  /** Templates that begin and end with a value. */
  readonly #others: Template[] = [];

  /** Adds a text with `{}` or `{name}` for each value, and its translation with the same names. */
  add(text: string, translation: string): void {
    const parts = text.split(VALUE);
    const names = text.match(VALUE) ?? [];
    const [first = '', last = ''] = [parts[0], parts.at(-1)];
    const template = {
      parts,
      translation: names.reduce(
        (numbered, name, at) => (name === '{}' ? numbered : numbered.replace(name, `{${at + 1}}`)),
        translation,
      ),
      quoted: parts.slice(0, -1).map((part) => part.endsWith('"')),
      length: parts.join('').length,
      start: first.length,
    };
    if (first.length >= KEY_LENGTH) append(this.#byStart, first.slice(0, KEY_LENGTH), template);
    else if (last.length >= KEY_LENGTH) append(this.#byEnd, last.slice(-KEY_LENGTH), template);
    else this.#others.push(template);
  }

  /** The templates that fit a text, with the longest fixed parts first. */
  matches(text: string): readonly Match[] {
    const candidates = [
      ...(this.#byStart.get(text.slice(0, KEY_LENGTH)) ?? []),
      ...(this.#byEnd.get(text.slice(-KEY_LENGTH)) ?? []),
      ...this.#others,
    ];
    return candidates
      .flatMap(({ parts, ...template }) => {
        const values = valuesIn(text, parts);
        const isMatch = values?.every(
          (value, at) => !(template.quoted[at] ? QUOTE : GAP).test(value),
        );
        return values && isMatch ? [{ ...template, values }] : [];
      })
      .sort((a, b) => b.length - a.length);
  }
}

/** The values of a text between fixed parts; undefined if it does not have these parts. */
function valuesIn(text: string, parts: readonly string[]): readonly string[] | undefined {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next < 0 || next + part.length > end) return undefined;
    values.push(text.slice(at, next));
    at = next + part.length;
  }
  return [...values, text.slice(at, end)];
}

function append(index: Map<string, Template[]>, key: string, template: Template): void {
  const known = index.get(key);
  if (known) known.push(template);
  else index.set(key, [template]);
}
