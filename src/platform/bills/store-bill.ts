import { dirname } from 'node:path';
import { AtomicFile } from '../../files/atomic-file.ts';
import type { OperationClient } from '../operation-client.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type DownloadOptions, downloadBill } from './download.ts';
import { findUnchanged } from './existing-bill.ts';
import { type PlacedBill, verifyDownload } from './verify-download.ts';

/**
 * Downloads a bill into a temporary file, verifies it and moves it to `target` (D1 4.1 rule 6).
 *
 * @param hashCompressed Also hash the compressed bytes, to explain a mismatch.
 * @throws {MopError} `integrity`, `network`, `api` or `io`; an existing file at `target` survives.
 */
export async function storeBill(
  client: OperationClient,
  target: string,
  descriptor: BillDescriptor,
  options: DownloadOptions,
  hashCompressed: boolean,
): Promise<PlacedBill> {
  const part = await AtomicFile.open(dirname(target), options.fileMode);
  try {
    const received = await downloadBill(client, descriptor, part, options, hashCompressed);
    const download = verifyDownload(descriptor, received);
    // Another run may have stored the bill in the meantime. Without a digest, compare the content.
    const { hashType: type, hashValue: value } = download;
    const found = await findUnchanged(target, { type, value }, options);
    if (found) return { ...download, ...found, status: 'unchanged' };
    await part.place(target);
    return { ...download, status: 'downloaded' };
  } finally {
    await part.discard();
  }
}
