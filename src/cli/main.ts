import type { CommanderError } from 'commander';
import { MopError } from '../errors.ts';
import { MOP, parseMop } from './commands.ts';
import { asExpected } from './context/error-json.ts';
import type { Io } from './context/io.ts';
import { BrokenPipe, Output } from './context/output.ts';
import { EXIT_CODES, OK } from './exit-codes.ts';

/**
 * Runs a command line, given without node and script, and returns its exit code. The only place
 * that turns errors into exit codes.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  // Before parsing, guess the output format from argv.
  let output = new Output(io, {
    json: argv.includes('--json'),
    debug: argv.includes('--debug'),
    color: !argv.includes('--no-color'),
  });
  try {
    const { context, run } = parseMop(argv, io);
    output = context.output;
    await output.loadColours();
    await run(context);
    return OK;
  } catch (error) {
    if (error instanceof BrokenPipe) return OK;
    const failure = isBadUsage(error) ? await withSuggestion(error, argv) : error;
    await output.loadColours();
    output.error(failure);
    return EXIT_CODES[asExpected(failure).code];
  }
}

/** Bad usage with a suggestion, where one can be made. */
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

/** Bad usage, for which a correction may be suggested. */
function isBadUsage(error: unknown): error is MopError | CommanderError {
  if (!(error instanceof MopError)) return isCommanderError(error);
  return error.code === 'usage' || error.details.unknown !== undefined;
}
