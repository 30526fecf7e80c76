import { processIo } from './context/io.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { main } from './main.ts';

/** Runs the command line of this process, and sets the code with which it ends. */
export async function run(): Promise<void> {
  // What ends because nothing is left to wait for has not succeeded.
  process.exitCode = EXIT_CODES.failure;
  process.exitCode = await main(process.argv.slice(2), processIo());
  // Every write is waited for, unless a signal or --max-time came first: what is left then, nobody
  // reads, and it would keep the process alive.
  if (process.stdout.writableLength > 0) process.exit();
}
