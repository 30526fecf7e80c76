import { printJson } from '../json/print.ts';
import { JsonReader } from '../json/reader.ts';
import { isNested, type JsonMember, type JsonValue } from '../json/value.ts';

/**
 * Warns about numbers that other languages parse and print differently: a signer or server in such
 * a language computes another canonical string.
 */
export function portabilityWarnings(members: readonly JsonMember[]): string[] {
  return members.flatMap(({ name, value }) => numberWarnings(name, value));
}

function numberWarnings(name: string, value: JsonValue): readonly string[] {
  if (isNested(value)) return new NumberReader(name, printJson(value)).warnings();
  const fault = value.kind === 'number' ? portabilityFault(value.text) : undefined;
  return fault === undefined ? [] : [warning(name, printJson(value), fault)];
}

function warning(path: string, number: string, fault: string): string {
  return `${path} is ${number}: ${fault}; it is signed as written`;
}

/** A nested value may hold millions of numbers. */
const MAX_WARNINGS = 100;

/** Reads the numbers in a nested value without parsing it: a tree takes twenty times the memory. */
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

  protected override skipAt(step: string | number, depth: number): void {
    this.#path.push(step);
    this.skip(depth);
    this.#path.pop();
  }

  protected override scalar(): void {
    const start = this.offset;
    super.scalar();
    const text = this.text.slice(start, this.offset);
    const fault = portabilityFault(text);
    if (fault === undefined) return;
    if (this.#warnings.length === MAX_WARNINGS) {
      this.#more++;
      return;
    }
    const path = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    this.#warnings.push(warning(this.#name + path.join(''), text, fault));
  }
}

/** The reason why other languages print a number differently; undefined if none do, and for `true`. */
function portabilityFault(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  if (/[eE]/.test(text)) return 'many languages print it without the exponent';
  if (/^-0(?:\.0+)?$/.test(text)) return 'many languages print it as 0';
  if (/\.\d*0$/.test(text)) return 'many languages drop the trailing zeros';
  if (/^-?0\.0000/.test(text)) return 'many languages print it with an exponent';
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  if (digits.length > 15) return 'many languages round numbers with more than 15 digits';
  return undefined;
}
