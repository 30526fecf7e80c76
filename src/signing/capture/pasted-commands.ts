import { MopError } from '../../errors.ts';
import { shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';
import { cmdWords, isBrowserCommand, isCmdCommand } from './cmd-words.ts';
import { CommandFiles } from './command-files.ts';
import { pipedInput } from './piped-input.ts';
import { type ShellInput, type ShellWords, shellWords } from './shell-words.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  mentionsSignature,
  readsOrFailure,
} from './source.ts';

/** A command line, split into words as its shell does. */
export interface PastedCommand {
  /** Its first word, without directory and `.exe`. */
  readonly program: string;
  readonly words: readonly string[];
  readonly files: CommandFiles;
  /** Warnings about parts that may be missing from the paste. */
  readonly notes: readonly string[];
}

/** A program whose command lines are read. */
export interface CommandFormat {
  readonly format: CaptureFormat;
  /** Its names, as a regular expression. */
  readonly programs: string;
  /**
   * The readers of the requests that the command sends.
   *
   * @throws {MopError} `usage` for a command that the program refuses.
   */
  requests(command: PastedCommand): readonly CaptureEntry['read'][];
}

/** Text before the program in its line, or in its part of a line. */
const PROMPT = new RegExp(
  `(?:\\([\\w.-]+\\)\\s*)?(?:(?:${[
    /\+/,
    /[\w.-]*(?:@[\w.-]*)?(?::[^\s'"$>#%]*)?[$>#%]/,
    // Prompts of macOS, Red Hat, popular themes and Windows.
    /[\w.-]+@[\w.-]+ \S+ %/,
    /\[[^\]\n]*\][$#%]/,
    /[➜❯](?:\s+~\S*)?/,
    /PS [^>\n]*>/,
    /[A-Za-z]:\\[^>\n]*>/,
  ]
    .map(({ source }) => source)
    .join('|')})\\s*)?`,
);
const QUOTED = /(?:'[^']*'|"[^"]*")/;
const ASSIGNMENT = new RegExp(`[A-Za-z_]\\w*=[^\\s'"]*(?:${QUOTED.source}[^\\s'"]*)*`);
const PREFIXES = new RegExp(
  `(?:(?:sudo|env|time|exec|nohup|if|then|else|do|!|${ASSIGNMENT.source})\\s+)*`,
);
const DIRECTORY = /(?:[^\s"']*[/\\]|[A-Za-z]:[^"\n]*\\)?/;
const BEFORE = new RegExp(`^\\s*${PROMPT.source}${PREFIXES.source}"?${DIRECTORY.source}$`);

/** Maximum characters of a line that are read before the program. */
const MAX_BEFORE = 1000;

