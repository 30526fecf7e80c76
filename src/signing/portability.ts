import { printJson } from '../json/print.ts';
import { JsonReader } from '../json/reader.ts';
import { isNested, type JsonMember, type JsonValue } from '../json/value.ts';

/**
 * Warns about numbers that another language would print differently after reading them, so that
 * a signer or a server written in it computes another canonical string.
 */
export function portabilityWarnings(members: readonly JsonMember[]): string[] {
  return members.flatMap(({ name, value }) => numberWarnings(name, value));
}

function numberWarnings(name: string, value: JsonValue): readonly string[] {
  if (value.kind === 'number') return numberWarning(name, value.text);
  return isNested(value) ? new NumberReader(name, printJson(value)).warnings() : [];
}

function numberWarning(path: string, number: string): string[] {
  const why = fragileForm(number);
  return why ? [`${path} is ${number}: ${why}; it is signed as written`] : [];
}

/** A nested value may hold millions of numbers. */
const MAX_WARNINGS = 100;

/** Reads the numbers in a nested value of any size: a tree of it would take twenty times its text. */
class NumberReader extends JsonReader {
  readonly #name: string;
  /** The names and indexes that lead to the position. */
  readonly #path: (string | number)[] = [];
  readonly #warnings: string[] = [];
  #more = 0;

  constructor(name: string, text: string) {
    super(text);
    this.#name = name;
  }

  warnings(): readonly string[] {
    this.skip(0);
    const more = `${this.#name} has ${this.#more} more numbers like these`;
    return this.#more > 0 ? [...this.#warnings, more] : this.#warnings;
  }

  protected override skip(depth: number): void {
    this.space();
    const next = this.peek();
    if (next === '{') {
      for (let more = this.opens('}', depth); more; more = this.continues('}')) {
        this.#skipAt(this.name(), depth + 1);
      }
    } else if (next === '[') {
      let index = 0;
      for (let more = this.opens(']', depth); more; more = this.continues(']')) {
        this.#skipAt(index++, depth + 1);
      }
    } else if (next === '"') this.string();
    else this.#readScalar();
  }

  #skipAt(step: string | number, depth: number): void {
    this.#path.push(step);
    this.skip(depth);
    this.#path.pop();
  }

  #readScalar(): void {
    const start = this.offset;
    this.scalar();
    const text = this.text.slice(start, this.offset);
    if (!/\d/.test(text) || fragileForm(text) === undefined) return;
    if (this.#warnings.length === MAX_WARNINGS) {
      this.#more++;
      return;
    }
    const path = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    this.#warnings.push(...numberWarning(this.#name + path.join(''), text));
  }
}

function fragileForm(text: string): string | undefined {
  if (/[eE]/.test(text)) return 'many languages print it without the exponent';
  if (/^-0(?:\.0+)?$/.test(text)) return 'many languages print it as 0';
  if (/\.\d*0$/.test(text)) return 'many languages drop the trailing zeros';
  if (/^-?0\.0000/.test(text)) return 'many languages print it with an exponent';
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  if (digits.length > 15) return 'with more than 15 digits many languages round it';
  return undefined;
}
