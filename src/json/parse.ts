import { EditedText } from './edit.ts';
import { JsonReader } from './reader.ts';
import type { JsonMember, JsonObject, JsonValue, NestedValue } from './value.ts';

/**
 * Parses one JSON document (RFC 8259).
 *
 * @throws {JsonSyntaxError} when `text` is not JSON or nests deeper than 500 levels.
 *
 * @example
 * ```ts
 * import { type JsonValue, parseJson, printJson } from 'mop-cli/signing';
 *
 * const value: JsonValue = parseJson('{"n": 1.0, "big": 12345678901234567890}');
 * console.log(printJson(value));
 * // {"n":1.0,"big":12345678901234567890}
 * ```
 */
export function parseJson(text: string): JsonValue {
  return new Parser(text).document();
}

/** The stored text of an object or array in a member: compact, or as in the document. */
export type NestedText = 'compact' | 'as-written';

/**
 * {@link parseJson} for a large document: an object or array in a member is kept as text until it
 * is read.
 */
export function parseMembers(text: string, kept: NestedText): JsonValue {
  return new MembersParser(text, kept).document();
}

const LITERALS: Readonly<Record<string, JsonValue>> = {
  true: { kind: 'boolean', value: true },
  false: { kind: 'boolean', value: false },
  null: { kind: 'null' },
};

class Parser extends JsonReader {
  document(): JsonValue {
    const value = this.value(0);
    this.end();
    return value;
  }

  protected value(depth: number): JsonValue {
    this.space();
    const next = this.peek();
    if (next === '"') return { kind: 'string', value: this.string() };
    if (next === '{') return { kind: 'object', members: this.#members(depth) };
    if (next === '[') return { kind: 'array', items: this.#items(depth) };
    const start = this.offset;
    this.scalar();
    const text = this.text.slice(start, this.offset);
    return LITERALS[text] ?? { kind: 'number', text };
  }

  #members(depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    for (let more = this.opens('}', depth); more; more = this.continues('}')) {
      members.push({ name: this.name(), value: this.value(depth + 1) });
    }
    return members;
  }

  #items(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    for (let more = this.opens(']', depth); more; more = this.continues(']')) {
      items.push(this.value(depth + 1));
    }
    return items;
  }
}

class MembersParser extends Parser {
  readonly #kept: NestedText;
  /** The compact text of the current nested value; undefined outside one, and with `as-written`. */
  #compact: EditedText | undefined;

  constructor(text: string, kept: NestedText) {
    super(text);
    this.#kept = kept;
  }

  protected override value(depth: number): JsonValue {
    this.space();
    const kind = depth === 0 ? undefined : NESTED[this.peek() ?? ''];
    return kind ? nested(kind, this.#textOf(depth)) : super.value(depth);
  }

  #textOf(depth: number): string {
    const start = this.offset;
    if (this.#kept === 'compact') this.#compact = new EditedText(this.text, start);
    this.skip(depth);
    const compact = this.#compact?.upTo(this.offset);
    this.#compact = undefined;
    return compact ?? this.text.slice(start, this.offset);
  }

  protected override space(): void {
    const start = this.offset;
    super.space();
    if (this.offset > start) this.#compact?.replace(start, this.offset, '');
  }

  protected override string(): string {
    const start = this.offset;
    const value = super.string();
    if (!this.#compact) return value;
    const token = this.text.slice(start, this.offset);
    const isCompact = !token.includes('\\') && token.isWellFormed();
    if (!isCompact) this.#compact.replace(start, this.offset, JSON.stringify(value));
    return value;
  }
}

const NESTED: Readonly<Record<string, NestedValue['kind']>> = { '{': 'object', '[': 'array' };

function nested(kind: NestedValue['kind'], text: string): NestedValue {
  let parsed: JsonValue | undefined;
  const content = (): JsonValue => {
    parsed ??= parseJson(text);
    return parsed;
  };
  if (kind === 'array') {
    return {
      kind,
      text,
      get items() {
        const value = content();
        return value.kind === 'array' ? value.items : [];
      },
    };
  }
  return {
    kind,
    text,
    get members() {
      const value = content();
      return value.kind === 'object' ? value.members : [];
    },
  };
}

export function jsonValue(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function jsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return value?.kind === 'object' ? value : undefined;
}

/** A text of this length is parsed at once: its values take at most 50 MiB. */
const MAX_PARSED = 1024 ** 2;

/** {@link jsonObject} for a text that may be large: then {@link parseMembers} with compact text. */
export function largeJsonObject(text: string): JsonObject | undefined {
  if (text.length <= MAX_PARSED) return jsonObject(text);
  try {
    const value = parseMembers(text, 'compact');
    return value.kind === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
