import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { LEDGER_NAME, type LedgerEntry } from '../../src/platform/bills/ledger.ts';
import { md5 } from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';

interface Bill {
  readonly original: Buffer;
  readonly zipped: Buffer;
  /** The MD5 of the original. */
  readonly md5: string;
}

/** A platform for many processes. Each day has a different bill. */
export interface BillPlatform {
  readonly url: string;
  bill(date: string): Bill;
}

export interface BillPlatformOptions {
  /** Lines of a bill. */
  readonly rows: number;
  /** The number of pieces of a download, with a pause between two pieces. Default 1. */
  readonly pieces?: number;
  /** Delays the answer to a request for a bill. `path` is the path of the request. */
  readonly hold?: (path: string) => Promise<void>;
}

/** The pause between two pieces of a download, during which a process can be killed. */
const PAUSE_MS = 5;

/** Serves bills until the test ends, under any prefix of the path. */
export async function billPlatform({
  rows,
  pieces = 1,
  hold = async () => {},
}: BillPlatformOptions): Promise<BillPlatform> {
  const bills = new Map<string, Bill>();
  const bill = (date: string): Bill => {
    const made = bills.get(date) ?? billOf(date, rows);
    bills.set(date, made);
    return made;
  };
  const { url } = await serve(async ({ method, path, body }, response) => {
    if (method === 'POST') {
      await hold(path);
      const { bill_date: date } = JSON.parse(body);
      return envelope(response, 0, {
        hash_type: 'MD5',
        hash_value: bill(date).md5,
        download_url: `${url}/file?date=${date}`,
      });
    }
    const { zipped } = bill(new URL(path, url).searchParams.get('date') ?? '');
    const length = Math.ceil(zipped.length / pieces);
    for (let start = 0; start < zipped.length; start += length) {
      response.write(zipped.subarray(start, start + length));
      if (pieces > 1) await sleep(PAUSE_MS);
    }
    return response.end();
  });
  return { url, bill };
}

function billOf(date: string, rows: number): Bill {
  const lines = Array.from({ length: rows }, (_, row) => `${date}-${row},${md5(`${date} ${row}`)}`);
  const original = Buffer.from(`order_id,check\n${lines.join('\n')}\n`);
  return { original, zipped: gzipSync(original), md5: md5(original) };
}

export function fileOf(date: string): string {
  return `bill_${date}_all.csv`;
}

export interface LedgerState {
  /** The day of each line, in order. */
  readonly dates: readonly string[];
  /** Lines that end with a line feed but are not complete JSON. */
  readonly fragments: readonly string[];
  /** The text after the last line end. */
  readonly tail: string;
}

/** Reads the ledger of a directory, and compares each complete line with its bill. */
export function checkLedger(directory: string, { bill }: BillPlatform): LedgerState {
  const path = join(directory, LEDGER_NAME);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [''];
  const tail = lines.pop() ?? '';
  const entries: LedgerEntry[] = [];
  const fragments: string[] = [];
  for (const line of lines) {
    try {
      entries.push(JSON.parse(line));
    } catch {
      fragments.push(line);
    }
  }
  for (const entry of entries) {
    const { original, md5 } = bill(entry.date);
    expect(entry).toEqual({
      date: entry.date,
      type: 'all',
      profile: 'default',
      environment: 'production',
      status: 'stored',
      file: fileOf(entry.date),
      bytes: original.length,
      hash_type: 'MD5',
      hash_value: md5,
      verified: true,
      seq_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  }
  return { dates: entries.map(({ date }) => date), fragments, tail };
}
