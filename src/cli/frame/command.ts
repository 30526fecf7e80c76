import { Command as CommanderCommand, type ErrorOptions } from 'commander';
import { MopError } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import { CommandHelp, type HelpText } from './command-help.ts';

/** A command of the tree, as the file named after it declares it. */
export interface CommandDeclaration {
  readonly name: string;
  readonly description: string;
  /** Left out of lists. */
  readonly hidden?: boolean;
  /** Adds arguments and options. */
  readonly declare?: (command: Command) => void;
  readonly help?: HelpText;
  /** Loads the action; without one the command is a group, and shows its help. */
  readonly load?: () => Promise<ActionModule>;
  readonly commands?: readonly CommandDeclaration[];
  /** Whether `--reveal` means something without `--dry-run`. */
  readonly reveals?: boolean;
  /** The hint for an option of the command above that this one does not take. */
  readonly misplacedHint?: string;
}

/** `NAME.run.ts` beside the declaration `NAME.ts`. */
interface ActionModule {
  readonly run: (call: Call<never, never>) => Promise<void>;
}

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
  /** The names that `help` explains besides commands. */
  readonly topics: readonly string[];
}

/** The help of a command was asked for, or a group was called alone. */
export class HelpAsked extends Error {
  readonly command: Command;
  /** The name of another command, word by word, whose help was asked for by name. */
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
  /** Empty for all but the program itself. */
  content: ProgramContent = { commands: [], topics: [] };

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override createHelp(): CommandHelp {
    return new CommandHelp();
  }

  /** @throws {HelpAsked} commander must not print: the width and the form are decided later. */
  override outputHelp(): never {
    throw new HelpAsked(this);
  }

  /** Commander takes `--json=1` for an unknown option: no declared option with a value gets here. */
  override error(message: string, options?: ErrorOptions): never {
    const [, name] = /^error: unknown option '(--[^=']+)=/.exec(message) ?? [];
    const declared = lineage(this).flatMap((command) => command.options);
    if (name !== undefined && declared.some(({ long }) => long === name)) {
      throw new MopError('usage', `${name} takes no value`, { hint: `write ${name} alone` });
    }
    super.error(message, options);
  }
}

/** From the program down to a command. */
export function lineage(command: Command): [program: Command, ...below: Command[]] {
  return command.parent ? [...lineage(command.parent as Command), command] : [command];
}
