import type { Option } from 'commander';
import { translatorOf } from '../../../locale/load.ts';
import type { Io } from '../../context/io.ts';
import { languageOf } from '../../context/language.ts';
import { lineage, type ProgramContent } from '../command.ts';
import { findOption, isSatisfied, isValued, readWords } from '../command-line.ts';
import { childrenOf, globalsOf, readCommand, readOption, type Value } from '../command-tree.ts';
import { buildProgram } from '../program.ts';
import { type Answer, type Candidate, type Line, VALUES } from './values.ts';

const NOTHING: Answer = { candidates: [] };

/**
 * Answers a shell: `mop __complete WORD…` (contract section 8). The last word is to be completed.
 * Prints the kind of the answer and a prefix, then a line for each candidate that begins with the
 * word, in any case. Never fails.
 */
export async function complete(
  words: readonly string[],
  io: Io,
  content: ProgramContent,
): Promise<void> {
  const typed = words.at(-1) ?? '';
  // PowerShell before 7.3 drops an empty argument: the script writes "" instead.
  const word = typed === '""' ? '' : typed;
  const found = await answer(words, word, io, content).catch(() => NOTHING);
  const { kind = 'words', prefix = '', candidates } = isPrintable(found.prefix) ? found : NOTHING;
  const isPath = kind === 'files' || kind === 'directories';
  const start = word.toLowerCase();
  const translator = await translatorOf(languageOf({}, io));
  const lines = candidates
    .filter(({ value }) => value !== '' && `${prefix}${value}`.toLowerCase().startsWith(start))
    .filter(({ value, description }) => isPrintable(value) && isPrintable(description))
    .map(({ value, description }) =>
      description === undefined
        ? prefix + value
        : `${prefix}${value}\t${translator?.text(description) ?? description}`,
    );
  const head = isPath && prefix !== '' ? `${kind}\t${prefix}` : kind;
  const text = `${[head, ...new Set(lines)].join('\n')}\n`;
  await new Promise<void>((resolve) => io.stdout.write(text, () => resolve()));
}

/** A name from a file may contain characters that end a line or control the terminal. */
function isPrintable(text = ''): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

async function answer(
  words: readonly string[],
  word: string,
  io: Io,
  content: ProgramContent,
): Promise<Answer> {
  const line: Line = { ...readWords(words.slice(0, -1), buildProgram(content)), io };
  if (line.pending && !(word.startsWith('-') && isSatisfied(line.pending, line))) {
    return optionValue(line.pending, word, '', line);
  }
  if (line.onlyArguments || !word.startsWith('-')) return argument(word, line);
  const [, name] = /^(--[^=]+)=/.exec(word) ?? [];
  if (name === undefined) return { candidates: optionNames(line) };
  line.pending = findOption(line, name);
  return line.pending ? optionValue(line.pending, word, `${name}=`, line) : NOTHING;
}

/** The options of a command. One without a value is offered once. */
function optionNames({ command, given }: Line): Candidate[] {
  const [program] = lineage(command);
  const used = given.flatMap(([option]) => (isValued(option) ? [] : [option.long]));
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
