import { MopError } from '../../errors.ts';
import type { CaptureFormat } from './captured-request.ts';
import {
  ansiCText,
  type ShellInput,
  type ShellLine,
  type ShellVariables,
  shellLine,
} from './shell-words.ts';

/** The output of the left side of a pipe. */
export interface PipedInput {
  readonly input: ShellInput;
  /** The end of the left side, including its heredoc. */
  readonly end: number;
  /** The parts that the shell would have expanded. */
  readonly expansions: readonly string[];
  readonly notes: readonly string[];
}

const WRITER = /(?<![\w.-])(?:echo|printf|cat)(?=\s)/g;
/** Maximum number of candidates before the pipe: the program names may also be in a quoted text. */
const MAX_TRIED = 20;

/**
 * The input of a command from a pipe: the output of `echo`, `printf` or `cat`. The output of any other
 * command is unknown.
 *
 * @param from The earliest offset of the left side.
 * @param pipe The offset of the `|`.
 * @throws {MopError} `usage` for a heredoc that is not closed.
 */
export function pipedInput(
  text: string,
  from: number,
  pipe: number,
  format: CaptureFormat,
  variables: ShellVariables,
): PipedInput {
  const writers = [...text.slice(from, pipe).matchAll(WRITER)].slice(-MAX_TRIED);
  for (const { 0: program, index } of writers.toReversed()) {
    const line = lineUpTo(pipe, () =>
      shellLine(text, from + index + program.length, format, variables),
    );
    if (line === undefined) continue;
    const left = line.withInput();
    const written = outputOf(program, left, format);
    if (written) {
      const { end, expansions } = left;
      return { end, expansions, input: written.input, notes: [...left.notes, ...written.notes] };
    }
  }
  const command = text.slice(Math.max(from, pipe - MAX_SHOWN), pipe).replace(/^.*[|;&(\n]/s, '');
  return { input: { command: command.trim() }, end: pipe, expansions: [], notes: [] };
}

const MAX_SHOWN = 200;

/** Undefined if the word is in a quoted text, whose quotes do not match those of a command. */
function lineUpTo(pipe: number, read: () => ShellLine): ShellLine | undefined {
  try {
    const line = read();
    return line.end === pipe + 1 ? line : undefined;
  } catch (error) {
    if (error instanceof MopError) return undefined;
    throw error;
  }
}

type Output = Pick<PipedInput, 'input' | 'notes'>;

/** Undefined when the output cannot be known from the words. */
function outputOf(
  program: string,
  { words, input }: { readonly words: readonly string[]; readonly input: ShellInput | undefined },
  format: CaptureFormat,
): Output | undefined {
  if (program === 'echo') return echoed(words, format);
  const read = program === 'printf' ? formatted(words, format) : concatenated(words, input);
  return read && { input: read, notes: [] };
}

/** The output of `echo` in bash. */
function echoed(words: readonly string[], format: CaptureFormat): Output {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = words.slice(0, first === -1 ? words.length : first).join('');
  const text = words.slice(first === -1 ? words.length : first).join(' ');
  const interpretsEscapes = /e[^E]*$/.test(options);
  const isAmbiguous = !/[eE]/.test(options) && /\\[\\abefnrtv0]/.test(text);
  const end = options.includes('n') ? '' : '\n';
  return {
    input: { text: (interpretsEscapes ? ansiCText(withQuoteEscapes(text), format) : text) + end },
    notes: isAmbiguous
      ? ['the backslashes of echo were read as in bash; zsh and dash replace escapes such as \\n']
      : [],
  };
}

/** `echo -e` keeps the backslash before a quote. */
function withQuoteEscapes(text: string): string {
  return text.replace(/\\./gs, (written) => (/["'?]$/.test(written) ? `\\${written}` : written));
}

/** The output of `printf`; undefined for conversions other than `%s`. */
function formatted(words: readonly string[], format: CaptureFormat): ShellInput | undefined {
  const [pattern = '', ...values] = words[0] === '--' ? words.slice(1) : words;
  const parts: readonly string[] = pattern.match(/%.?|[^%]+/gs) ?? [];
  if (parts.some((part) => part.startsWith('%') && !/^%[%s]$/.test(part))) return undefined;
  const places = parts.filter((part) => part === '%s').length;
  // The pattern is repeated until all values are used.
  const rounds = places === 0 ? 1 : Math.max(1, Math.ceil(values.length / places));
  const rest = values.values();
  let text = '';
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      if (part === '%s') text += rest.next().value ?? '';
      else text += part === '%%' ? '%' : ansiCText(part, format);
    }
  }
  return { text };
}

/** The output of `cat` for a heredoc or one file. */
function concatenated(
  words: readonly string[],
  input: ShellInput | undefined,
): ShellInput | undefined {
  const [path = '-', ...others] = words;
  if (others.length > 0 || (path !== '-' && path.startsWith('-'))) return undefined;
  return path === '-' ? input : { path };
}
