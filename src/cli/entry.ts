import { VERSION } from '../version.ts';
import { type Io, processIo } from './context/io.ts';
import { exit } from './context/signals.ts';
import { EXIT_CODES, OK } from './exit-codes.ts';

/** Runs the command line of this process, and ends the process with its exit code. */
export async function run(): Promise<void> {
  // An event loop that runs dry is a failure.
  process.exitCode = EXIT_CODES.failure;
  const argv = process.argv.slice(2);
  const io = processIo();
  const isDone = isVersionAlone(argv) && (await isWritten(`${VERSION}\n`, io));
  const code = isDone ? OK : await (await import('./main.ts')).main(argv, io);
  await flush(io);
  exit(code);
}

/** The version alone needs no commands: without this it takes 1.6 times as long. */
function isVersionAlone(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V');
}

/** Whether a text could be written; `main` says why not. */
function isWritten(text: string, { stdout, signal }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    stdout.write(text, (error) => resolve(!error));
  });
}

/**
 * Flushes standard error. Standard output is written already, unless a signal or `--max-time`
 * interrupted it.
 */
async function flush({ stdout, stderr, signal }: Io): Promise<void> {
  if (stdout.writableLength > 0) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    stderr.write('', () => resolve());
  });
}
