import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileError } from '../../../files/file-error.ts';
import { fetchBill } from '../../../platform/bills/fetch.ts';
import { openPlatform } from '../../clients/open-platform.ts';
import type { Context } from '../../context/context.ts';
import type { PlannedBill } from './plan.ts';
import { billProgress, warnOfContent } from './progress.ts';

/** Fetches one bill to standard output. Prints nothing before all of it is verified. */
export async function fetchToStdout(
  { job, settings, options }: PlannedBill,
  context: Context,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'mop-')).catch((error: unknown) => {
    throw fileError(error, `cannot write in ${tmpdir()}`);
  });
  try {
    const { client, close } = await openPlatform(context, settings);
    const progress = await billProgress(context, 1);
    const task = { client, job: { ...job, target: join(directory, 'bill') }, options };
    try {
      const stored = await fetchBill(client, task.job, {
        ...options,
        signal: context.io.signal,
        onEvent: (event) => progress.onEvent(task, event),
      });
      warnOfContent(job, stored, context.output);
    } finally {
      progress.end();
      await close();
    }
    for await (const chunk of createReadStream(task.job.target)) await context.output.bytes(chunk);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
