import { resultCache } from '../result-cache.ts';
import { type Part, readPattern } from './skeleton.ts';

/** Names for patterns, which patterns and other names refer to as `{name}`. */
export class Vocabulary {
  readonly #meanings: Readonly<Record<string, string>>;
  readonly #parts = resultCache<Part>(Number.POSITIVE_INFINITY);

  constructor(...meanings: (Readonly<Record<string, string>> | undefined)[]) {
    this.#meanings = Object.assign({}, ...meanings);
  }

  /** A pattern with the names in it written out, in RE2 syntax. */
  expand(source: string): string {
    return source.replace(REFERENCE, (_, name: string) => `(?:${this.expand(this.#get(name))})`);
  }

  /**
   * What every match of a pattern has. Names are read once, however many patterns have them.
   *
   * @param atWord Whether a match begins where a word does.
   */
  read(source: string, atWord: boolean): Part {
    return readPattern(source, atWord, (name, nameAtWord) =>
      this.#parts(`${name} ${nameAtWord}`, () => this.read(this.#get(name), nameAtWord)),
    );
  }

  #get(name: string): string {
    const meaning = this.#meanings[name];
    if (meaning === undefined) throw new Error(`no vocabulary has {${name}}`);
    return meaning;
  }
}

const REFERENCE = /\{([a-z]\w*)\}/g;
