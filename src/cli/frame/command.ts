import { Command as CommanderCommand, type ErrorOptions, type OptionValueSource } from 'commander';
import { MopError, quoted } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import type { Translation } from '../context/translation.ts';
import { CommandHelp, type HelpText } from './command-help.ts';

/** The declaration of a command, in the file named after it. */
export interface CommandDeclaration {
  readonly name: string;
  readonly description: string;
  /** Omitted from the help. */
  readonly hidden?: boolean;
  /** Adds arguments and options. */
  readonly declare?: (command: Command) => void;
  readonly help?: HelpText;
  /** Loads the action from a `.run.ts` file. A command without one is a group and prints its help. */
  readonly load?: () => Promise<Action>;
  readonly commands?: readonly CommandDeclaration[];
  /** Whether `--reveal` is valid without `--dry-run`. */
  readonly reveals?: boolean;
  /** The hint for an option that only the parent command accepts. */
  readonly misplacedHint?: string;
}

type Action = (call: Call<never, never>) => Promise<void>;

/** A call of a command, as its action receives it. */
export interface Call<Options = unknown, Args extends readonly unknown[] = readonly unknown[]> {
  readonly args: Args;
  readonly options: Options;
  readonly context: Context;
  readonly command: Command;
}

export interface ProgramContent {
  /** In the order of the help. */
  readonly commands: readonly CommandDeclaration[];
  /** The topics of `help`. */
  readonly topics: readonly string[];
}

/** Thrown when help is requested, or a group is called without a subcommand. */
export class HelpRequested extends Error {
  readonly command: Command;
  /** The words of the requested command, for `GROUP help WORDS`. */
  readonly words: readonly string[] | undefined;

  constructor(command: Command, words?: readonly string[]) {
    super(`help for ${command.name()}`);
    this.command = command;
    this.words = words;
  }
}

/** A command of commander with our help. */
export class Command extends CommanderCommand {
  helpText: HelpText = { examples: [] };
  /** For its help in Chinese. */
  translation: Translation | undefined;
  /** Empty for all but the program itself. */
  content: ProgramContent = { commands: [], topics: [] };

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override createHelp(): CommandHelp {
    return new CommandHelp(this.translation);
  }

  /** @throws {HelpRequested} so that commander prints nothing: width and format are set later. */
  override outputHelp(): never {
    throw new HelpRequested(this);
  }

  /**
   * Refuses a second value of an option that is not repeatable: `-p a -p b`, `--no-nonce --nonce x`.
   *
   * @throws {MopError} `usage`
   */
  override setOptionValueWithSource(key: string, value: unknown, source?: string): this {
    const before = this.getOptionValue(key);
    const isGiven = source === 'cli' && this.getOptionValueSource(key) === 'cli';
    // A repeatable option collects its values in a list.
    if (isGiven && !Array.isArray(before) && before !== value) {
      const option = this.options.find((each) => each.attributeName() === key && !each.negate);
      const name = option?.long ?? key;
      const isNegated = before === false || value === false;
      const fault = isNegated
        ? `${name} and ${name.replace('--', '--no-')} exclude each other`
        : `${name} is given twice, with different values`;
      throw new MopError('usage', fault, { hint: 'leave out one of the two' });
    }
    return super.setOptionValueWithSource(key, value, source as OptionValueSource);
  }

  /** Commander reports `--json=1` as an unknown option. Options that take a value never get here. */
  override error(message: string, options?: ErrorOptions): never {
    const [, name] = /^error: unknown option '(--[^=']+)=/.exec(message) ?? [];
    const declared = lineage(this).flatMap((command) => command.options);
    if (name !== undefined && declared.some(({ long }) => long === name)) {
      throw new MopError('usage', `${name} takes no value`, { hint: quoted`write ${name} alone` });
    }
    super.error(message, options);
  }
}

/** The commands from the program down to `command`. */
export function lineage(command: Command): [program: Command, ...below: Command[]] {
  return command.parent ? [...lineage(command.parent as Command), command] : [command];
}
