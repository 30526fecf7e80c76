import { MopError } from '../../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/** The code of the error, and its message. */
const NAMES = { SIGINT: 'interrupted', SIGTERM: 'terminated' } as const;

type EndSignal = keyof typeof NAMES;

const SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM'];

/** Signals in this time are one: npm passes on to a command what the terminal sent to both. */
const ONE_SIGNAL_MS = 500;

/**
 * A signal that SIGINT and SIGTERM abort, with the error to end with. Another one after it ends the
 * process at once, as it would without a listener. Call it once in a process.
 */
export function abortedBySystem(): AbortSignal {
  const controller = new AbortController();
  let impatientAt = 0;
  const listener = (signal: EndSignal): void => {
    if (controller.signal.aborted) {
      setTimeout(dieOf, Math.max(0, impatientAt - performance.now()), signal, listener);
    } else {
      impatientAt = performance.now() + ONE_SIGNAL_MS;
      const name = NAMES[signal];
      controller.abort(new MopError(name, name, { hint: 'nothing half-done was left' }));
    }
  };
  // `on`, not `once`: ora's clean-up kills the process when it finds nobody else listening.
  for (const signal of SIGNALS) process.on(signal, listener);
  return controller.signal;
}

/** Not `process.exit`, which waits for threads: one may be blocked by a file or a name lookup. */
function dieOf(signal: EndSignal, listener: (signal: EndSignal) => void): void {
  process.off(signal, listener);
  process.kill(process.pid, signal);
}

/** What may block a thread: a file, such as a pipe that nothing is written to, or a lookup. */
const BLOCKING = /^(?:FSReq|GetAddrInfo)/;

/** Ends the process with an exit code, whatever it still waits for. */
export function exit(code: number): never {
  const blocking = process.getActiveResourcesInfo().filter((name) => BLOCKING.test(name));
  for (const signal of blocking.length > 0 ? SIGNALS : []) {
    // Node waits for its threads, and meanwhile no listener would hear a signal.
    process.removeAllListeners(signal);
    // A lookup may take long. To a shell, death by the signal has the same exit code.
    const isLookup = blocking.includes('GetAddrInfoReqWrap');
    if (isLookup && code === EXIT_CODES[NAMES[signal]]) process.kill(process.pid, signal);
  }
  process.exit(code);
}
