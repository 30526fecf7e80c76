import { processIo } from './context/io.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { main } from './main.ts';

/** Runs the command line of this process and sets its exit code. */
export async function run(): Promise<void> {
  // An event loop that runs dry is a failure.
  process.exitCode = EXIT_CODES.failure;
  process.exitCode = await main(process.argv.slice(2), processIo());
  // All writes are done, unless a signal or --max-time came first. Data that nobody reads would keep
  // the process alive.
  if (process.stdout.writableLength > 0) process.exit();
}
