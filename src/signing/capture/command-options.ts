import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';

/** An option of a command line by its long name, or an argument, whose name is ''. */
export interface CommandOption {
  readonly name: string;
  /** Empty for an option without an argument. */
  readonly value: string;
}

export interface OptionNames {
  readonly format: CaptureFormat;
  /** The long options that take an argument, and the letters without a long name here. */
  readonly withArgument: ReadonlySet<string>;
  /** Options without an argument whose names are prefixes of others, or that are read. */
  readonly withoutArgument?: readonly string[];
  /** The long names of the letters that take an argument or are read. */
  readonly letters: Readonly<Record<string, string>>;
}

/**
 * Reads the words of a command in the GNU manner: `--name value`, `--name=value`, `-abc`, `-n value`.
 *
 * @throws {MopError} `usage` when an option lacks its argument.
 */
export function commandOptions(
  words: readonly string[],
  { format, withArgument, withoutArgument = [], letters }: OptionNames,
): readonly CommandOption[] {
  const options: CommandOption[] = [];
  const rest = words.values();
  const argumentOf = (option: string): string => {
    const { done, value } = rest.next();
    if (!done) return value;
    throw captureError(
      format,
      `the command ends after ${shown(option)}, which takes an argument`,
      'copy the whole command, with its last line',
    );
  };
  const known = [...withArgument, ...withoutArgument].filter(({ length }) => length > 1);
  /** The full name; programs accept unambiguous abbreviations. */
  const fullName = (name: string): string => {
    const longer = known.includes(name) ? [] : known.filter((full) => full.startsWith(name));
    return longer.length === 1 ? (longer[0] ?? name) : name;
  };
  for (const word of rest) {
    if (word === '--') {
      for (const value of rest) options.push({ name: '', value });
    } else if (word.startsWith('--')) {
      const equals = word.indexOf('=');
      const name = fullName(word.slice(2, equals === -1 ? undefined : equals));
      const value = equals === -1 ? undefined : word.slice(equals + 1);
      options.push({ name, value: withArgument.has(name) ? (value ?? argumentOf(word)) : '' });
    } else if (word.startsWith('-') && word !== '-') {
      for (let index = 1; index < word.length; index++) {
        const letter = word.charAt(index);
        const name = letters[letter] ?? letter;
        if (withArgument.has(name)) {
          options.push({ name, value: word.slice(index + 1) || argumentOf(`-${letter}`) });
          break;
        }
        options.push({ name, value: '' });
      }
    } else {
      options.push({ name: '', value: word });
    }
  }
  return options;
}
