import type { Option } from 'commander';
import { type Command, lineage } from './command.ts';

/** The meaning of some words of a command line. */
export interface CommandLine {
  command: Command;
  readonly arguments: string[];
  /** The options, in order; the value of an option without one is empty. */
  readonly given: [Option, value: string][];
  /** The option whose value is the next word. */
  pending?: Option | undefined;
  /** Whether a `--` ended the options. */
  onlyArguments: boolean;
}

/** Reads words as commander does, but skips unknown options. */
export function readWords(words: readonly string[], program: Command): CommandLine {
  const line: CommandLine = { command: program, arguments: [], given: [], onlyArguments: false };
  for (const word of words) {
    const { pending, command } = line;
    const isOption = !line.onlyArguments && /^-./.test(word);
    if (pending && !(isOption && isSatisfied(pending, line))) {
      line.given.push([pending, word]);
      if (!pending.variadic) line.pending = undefined;
      continue;
    }
    line.pending = undefined;
    if (isOption) readFlag(word, line);
    else {
      const child = (command.commands as Command[]).find((each) => each.name() === word);
      if (child && line.arguments.length === 0) line.command = child;
      else line.arguments.push(word);
    }
  }
  return line;
}

/** Whether another option may follow: this one has its first value, or needs none. */
export function isSatisfied(option: Option, { given }: CommandLine): boolean {
  return option.optional || (option.variadic && given.some(([each]) => each === option));
}

/** Reads `--`, `--name`, `--name=value`, `-p`, `-pVALUE`, or a group of letters such as `-qp`. */
function readFlag(word: string, line: CommandLine): void {
  if (word === '--') line.onlyArguments = true;
  else if (word.startsWith('--')) {
    const [, name = '', value] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    readOptionWord(name, value, line);
  } else {
    for (const [at, letter] of [...word].entries()) {
      const rest = word.slice(at + 1);
      if (at > 0 && readOptionWord(`-${letter}`, rest || undefined, line)) break;
    }
  }
}

/** Returns whether the option takes a value. */
function readOptionWord(name: string, value: string | undefined, line: CommandLine): boolean {
  const option = findOption(line, name);
  const takesValue = option !== undefined && isValued(option);
  if (takesValue && value === undefined) line.pending = option;
  else if (option) line.given.push([option, value ?? '']);
  return takesValue;
}

export function findOption({ command }: CommandLine, name: string): Option | undefined {
  return lineage(command)
    .reverse()
    .flatMap(({ options }) => options)
    .find(({ short, long }) => name === short || name === long);
}

export function isValued(option: Option): boolean {
  return option.required || option.optional;
}
