/** A text with gaps for values, and its translation. */
interface Template {
  /** The fixed parts around the values. */
  readonly parts: readonly string[];
  /** With `{1}`, `{2}` … for the values. */
  readonly translation: string;
  /** Whether each value is in quotes. */
  readonly isQuoted: readonly boolean[];
  /** Whether each value is data: it is in quotes, or its placeholder has `=`. */
  readonly isData: readonly boolean[];
  /** Whether each value is a list: its placeholder has `,`. */
  readonly isList: readonly boolean[];
  /** The length of the fixed parts. */
  readonly length: number;
}

/** A template that fits a text, with the values of the text. */
export interface Match extends Template {
  readonly values: readonly string[];
}

/** A placeholder. */
export const VALUE = /\{[a-z]*\}/g;

/** A placeholder of a translation. */
const PLACEHOLDER = /\{(=?)(,?)(\d|[a-z]*)\}/g;
/** The end of a value in quotes. */
const QUOTE = /(?<!\\)"/;

/** The space between two columns, which a value does not contain. */
const GAP = /\S {2,}\S/;

/** The characters of a fixed part that select templates. */
const KEY_LENGTH = 3;

/**
 * Templates by their fixed parts. A search reads the text once for each template with the same
 * beginning or end: its time is linear in the length of the text.
 */
export class Templates {
  readonly #byStart = new Map<string, Bucket>();
  readonly #byEnd = new Map<string, Bucket>();
  /** Templates that begin and end with a value. */
  readonly #others = new Bucket();

  /**
   * Adds a text with `{}` or `{name}` for each value, and its translation with the same names. `{=}`
   * or `{=1}` in a translation inserts a value that is data, and `{,}` or `{=,}` a list.
   */
  add(text: string, translation: string): void {
    const start = text.slice(0, text.search(VALUE));
    const end = text.slice(text.lastIndexOf('}') + 1);
    this.#bucketFor(start, end).add(text, translation);
  }

  #bucketFor(start: string, end: string): Bucket {
    if (start.length >= KEY_LENGTH) return bucketOf(this.#byStart, start.slice(0, KEY_LENGTH));
    if (end.length >= KEY_LENGTH) return bucketOf(this.#byEnd, end.slice(-KEY_LENGTH));
    return this.#others;
  }

  /** The templates that fit a text, with the longest fixed parts first. */
  matches(text: string): readonly Match[] {
    return [
      this.#byStart.get(text.slice(0, KEY_LENGTH)),
      this.#byEnd.get(text.slice(-KEY_LENGTH)),
      this.#others,
    ]
      .flatMap((bucket) => bucket?.templates ?? [])
      .flatMap((template) => {
        const values = valuesIn(text, template);
        return values ? [{ ...template, values }] : [];
      })
      .sort((a, b) => b.length - a.length);
  }
}

/** Templates with one key. They are read when one of them may fit: most runs need few. */
class Bucket {
  readonly #entries: (readonly [text: string, translation: string])[] = [];
  #templates: readonly Template[] | undefined;

  add(text: string, translation: string): void {
    this.#entries.push([text, translation]);
  }

  get templates(): readonly Template[] {
    this.#templates ??= this.#entries.map(([text, translation]) => readTemplate(text, translation));
    return this.#templates;
  }
}

function bucketOf(index: Map<string, Bucket>, key: string): Bucket {
  const bucket = index.get(key) ?? new Bucket();
  index.set(key, bucket);
  return bucket;
}

function readTemplate(text: string, translation: string): Template {
  const parts = text.split(VALUE);
  const names: readonly string[] = text.match(VALUE) ?? [];
  const unnamed = names.flatMap((name, at) => (name === '{}' ? at + 1 : []));
  const [data, lists] = [new Set<number>(), new Set<number>()];
  const numbered = translation.replace(PLACEHOLDER, (placeholder, mark, comma, name) => {
    const named = /\d/.test(name) ? Number(name) : names.indexOf(`{${name}}`) + 1;
    const number = name === '' ? (unnamed.shift() ?? 0) : named;
    if (mark) data.add(number);
    if (comma) lists.add(number);
    return number === 0 ? placeholder : `{${number}}`;
  });
  const isQuoted = parts.slice(0, -1).map((part) => part.endsWith('"'));
  return {
    parts,
    translation: numbered,
    isQuoted,
    isData: isQuoted.map((quoted, at) => quoted || data.has(at + 1)),
    isList: isQuoted.map((_, at) => lists.has(at + 1)),
    length: parts.join('').length,
  };
}

/** The values of a text between the fixed parts; undefined if the template does not fit. */
function valuesIn(text: string, { parts, isQuoted }: Template): readonly string[] | undefined {
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
  values.push(text.slice(at, end));
  return values.every((value, at) => !(isQuoted[at] ? QUOTE : GAP).test(value))
    ? values
    : undefined;
}
