import { VERSION } from '../version.ts';
import { type Io, processIo } from './context/io.ts';
import { exit } from './context/signals.ts';
import { EXIT_CODES, OK } from './exit-codes.ts';

/** Runs the command line of this process, and ends the process with its exit code. */
export async function run(): Promise<void> {
  // The exit code if the event loop empties before the command ends.
  process.exitCode = EXIT_CODES.failure;
  const argv = process.argv.slice(2);
  const io = processIo();
  const isDone = isVersionFlag(argv) && (await tryWrite(`${VERSION}\n`, io));
  const code = isDone ? OK : await (await import('./main.ts')).main(argv, io);
  await flush(io);
  exit(code);
}

/** `mop --version` does not load the commands: loading them makes it 1.6 times slower. */
function isVersionFlag(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V');
}

/** Writes a text. Returns false on failure; `main` then writes it again and reports the error. */
function tryWrite(text: string, { stdout, signal }: Io): Promise<boolean> {
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
