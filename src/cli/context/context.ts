import { MopError } from '../../errors.ts';
import { MAX_TIMER_MS } from '../../http/abort.ts';
import { type ConfigFile, configPath, readConfig } from './config-file.ts';
import type { Io } from './io.ts';
import { Output, type OutputOptions } from './output.ts';
import { type SettingFlags, Settings } from './settings.ts';

/** The options of every command (contract section 1). */
export interface GlobalOptions extends SettingFlags, OutputOptions {
  readonly verbose?: boolean;
  /** Seconds. */
  readonly timeout?: number;
  /** Seconds. */
  readonly maxTime?: number;
  readonly retries?: number;
  readonly proxy?: string;
  readonly caFile?: string;
  readonly dryRun?: boolean;
}

/** The context of a command: the process, the global options, and the output. */
export interface Context {
  /** Its signal is aborted by SIGHUP, SIGINT, SIGTERM and `--max-time`; the reason is the error to report. */
  readonly io: Io;
  readonly globals: GlobalOptions;
  /** The command line, without node and script. */
  readonly argv: readonly string[];
  readonly output: Output;
  /** Rejects with the reason of the run's signal, or of another one. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export function createContext(io: Io, globals: GlobalOptions, argv: readonly string[]): Context {
  const { maxTime } = globals;
  const timedIo: Io =
    maxTime === undefined
      ? io
      : // Inherit, do not copy: copying reads `stdin`, and that opens standard input.
        Object.create(io, {
          signal: { value: AbortSignal.any([io.signal, deadline(maxTime)]) },
        });
  return {
    io: timedIo,
    globals,
    argv,
    output: new Output(timedIo, globals),
    sleep: (ms, signal) =>
      io.sleep(ms, signal ? AbortSignal.any([timedIo.signal, signal]) : timedIo.signal),
  };
}

/** The settings of a profile. Default: the current profile. */
export function settingsOf(context: Context, profile = context.globals.profile): Settings {
  const { globals, io } = context;
  return new Settings({ ...globals, profile }, io.env, configOf(context));
}

/** The configuration file, read by {@link readConfig}; warnings are printed once. */
export function configOf({ io, output }: Context): ConfigFile {
  return readConfig(configPath(io, output.warnOnce), output.warnOnce);
}

function deadline(seconds: number): AbortSignal {
  const controller = new AbortController();
  const error = new MopError('network', `not done within ${seconds} s (--max-time)`, {
    hint: 'raise --max-time, or add --verbose to see which request is slow',
  });
  setTimeout(() => controller.abort(error), Math.min(seconds * 1000, MAX_TIMER_MS)).unref();
  return controller.signal;
}
