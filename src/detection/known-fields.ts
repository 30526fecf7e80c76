import type { JsonMember, JsonValue } from '../json/value.ts';
import type { Span } from './engine/mapped-text.ts';

/** Reads the known fields of a JSON value, and keeps all others unchanged. */
export class KnownFields {
  readonly #left: Set<JsonMember>;

  constructor(json: JsonValue) {
    this.#left = new Set(json.kind === 'object' ? json.members : []);
  }

  /** The first field of this name, if `read` understands its value. */
  take<T>(name: string, read: (value: JsonValue) => T | undefined): T | undefined {
    const found = this.#first(name);
    const value = found && read(found.value);
    if (found && value !== undefined) this.#left.delete(found);
    return value;
  }

  /** `start` and `end`, if both are valid. */
  takeSpan(): Span | undefined {
    const [start, end] = [this.#first('start'), this.#first('end')];
    const span = { start: offset(start?.value), end: offset(end?.value) };
    if (!start || !end || span.start < 0 || span.end < span.start) return undefined;
    this.#left.delete(start);
    this.#left.delete(end);
    return span;
  }

  /** The remaining fields, in their order. */
  rest(): JsonMember[] {
    return [...this.#left];
  }

  #first(name: string): JsonMember | undefined {
    return [...this.#left].find((each) => each.name === name);
  }
}

/** A non-empty text. */
export function asText(value: JsonValue): string | undefined {
  return value.kind === 'string' && value.value !== '' ? value.value : undefined;
}

/** A number with its digits. */
export function asDigits(value: JsonValue): string | undefined {
  return value.kind === 'number' ? value.text : undefined;
}

/** A number from 0 to 1. */
export function asProbability(value: JsonValue): number | undefined {
  const number = value.kind === 'number' ? Number(value.text) : Number.NaN;
  return number >= 0 && number <= 1 ? number : undefined;
}

/** A list, if `read` understands all its items. */
export function asList<T>(read: (item: JsonValue) => T | undefined) {
  return (value: JsonValue): T[] | undefined => {
    if (value.kind !== 'array') return undefined;
    const items = value.items.map(read);
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

/** The value of an offset; -1 for anything else. */
function offset(value: JsonValue | undefined): number {
  return value?.kind === 'number' && /^\d{1,9}$/.test(value.text) ? Number(value.text) : -1;
}
