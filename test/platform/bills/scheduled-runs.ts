/** Runs whose calls of the file system a scheduler puts in order. */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { type ReadStream } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Scheduler } from 'fast-check';

/** A call that fails, as on a full or broken disk. */
export type Fault = 'appendFile' | 'rename';

/** Work that is interleaved with that of other runs. */
export interface ScheduledRun<T> {
  readonly name: string;
  readonly work: () => Promise<T>;
  /** The directory of the bills, as the run spells it. */
  readonly directory: string;
  readonly fault?: Fault | undefined;
}

/** Called when a run waits, may queue or has ended. */
let onChange = (): void => {};

/** The state of a run. */
interface Strand extends ScheduledRun<unknown> {
  /** The number of calls that wait for the scheduler. */
  waiting: number;
  /** Whether the run may wait for another run of this process: see {@link isBusy}. */
  mayQueue: boolean;
  hasEnded: boolean;
}

type Call = (...args: never[]) => unknown;
type Replacement = (strand: Strand, call: (...args: unknown[]) => unknown) => Call;

const strands = new AsyncLocalStorage<Strand>();
const { setImmediate: turn } = timers;
/** A file can be replaced only by these. Writes to a temporary file concern one run alone. */
const FUNCTIONS = ['access', 'lstat', 'mkdir', 'open', 'rename', 'rm', 'stat'];
const METHODS = ['chmod', 'read', 'stat', 'truncate'];

/**
 * Runs all work concurrently. Each call of the file system, and each poll of a lock, waits until the
 * scheduler selects it. Only one call is executed at a time, and the next one is selected when every
 * run waits again: so the order depends on the scheduler alone.
 */
export async function runScheduled<T>(
  scheduler: Scheduler,
  runs: readonly ScheduledRun<T>[],
): Promise<PromiseSettledResult<T>[]> {
  const restore = await replaceCalls(scheduler);
  try {
    const started = runs.map((run) => {
      const strand: Strand = { ...run, waiting: 0, mayQueue: false, hasEnded: false };
      const end = strands.run(strand, run.work).finally(() => {
        strand.hasEnded = true;
        onChange();
      });
      return { strand, end };
    });
    const all = Promise.allSettled(started.map(({ end }) => end));
    for (;;) {
      await turn();
      while (started.some(({ strand }) => isBusy(strand))) {
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
        await turn();
      }
      if (started.every(({ strand }) => strand.hasEnded)) return await all;
      await scheduler.waitNext(1);
    }
  } finally {
    restore();
  }
}

/**
 * Whether the run will reach its next call, or its end, without another run. The work of a process
 * queues for a lock after a look at the directory; it reaches any other call within one turn.
 */
function isBusy({ waiting, mayQueue, hasEnded }: Strand): boolean {
  return waiting === 0 && !mayQueue && !hasEnded;
}

/** Replaces the functions of Node within runs. Returns a function that restores them. */
async function replaceCalls(scheduler: Scheduler): Promise<() => void> {
  const pass = async (strand: Strand, label: string): Promise<void> => {
    strand.mayQueue = false;
    strand.waiting++;
    onChange();
    await scheduler.schedule(Promise.resolve(), `${strand.name}: ${label}`);
    strand.waiting--;
  };
  const passing =
    (name: string): Replacement =>
    (strand, call) =>
    async (path: unknown, ...rest: unknown[]) => {
      await pass(strand, typeof path === 'string' ? `${name} ${path}` : name);
      if (name === strand.fault) throw diskError('EIO', name);
      try {
        return await call(path, ...rest);
      } finally {
        strand.mayQueue = name === 'stat' && path === strand.directory;
        if (strand.mayQueue) onChange();
      }
    };
  // In two parts: readers do not take the lock, and may see an incomplete line.
  const appending: Replacement = (strand, call) => async (line: string) => {
    await pass(strand, 'appendFile, first half');
    await call(line.slice(0, line.length / 2));
    await pass(strand, 'appendFile, second half');
    if (strand.fault === 'appendFile') throw diskError('ENOSPC', 'write');
    await call(line.slice(line.length / 2));
  };
  // The tests do not cut the power.
  const syncing: Replacement = (strand) => () => pass(strand, 'sync');
  const polling: Replacement = (strand) => () => pass(strand, 'poll');
  const streaming: Replacement = (strand, call) => (path: string, options: object) => {
    const passed =
      (name: 'open' | 'read') =>
      (...args: unknown[]) => {
        pass(strand, `${name} ${path}`).then(() => Reflect.apply(fs[name], fs, args));
      };
    const calls = { open: passed('open'), read: passed('read'), close: fs.close };
    return call(path, { ...options, fs: calls }) as ReadStream;
  };

  const methods = await fileMethods();
  const restores = [
    ...FUNCTIONS.map((name) => replace(promises, name, passing(name))),
    ...METHODS.map((name) => replace(methods, name, passing(name))),
    replace(methods, 'appendFile', appending),
    replace(methods, 'sync', syncing),
    replace(timers, 'setTimeout', polling),
    replace(fs, 'createReadStream', streaming),
  ];
  // The modules import the functions by their names.
  syncBuiltinESMExports();
  return () => {
    for (const restore of restores) restore();
    syncBuiltinESMExports();
  };
}

/** Replaces a function within runs. Other work of this process, such as that of vitest, keeps it. */
function replace(owner: object, name: string, replacement: Replacement): () => void {
  const original: Call = Reflect.get(owner, name);
  Reflect.set(owner, name, function (this: unknown, ...args: never[]) {
    const strand = strands.getStore();
    const call = (...given: unknown[]) => Reflect.apply(original, this, given);
    return strand ? replacement(strand, call)(...args) : call(...args);
  });
  return () => Reflect.set(owner, name, original);
}

async function fileMethods(): Promise<FileHandle> {
  const file = await promises.open(process.execPath);
  await file.close();
  return Object.getPrototypeOf(file);
}

function diskError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}
