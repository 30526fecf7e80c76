import { type Io, processIo } from './context/io.ts';
import { exit } from './context/signals.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { main } from './main.ts';

/** Runs the command line of this process, and ends the process with its exit code. */
export async function run(): Promise<void> {
  // An event loop that runs dry is a failure.
  process.exitCode = EXIT_CODES.failure;
  const io = processIo();
  const code = await main(process.argv.slice(2), io);
  await flush(io);
  exit(code);
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
