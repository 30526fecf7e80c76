import type { ReadLimit } from '../../http/response.ts';
import type { Answer } from '../../platform/answer.ts';
import type { Operation } from '../../platform/operation.ts';
import { runBatch } from '../context/batch.ts';
import type { Context } from '../context/context.ts';
import { dryRunText } from '../context/dry-run.ts';
import { inputChunks } from '../context/input.ts';
import type { Settings } from '../context/settings.ts';
import { openPlatform } from './open-platform.ts';

/** The lines of a file, each the input of a call. */
export interface PlatformBatch {
  /** The path of the file, or `-` for standard input. */
  readonly source: string;
  /** The maximum number of calls in flight. */
  readonly concurrency: number;
  readonly keepGoing: boolean | undefined;
  /** Signed before the first line is read, so that missing settings fail only once. */
  readonly sample: Operation;
  /** @throws {MopError} `usage` for a line that is not the input of a call. */
  readonly operationOf: (line: string) => Operation;
  /** The maximum size of an answer. Default 16 MiB. */
  readonly limit?: ReadLimit;
  /** The JSON to print for an answer. */
  readonly shown: (answer: Answer) => string;
}

/**
 * Sends a call for each line over one connection, and prints one answer per line, in input order.
 * With `--dry-run`, prints the requests instead.
 */
export async function runPlatformBatch(
  { source, concurrency, keepGoing, sample, operationOf, limit, shown }: PlatformBatch,
  settings: Settings,
  context: Context,
): Promise<void> {
  const { io, globals, output } = context;
  const { client, close } = await openPlatform(context, settings);
  try {
    client.sign(sample);
    const work = async (line: string) => {
      const operation = operationOf(line);
      if (globals.dryRun) return { json: dryRunText(client.sign(operation), output) };
      return { json: shown(await client.call(operation, limit)) };
    };
    const batch = { work, concurrency, keepGoing, changesData: !sample.repeatable };
    const failure = await runBatch(inputChunks(source, io), batch, context);
    if (failure) throw failure;
  } finally {
    await close();
  }
}
