import type { CommanderError } from 'commander';
import { MopError } from '../errors.ts';
import { MOP } from './commands.ts';
import { exitCodeOf, toMopError } from './context/error-json.ts';
import type { Io } from './context/io.ts';
import { languageNamed, languageOf } from './context/language.ts';
import { BrokenPipe, Output } from './context/output.ts';
import { withSafeTerminals } from './context/terminal.ts';
import { OK } from './exit-codes.ts';
import { parse } from './frame/program.ts';

/**
 * Runs a command line (without node and script) and returns its exit code. Only this function turns
 * errors into exit codes.
 */
export async function main(argv: readonly string[], process: Io): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete } = await import('./frame/completion/complete.ts');
    await complete(argv.slice(1), process, MOP);
    return OK;
  }
  const io = withSafeTerminals(process);
  // Parsing may fail, so read the output options from argv first.
  let output = new Output(io, {
    json: argv.includes('--json'),
    debug: argv.includes('--debug'),
    color: !argv.includes('--no-color'),
  });
  try {
    const { context, run } = parse(argv, io, MOP);
    output = context.output;
    await output.prepare(() => languageOf(context.globals, io), argv);
    await run(context);
    return OK;
  } catch (error) {
    if (error instanceof BrokenPipe) return OK;
    const failure = maySuggest(error) ? await withSuggestion(error, argv) : error;
    await output.prepare(() => languageOf({ lang: typedLanguage(argv) }, io), argv);
    output.error(failure);
    return exitCodeOf(toMopError(failure));
  }
}

/** The language in a command line that cannot be parsed. */
function typedLanguage(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const at = words.findIndex((word) => /^--lang(?:=|$)/.test(word));
  const text = words[at]?.split('=')[1] ?? words[at + 1];
  return at < 0 || text === undefined ? undefined : languageNamed(text);
}

/** The usage error, with a suggestion if a similar name exists. */
async function withSuggestion(
  error: MopError | CommanderError,
  argv: readonly string[],
): Promise<MopError> {
  const { usageError } = await import('./frame/usage-error.ts');
  return usageError(error, argv, MOP);
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

/** Whether to look for a suggestion: for usage errors, and for errors that name an unknown word. */
function maySuggest(error: unknown): error is MopError | CommanderError {
  if (!(error instanceof MopError)) return isCommanderError(error);
  return error.code === 'usage' || error.details.unknown !== undefined;
}
