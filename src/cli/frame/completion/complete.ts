import type { Option } from 'commander';
import type { Io } from '../../context/io.ts';
import { type Command, lineage, type ProgramContent } from '../command.ts';
import { childrenOf, globalsOf, readCommand, readOption, type Value } from '../command-tree.ts';
import { buildProgram } from '../program.ts';
import { type Answer, type Candidate, type Line, VALUES } from './values.ts';

const NOTHING: Answer = { candidates: [] };

/**
 * Answers a shell: `mop __complete WORD…` (contract section 8). The last word is to be completed.
 * Prints the kind of the answer and a prefix, then a candidate per line. Never fails.
 */
export async function complete(
  words: readonly string[],
  io: Io,
  content: ProgramContent,
): Promise<void> {
  const found = await answer(words, io, content).catch(() => NOTHING);
  const { kind = 'words', prefix = '', candidates } = isPrintable(found.prefix) ? found : NOTHING;
  const isPath = kind === 'files' || kind === 'directories';
  const lines = candidates
    .filter(
      ({ value, description }) => value !== '' && isPrintable(value) && isPrintable(description),
    )
    .map(({ value, description }) =>
      description === undefined ? prefix + value : `${prefix}${value}\t${description}`,
    );
  const head = isPath && prefix !== '' ? `${kind}\t${prefix}` : kind;
  const text = `${[head, ...new Set(lines)].join('\n')}\n`;
  await new Promise<void>((resolve) => io.stdout.write(text, () => resolve()));
}

/** A name from a file may contain characters that end a line or control the terminal. */
function isPrintable(text = ''): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

async function answer(words: readonly string[], io: Io, content: ProgramContent): Promise<Answer> {
  const typed = words.at(-1) ?? '';
  // PowerShell before 7.3 drops an empty argument: the script writes "" instead.
  const word = typed === '""' ? '' : typed;
  const program = buildProgram(content);
  const line = readLine(words.slice(0, -1), program, io);
  if (line.pending && !(word.startsWith('-') && isSatisfied(line.pending, line))) {
    return optionValue(line.pending, word, '', line);
  }
  if (line.onlyArguments || !word.startsWith('-')) return argument(word, line);
  const [, name] = /^(--[^=]+)=/.exec(word) ?? [];
  if (name === undefined) return { candidates: optionNames(line) };
  line.pending = findOption(line, name);
  return line.pending ? optionValue(line.pending, word, `${name}=`, line) : NOTHING;
}

/** Reads the words before the current one as commander does. Skips unknown options. */
function readLine(words: readonly string[], program: Command, io: Io): Line {
  const line: Line = { command: program, arguments: [], given: [], onlyArguments: false, io };
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
function isSatisfied(option: Option, { given }: Line): boolean {
  return option.optional || (option.variadic && given.some(([each]) => each === option));
}

/** Reads `--`, `--name`, `--name=value`, `-p`, `-pVALUE`, or a group of letters such as `-qp`. */
function readFlag(word: string, line: Line): void {
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
function readOptionWord(name: string, value: string | undefined, line: Line): boolean {
  const option = findOption(line, name);
  const isValued = option !== undefined && (option.required || option.optional);
  if (isValued && value === undefined) line.pending = option;
  else if (option) line.given.push([option, value ?? '']);
  return isValued;
}

function findOption({ command }: Line, name: string): Option | undefined {
  return lineage(command)
    .reverse()
    .flatMap(({ options }) => options)
    .find(({ short, long }) => name === short || name === long);
}

/** The options of a command. One without a value is offered once. */
function optionNames({ command, given }: Line): Candidate[] {
  const [program] = lineage(command);
  const used = given.flatMap(([option]) =>
    option.required || option.optional ? [] : [option.long],
  );
  return [...readCommand(command).options, ...globalsOf(program).map(readOption)].flatMap(
    ({ names, description }) =>
      names.some((name) => used.includes(name))
        ? []
        : names.map((value) => ({ value, description })),
  );
}

async function optionValue(
  option: Option,
  word: string,
  prefix: string,
  line: Line,
): Promise<Answer> {
  const { value } = readOption(option);
  if (!value) return NOTHING;
  const found = await valueAnswer(value, word.slice(prefix.length), line);
  return { ...found, prefix: prefix + (found.prefix ?? '') };
}

/** The subcommands, and the values of the argument at this position. */
async function argument(word: string, line: Line): Promise<Answer> {
  const { command, arguments: before } = line;
  const all = readCommand(command).arguments;
  const last = all.at(-1);
  const value = all[before.length] ?? (last?.variadic ? last : undefined);
  const found = value ? await valueAnswer(value, word, line) : NOTHING;
  if (before.length > 0 || found.prefix !== undefined) return found;
  const subcommands = childrenOf(command).map((child) => ({
    value: child.name(),
    description: child.description(),
  }));
  return { ...found, candidates: [...subcommands, ...found.candidates] };
}

async function valueAnswer({ name, kind }: Value, word: string, line: Line): Promise<Answer> {
  const own = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (own) return own(line, word);
  if (typeof kind !== 'string') return { candidates: kind.map((value) => ({ value })) };
  if (kind === 'file') return { candidates: [], kind: 'files' };
  if (kind === 'directory') return { candidates: [], kind: 'directories' };
  const [prefix] = kind === '@file' ? (/^(?:[^@]*=)?@/.exec(word) ?? []) : [];
  return prefix === undefined ? NOTHING : { candidates: [], kind: 'files', prefix };
}
