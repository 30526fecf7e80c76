import { largest, withoutEnd } from '../../any-length.ts';
import { MopError } from '../../errors.ts';
import { type CapturedRequest, type CaptureFormat, shown } from './captured-request.ts';
import { cmdLine, cmdWords, isBrowserCommand, isCmdCommand } from './cmd-words.ts';
import { CommandFiles } from './command-files.ts';
import { type CommandOptions, commandOptions, type OptionTable } from './command-options.ts';
import { ShellText } from './shell-commands.ts';
import type { ShellCommand } from './shell-words.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  MAX_UNREADABLE,
  mentionsSignature,
  readsOrFailure,
} from './source.ts';

export interface PastedCommand {
  /** Its name, without directory and `.exe`. */
  readonly program: string;
  readonly files: CommandFiles;
}

export interface CommandFormat {
  readonly programs: string;
  readonly options: OptionTable;
  read(options: CommandOptions, command: PastedCommand): Promise<CapturedRequest>;
}

/** The prompt of a shell: any text without quotes, up to a sign that is usual there. */
const PROMPT = /(?:[^'"\n]*[$#>%+➜❯](?:\s+~\S*)?\s*)?/;
const ASSIGNMENT = /[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*/;
const PREFIX = new RegExp(`^(?:sudo|env|time|exec|nohup|if|then|else|do|!|${ASSIGNMENT.source})$`);
const DIRECTORY = /(?:[^\s"']*[/\\]|[A-Za-z]:[^"\n]*\\)?/;
const BEFORE = new RegExp(
  `^\\s*${PROMPT.source}(?:${PREFIX.source.slice(1, -1)}\\s+)*"?${DIRECTORY.source}$`,
);

/** Programs whose output is known: a pipe may begin with them. */
const WRITERS = 'echo|printf|cat';
const ASSIGNS = /^[ \t]*(?:(?:export|local|readonly|declare)[ \t]+)?[A-Za-z_]\w*=(?!\s)/;
const EXTENSION = /(?:\.exe)?"?$/;

const MAX_BEFORE = 1000;

/** Reads each call of a program in a paste: one command, several, or a script around them. */
export function commandReader({ programs, options, read }: CommandFormat): CaptureReader {
  const { format } = options;
  const call = callOf(programs);
  return {
    format,
    isFormat: ({ head }) => !/^[{<]/.test(head) && nextStart(head, 0, call) !== undefined,
    read: async (capture, readFile) => {
      const text = capture.textAs(format);
      const first = nextStart(text, 0, call)?.offset ?? 0;
      const calls = isCmdCommand(text, first)
        ? cmdCalls(text, first, call, format)
        : shellCalls(await shellText(text, format), programs);
      const found: (CaptureEntry & { readonly isComment: boolean })[] = [];
      for (const { text, isComment, command } of calls) {
        const { reads } = readsOrFailure(() => {
          const { words, input, notes } = command();
          const [path = '', ...rest] = words;
          const program = path.replace(/^.*[/\\]|\.exe$/gi, '').toLowerCase();
          return commandOptions(rest, options).map((each) => {
            const files = new CommandFiles(format, readFile, { input, notes });
            return () => read(each, { program, files });
          });
        });
        const looksSigned = mentionsSignature(text);
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
  readonly text: string;
  readonly isComment: boolean;
  readonly command: () => Omit<ShellCommand, 'expansions'>;
}

interface Start {
  readonly name: string;
  readonly offset: number;
  /** The text before the name that is not a part of its command. */
  readonly before: string;
  readonly isComment: boolean;
}

function callOf(programs: string): RegExp {
  return new RegExp(`(?<![\\w.-])(?:${programs})(?:\\.exe)?"?(?=\\s|$)`, 'g');
}

function nextStart(text: string, from: number, pattern: RegExp): Start | undefined {
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [name] = found;
    const near = text.slice(Math.max(0, found.index - MAX_BEFORE), found.index);
    const line = near.slice(near.lastIndexOf('\n') + 1);
    const part = line.slice(line.search(/[^;|&(`]*$/));
    const isPart = BEFORE.test(part);
    if (isPart || BEFORE.test(line)) {
      const before = near.slice(0, near.length - (isPart ? part : line).length);
      const isComment = /^\s*#/.test(line);
      return { name: name.replace(EXTENSION, ''), offset: pattern.lastIndex, before, isComment };
    }
  }
  return undefined;
}

function* cmdCalls(
  text: string,
  first: number,
  pattern: RegExp,
  format: CaptureFormat,
): Generator<Call> {
  const isBrowser = isBrowserCommand(text, first);
  const lines = text.replaceAll('\r\n', '\n');
  for (let start = nextStart(lines, 0, pattern); start; ) {
    const { name, offset, isComment } = start;
    const { line, end: lineEnd } = cmdLine(lines, offset, isBrowser);
    const words = cmdWords(line, isBrowser, format);
    const end = words instanceof MopError ? lines.length : lineEnd;
    const command = (): ReturnType<Call['command']> => {
      if (words instanceof MopError) throw words;
      return { words: [name, ...words], input: undefined, notes: [] };
    };
    yield { text: lines.slice(offset, end), isComment, command };
    start = nextStart(lines, end, pattern);
  }
}

/** The calls in a text for a POSIX shell. Yields a call before the commands below it are read. */
function* shellCalls(shell: ShellText, programs: string): Generator<Call> {
  const pattern = new RegExp(`${ASSIGNS.source}|${callOf(`${programs}|${WRITERS}`).source}`, 'gm');
  const isProgram = new RegExp(`^(?:.*[/\\\\])?(?:${programs})(?:\\.exe)?$`, 's');
  let failures = 0;
  for (let start = nextStart(shell.text, 0, pattern); start && failures < MAX_UNREADABLE; ) {
    const { name, offset, before, isComment } = start;
    const pipeline = shell.pipelineAt(offset, name);
    let end = offset;
    for (const [index, { name, args }] of pipeline.commands.entries()) {
      const words = [name, ...args];
      const first = words.findIndex((word) => word?.type === 'Word' && !PREFIX.test(word.value));
      const word = words[first];
      if (word?.type !== 'Word' || !isProgram.test(word.value)) continue;
      // After a command that cannot be split, the start of the next one is unknown.
      end = pipeline.fault === undefined ? pipeline.end : shell.text.length;
      const command = (): ReturnType<Call['command']> => {
        const read = shell.read(pipeline, index);
        const input = read.input ?? (index === 0 ? unknownInput(before) : undefined);
        const notes = [...read.notes, ...expansionNotes(read.expansions)];
        return { words: read.words.slice(first), input, notes };
      };
      yield { text: shell.writtenUpTo(pipeline, index), isComment, command };
    }
    const { failed } = readsOrFailure(() => shell.assign(pipeline));
    if (failed) failures++;
    start = nextStart(shell.text, end, pattern);
  }
}

/** The output of the command before a `|`, possibly in the previous line. */
function unknownInput(before: string): ShellCommand['input'] {
  const pipe = withoutEnd(before, '\\ \t\r\n');
  if (!pipe.endsWith('|') || pipe.endsWith('||')) return undefined;
  const command = pipe.slice(0, -1);
  const start = largest(['|', ';', '&', '(', '\n'].map((mark) => command.lastIndexOf(mark) + 1));
  return { command: command.slice(start).trim() };
}

async function shellText(text: string, format: CaptureFormat): Promise<ShellText> {
  // Most captures are not commands: their readers need no parser.
  const { parse } = await import('unbash');
  return new ShellText(withoutBackticks(text), format, parse);
}

/** Replaces the line continuations of PowerShell (` after a blank), if every backtick is one. */
function withoutBackticks(text: string): string {
  return /(?<![ \t])`|`(?!\r?\n)/.test(text) ? text : text.replaceAll('`', '\\');
}

function expansionNotes(expansions: readonly string[]): readonly string[] {
  if (expansions.length === 0) return [];
  const names = expansions.slice(0, 5).map((expansion) => shown(expansion));
  if (expansions.length > 5) names.push(`${expansions.length - 5} more`);
  const verb = expansions.length === 1 ? 'was' : 'were';
  return [
    `the shell would replace ${names.join(', ')}, which ${verb} read unchanged: insert the sent text`,
  ];
}
