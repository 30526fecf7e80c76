import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { OK } from '../../exit-codes.ts';
import { openPlatform } from '../../platform.ts';
import type { PlannedBill } from './plan.ts';
import { unverified } from './progress.ts';

/** Fetches one bill to standard output, which gets no byte before all of it is verified. */
export async function fetchToStdout(
  { job, settings, options }: PlannedBill,
  context: Context,
): Promise<number> {
  const { fetchBill } = await import('../../../platform/bill/fetch-bill.ts');
  const directory = await mkdtemp(join(tmpdir(), 'mop-'));
  try {
    const { client, close } = await openPlatform(context, settings);
    try {
      const target = join(directory, 'bill');
      const { verified } = await fetchBill(client, { ...job, target }, options);
      if (!verified) context.output.warn(unverified(job));
      for await (const chunk of createReadStream(target)) await context.output.bytes(chunk);
      return OK;
    } finally {
      await close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
