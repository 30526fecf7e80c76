import { type CaptureFormat, captureFault, shown } from './captured-request.ts';

/** An option of a command line by its long name, or an argument, whose name is ''. */
export interface CommandOption {
  readonly name: string;
  /** Empty for an option without an argument. */
  readonly value: string;
}

export interface OptionTable {
  readonly format: CaptureFormat;
  /** Whether each option takes an argument, by its long name, or by its letter if it has no other. */
  readonly takesArgument: ReadonlyMap<string, boolean>;
  readonly letters: ReadonlyMap<string, string>;
}

/**
 * Reads a table of options: `name=` takes an argument, `x:` is a letter. Options without an
 * argument are listed if they are read, or if their names are prefixes of others.
 */
export function optionTable(format: CaptureFormat, rows: string): OptionTable {
  const takesArgument = new Map<string, boolean>();
  const letters = new Map<string, string>();
  for (const [, letter, name = '', equals] of rows.matchAll(/(?:(\S):)?([^\s=]+)(=?)/g)) {
    takesArgument.set(name, equals === '=');
    if (letter !== undefined) letters.set(letter, name);
  }
  return { format, takesArgument, letters };
}

export class CommandOptions {
  readonly #options: readonly CommandOption[];

  constructor(options: readonly CommandOption[]) {
    this.#options = options;
  }

  all(...names: readonly string[]): readonly CommandOption[] {
    return this.#options.filter(({ name }) => names.includes(name));
  }

  last(...names: readonly string[]): string | undefined {
    return this.all(...names).at(-1)?.value;
  }

  get words(): readonly string[] {
    return this.all('').map(({ value }) => value);
  }
}

/**
 * Reads words in the GNU manner: `--name value`, `--name=value`, `-abc`, `-n value`. An option
 * `next` of the table begins another request.
 */
export function commandOptions(
  words: readonly string[],
  { format, takesArgument, letters }: OptionTable,
): readonly CommandOptions[] {
  const requests: CommandOption[][] = [[]];
  const rest = words.values();
  const known = [...takesArgument.keys()].filter(({ length }) => length > 1);
  /** The full name; programs accept unambiguous abbreviations. */
  const fullName = (name: string): string => {
    const longer = known.includes(name) ? [] : known.filter((full) => full.startsWith(name));
    return longer.length === 1 ? (longer[0] ?? name) : name;
  };
  const argumentOf = (name: string, written: string, attached: string | undefined): string => {
    if (!takesArgument.get(name)) return '';
    if (attached !== undefined) return attached;
    const { done, value } = rest.next();
    if (!done) return value;
    throw captureFault(format, 'missing-argument', [shown(written)]);
  };
  const add = (name: string, value: string): void => {
    if (name === 'next' && takesArgument.has(name)) requests.push([]);
    else requests.at(-1)?.push({ name, value });
  };
  for (const word of rest) {
    if (word === '--') {
      for (const value of rest) add('', value);
    } else if (word.startsWith('--')) {
      const [, written = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const name = fullName(written);
      add(name, argumentOf(name, word, value));
    } else if (word.startsWith('-') && word !== '-') {
      for (let index = 1; index < word.length; index++) {
        const letter = word.charAt(index);
        const name = letters.get(letter) ?? letter;
        add(name, argumentOf(name, `-${letter}`, word.slice(index + 1) || undefined));
        if (takesArgument.get(name)) break;
      }
    } else {
      add('', word);
    }
  }
  return requests.map((options) => new CommandOptions(options));
}
