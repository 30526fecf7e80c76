import { MopError } from '../../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/** The code of the error, and its message. */
const NAMES = { SIGHUP: 'terminated', SIGINT: 'interrupted', SIGTERM: 'terminated' } as const;

type EndSignal = keyof typeof NAMES;

const SIGNALS: readonly EndSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Maximum time between a signal and the end. A command that is still waiting then ends without its
 * clean-up, as after SIGKILL: the next run removes its temporary files.
 */
const MAX_CLEAN_UP_MS = 1500;

/** Signals within this time count once: npm forwards a signal that the command also received. */
const ONE_SIGNAL_MS = 500;

/** The listener of the process; undefined in a test, which has its own signal. */
let listener: ((signal: EndSignal) => void) | undefined;
let signalOfProcess: AbortSignal | undefined;

/**
 * A signal that SIGHUP, SIGINT and SIGTERM abort. Its reason is the error to report. The next of
 * them ends the process immediately. Call this function once per process.
 */
export function abortedBySystem(): AbortSignal {
  const controller = new AbortController();
  let forceExitAt = 0;
  listener = (signal) => {
    if (controller.signal.aborted) {
      setTimeout(forceExit, Math.max(0, forceExitAt - performance.now()), signal);
    } else {
      forceExitAt = performance.now() + ONE_SIGNAL_MS;
      const name = NAMES[signal];
      setTimeout(forceExit, MAX_CLEAN_UP_MS, signal).unref();
      controller.abort(new MopError(name, name));
    }
  };
  // `on`, not `once`: ora's clean-up kills the process when no other listener is left.
  for (const signal of SIGNALS) process.on(signal, listener);
  signalOfProcess = controller.signal;
  return signalOfProcess;
}

/**
 * Runs work that may compute for seconds without a turn of the event loop, and has nothing to clean
 * up. A signal then ends the process by its default action: a listener would run too late.
 */
export async function endedBySignals<T>(work: () => Promise<T>): Promise<T> {
  // A signal that came during the work before this is delivered in the next turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  signalOfProcess?.throwIfAborted();
  const removed = listener;
  if (removed) for (const signal of SIGNALS) process.off(signal, removed);
  try {
    return await work();
  } finally {
    if (removed) for (const signal of SIGNALS) process.on(signal, removed);
  }
}

/** Requests that may block a thread: reading a pipe without a writer, or a name lookup. */
const BLOCKING = /^(?:FSReq|GetAddrInfo)/;

function blockingRequests(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => BLOCKING.test(name));
}

function forceExit(signal: EndSignal): void {
  if (blockingRequests().length > 0) killBy(signal);
  process.exit(EXIT_CODES[NAMES[signal]]);
}

/**
 * Ends the process by a signal. Unlike `process.exit`, this does not wait for blocked threads. A
 * shell reports the same exit code.
 */
function killBy(signal: EndSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Ends the process with an exit code, without waiting for open requests. */
export function exit(code: number): never {
  const blocking = blockingRequests();
  if (blocking.length > 0) {
    // Node calls no listener while it waits for its threads: restore the default action.
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    const signal = SIGNALS.find((each) => EXIT_CODES[NAMES[each]] === code);
    // Do not wait for a name lookup, which may take long.
    if (signal && blocking.includes('GetAddrInfoReqWrap')) killBy(signal);
  }
  process.exit(code);
}