/** Reads each call of a program in a paste: one command, several, or a script around them. */
export function commandReader({ format, programs, requests }: CommandFormat): CaptureReader {
  const name = new RegExp(`(?<![\\w.-])(${programs})(?:\\.exe)?"?(?=\\s|$)`, 'g');
  return {
    format,
    isFormat: ({ head }) => !/^[{<]/.test(head) && nextCall(head, 0, name) !== undefined,
    read: (capture, readFile) => {
      const paste = pasteOf(capture.textAs(format), name, format);
      const found: (CaptureEntry & { readonly isComment: boolean })[] = [];
      let end = 0;
      for (let call = nextCall(paste.text, 0, name); call; call = nextCall(paste.text, end, name)) {
        const { program, start, isComment } = call;
        // After a command that cannot be split, the start of the next one is unknown.
        end = paste.text.length;
        const { reads } = readsOrFailure(() => {
          const { input, ...command } = paste.split(call);
          end = command.end;
          const files = new CommandFiles(format, readFile, input);
          return requests({ ...command, program, files });
        });
        const looksSigned = mentionsSignature(paste.text.slice(start, end));
        // As arguments of push, many requests would overflow the stack.
        for (const read of reads) found.push({ isComment, looksSigned, read });
      }
      // A # may be the prompt of root: it begins a comment only if there are other commands.
      const active = found.filter(({ isComment }) => !isComment);
      return active.length > 0 ? active : found;
    },
  };
}

interface Call {
  readonly program: string;
  /** The offset of its arguments. */
  readonly start: number;
  /** The offset of the `|` before it. */
  readonly pipe: number | undefined;
  readonly isComment: boolean;
}

/** The next call of a program from an offset on. */
function nextCall(text: string, from: number, name: RegExp): Call | undefined {
  name.lastIndex = from;
  for (let found = name.exec(text); found; found = name.exec(text)) {
    const [whole, program = ''] = found;
    const line = lineBefore(text, found.index);
    const part = line.slice(line.search(/[^;|&(`]*$/));
    if (BEFORE.test(line) || BEFORE.test(part)) {
      const start = found.index + whole.length;
      const pipe = pipeBefore(text, found.index - (BEFORE.test(part) ? part : line).length);
      return { program: program.toLowerCase(), start, pipe, isComment: /^\s*#/.test(line) };
    }
  }
  return undefined;
}

/** The offset of a `|` before a command, possibly in the previous line. */
function pipeBefore(text: string, start: number): number | undefined {
  const near = text
    .slice(Math.max(0, start - MAX_BEFORE), start)
    .trimEnd()
    .replace(/\\$/, '')
    .trimEnd();
  if (!/(?<!\|)\|$/.test(near)) return undefined;
  return Math.max(0, start - MAX_BEFORE) + near.length - 1;
}

function lineBefore(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - MAX_BEFORE), offset);
  return near.slice(near.lastIndexOf('\n') + 1);
}

interface Split {
  readonly words: readonly string[];
  readonly end: number;
  readonly input?: ShellInput | undefined;
  readonly notes: readonly string[];
}

interface Paste {
  readonly text: string;
  readonly split: (call: Call) => Split;
}

/** A text with the rules of its shell; all commands of a paste use the same shell. */
function pasteOf(text: string, name: RegExp, format: CaptureFormat): Paste {
  const first = nextCall(text, 0, name)?.start ?? 0;
  if (isCmdCommand(text, first)) {
    const browser = isBrowserCommand(text, first);
    const command = text.replaceAll('\r\n', '\n');
    return {
      text: command,
      split: ({ start }) => ({ ...cmdWords(command, start, browser, format), notes: [] }),
    };
  }
  const posix = withoutBackticks(text);
  const variables = new Map<string, string>();
  let read = 0;
  const isCut = /\\\s*$/.test(text.slice(-100));
  return {
    text,
    split: ({ start, pipe }) => {
      readAssignments(posix, read, start, variables);
      const command = shellWords(posix, start, format, variables);
      const isPiped = pipe !== undefined && command.input === undefined;
      const piped = isPiped ? pipedInput(posix, read, pipe, format, variables) : undefined;
      read = Math.max(command.end, piped?.end ?? 0);
      const expansions = [...new Set([...(piped?.expansions ?? []), ...command.expansions])];
      const notes = [...(piped?.notes ?? []), ...command.notes];
      if (isCut && command.end >= text.length) {
        notes.push('the command ends with a backslash: lines after it may be missing');
      }
      if (expansions.length > 0) {
        const names = expansions.slice(0, 5).map((expansion) => shown(expansion));
        if (expansions.length > 5) names.push(`${expansions.length - 5} more`);
        notes.push(
          expansions.length === 1
            ? `the shell would replace ${names[0]}, which was read unchanged: insert its value`
            : `the shell would replace ${names.join(', ')}, which were read unchanged: insert their values`,
        );
      }
      return { words: command.words, end: read, input: piped?.input ?? command.input, notes };
    },
  };
}

/** Replaces the line continuations of PowerShell (` after a blank), if every backtick is one. */
function withoutBackticks(text: string): string {
  return /(?<![ \t])`|`(?!\r?\n)/.test(text) ? text : text.replaceAll('`', '\\');
}

const ASSIGNED = /^[ \t]*(?:(?:export|local|readonly|declare)[ \t]+)?([A-Za-z_]\w*)=(?!\s)/gm;
/** `$(cat <<'END' … END)`. */
const CAT_HEREDOC = /^\$\(cat[ \t]*<<[ \t]*(['"]?)(\w+)\1[ \t]*\n(.*)\n\2[ \t]*\n?\)$/s;
/** Maximum length of a text after expansion of variables. */
const MAX_LENGTH = 5_000_000;

/** Sets the variables that a part of a script assigns, if their values are literal. */
function readAssignments(
  text: string,
  from: number,
  to: number,
  variables: Map<string, string>,
): void {
  const part = text.slice(from, to);
  ASSIGNED.lastIndex = 0;
  for (let found = ASSIGNED.exec(part); found; found = ASSIGNED.exec(part)) {
    const [, name = ''] = found;
    variables.delete(name);
    try {
      const assigned = shellWords(part, ASSIGNED.lastIndex, 'curl', variables);
      const value = knownValue(assigned);
      if (value !== undefined && value.length <= MAX_LENGTH) variables.set(name, value);
      ASSIGNED.lastIndex = assigned.end;
    } catch (error) {
      if (error instanceof MopError) return;
      throw error;
    }
  }
}

/** Undefined if a command computes the value, or if the assignment applies to one command only. */
function knownValue({ words: [value, ...command], expansions }: ShellWords): string | undefined {
  if (value === undefined || command.length > 0) return undefined;
  if (expansions.length === 0) return value;
  const [, quote, , text = ''] = CAT_HEREDOC.exec(value) ?? [];
  const expands = quote === '' && /[$`\\]/.test(text);
  return quote === undefined || expands ? undefined : text;
}
