import { Command as CommanderCommand, InvalidArgumentError } from 'commander';
import { type ErrorCode, MopError } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import { CommandHelp } from './help.ts';

/** What a parsed command line does. Whatever is no success is thrown. */
export type Run = (context: Context) => Promise<void>;

/** Takes what the parsed command is to do; it runs once parsing is over. */
export type Choose = (command: Command, run: Run) => void;

/** What the help of a command says besides its description, arguments and options. */
export interface Explanation {
  /** Paragraphs, set apart by empty lines; one whose lines hold two spaces stays as it is. */
  readonly notes?: string;
  /** Command lines that work as they stand. */
  readonly examples: readonly string[];
  /** How it can fail, besides the ways in which every command can. */
  readonly failures?: readonly ErrorCode[];
}

/** Somebody wants to see the help of a command, or called a group of commands alone. */
export class HelpAsked extends Error {
  readonly command: Command;

  constructor(command: Command) {
    super(`help for ${command.name()}`);
    this.command = command;
  }
}

/** A command that can say all of that of itself. */
export class Command extends CommanderCommand {
  explanation: Explanation = { examples: [] };

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override createHelp(): CommandHelp {
    return new CommandHelp();
  }

  /** @throws {HelpAsked} What is printed, and how, is not for commander to say. */
  override outputHelp(): never {
    throw new HelpAsked(this);
  }

  explain(explanation: Explanation): this {
    this.explanation = explanation;
    return this;
  }
}

/**
 * The options of a command below another one that does something itself. Commander takes the
 * options of both wherever they stand, and gives those that both have to the upper one.
 *
 * @param hint What to do about an option that the lower one does not have.
 * @throws {MopError} `usage` for such an option.
 */
export function optionsOf<Options extends object>(
  command: Command,
  hint = `mop ${command.parent?.name()} ${command.name()} --help shows what it takes`,
): Options {
  const own = new Set(command.options.map((option) => option.attributeName()));
  const { parent } = command;
  const misplaced = parent?.options.find(
    (option) =>
      !own.has(option.attributeName()) &&
      parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (misplaced) {
    throw new MopError('usage', `${command.name()} takes no ${misplaced.long}`, { hint });
  }
  return command.optsWithGlobals<Options>();
}

/** The value of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** @throws {InvalidArgumentError} unless `text` is a number of at least 0. */
export function nonNegative(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number, 0 or more.');
}

/** @throws {InvalidArgumentError} unless `text` is a number above 0. */
export function positive(text: string): number {
  const value = nonNegative(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be more than 0.');
}

/** @throws {InvalidArgumentError} unless `text` is a whole number of at least 0. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** @throws {InvalidArgumentError} unless `text` is the number of a TCP port, or 0. */
export function port(text: string): number {
  const value = wholeNumber(text);
  if (value <= 65_535) return value;
  throw new InvalidArgumentError('It must be at most 65535.');
}

/** @throws {InvalidArgumentError} unless `text` is a number of days up to ten years. */
export function days(text: string): number {
  const value = count(text);
  if (value <= 3660) return value;
  throw new InvalidArgumentError('It must be at most 3660.');
}

/** @throws {InvalidArgumentError} unless `text` is a number of exchanges that a machine can hold. */
export function inFlight(text: string): number {
  const value = count(text);
  if (value <= 256) return value;
  throw new InvalidArgumentError('It must be at most 256.');
}

/** @throws {InvalidArgumentError} unless `text` is a whole number of at least 1. */
export function count(text: string): number {
  const value = wholeNumber(text);
  if (value >= 1) return value;
  throw new InvalidArgumentError('It must be 1 or more.');
}
