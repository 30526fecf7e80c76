import { printJson } from '../json/print.ts';
import { JsonReader } from '../json/reader.ts';
import { isNested, type JsonMember, type JsonValue } from '../json/value.ts';

/** A nested value may hold millions of numbers. */
const MAX_WARNINGS = 100;

/**
 * Warns about numbers that other languages print differently: they compute another canonical
 * string.
 */
export function portabilityWarnings(members: readonly JsonMember[]): string[] {
  return members
    .filter(({ value }) => value.kind === 'number' || isNested(value))
    .flatMap(({ name, value }) => new NumberReader(name, value).read());
}

/** Reads the numbers in a value without parsing it: a tree takes twenty times the memory. */
class NumberReader extends JsonReader {
  readonly #path: string[];
  readonly #warnings: string[] = [];
  #more = 0;

  constructor(name: string, value: JsonValue) {
    super(printJson(value));
    this.#path = [name];
  }

  read(): readonly string[] {
    this.skip(0);
    const more = `${this.#path[0]} has ${this.#more} more numbers like these`;
    return this.#more > 0 ? [...this.#warnings, more] : this.#warnings;
  }

  protected override skipAt(step: string | number, depth: number): void {
    this.#path.push(typeof step === 'number' ? `[${step}]` : `.${step}`);
    this.skip(depth);
    this.#path.pop();
  }

  protected override scalar(): void {
    const start = this.offset;
    super.scalar();
    const text = this.text.slice(start, this.offset);
    const [, fault] = FAULTS.find(([pattern]) => pattern.test(text)) ?? [];
    if (fault === undefined) return;
    const where = this.#path.join('');
    if (this.#warnings.length === MAX_WARNINGS) this.#more++;
    else this.#warnings.push(`${where} is ${text}: ${fault}; it is signed as written`);
  }
}

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/\d[eE]/, 'many languages print it without the exponent'],
  [/^-0(?:\.0+)?$/, 'many languages print it as 0'],
  [/\.\d*0$/, 'many languages drop the trailing zeros'],
  [/^-?0\.0000/, 'many languages print it with an exponent'],
  [/[1-9](?:\.?\d){15}/, 'many languages round numbers with more than 15 digits'],
];
