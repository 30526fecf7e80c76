/** Two concurrent processes that fetch different bills into one file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LEDGER_NAME, type LedgerEntry } from '../../src/platform/bills/ledger.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { md5, pointAt } from '../support/platform.ts';
import type { Ended } from '../support/process.ts';
import { envelope, serve } from '../support/server.ts';
import { run } from './processes.ts';
import { times } from './scale.ts';

const DATE = '2026-11-18';
const FILE = 'x.csv';
/** Of one length, so that the size of the file reveals nothing. */
const CONTENTS = ['order_id,amount\n1,2.50\n', 'order_id,amount\n1,9.75\n'];

/** The request at which the processes wait for each other. */
const MEETINGS = ['POST', 'GET', undefined] as const;

/** Returns a function whose promise resolves when `count` calls have been made. */
function meeting(count: number): () => Promise<void> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrived = 0;
  return async () => {
    if (++arrived === count) open();
    await opened;
  };
}

interface Round {
  readonly ends: readonly Ended[];
  readonly directory: string;
}

/** Runs both processes in each round, in a new directory, and passes the result to `check`. */
async function eachRound(
  rounds: number,
  options: readonly string[],
  check: (round: Round) => void,
): Promise<void> {
  let hold = async (_method: string): Promise<void> => {};
  const urls = await Promise.all(
    CONTENTS.map(async (content) => {
      const { url } = await serve(async ({ method }, response) => {
        await hold(method);
        if (method === 'GET') return response.end(gzipSync(content));
        const digest = { hash_type: 'MD5', hash_value: md5(content) };
        return envelope(response, 0, { ...digest, download_url: `${url}/file` });
      });
      return url;
    }),
  );
  const parent = await temporaryDirectory();
  const config = join(parent, 'config');
  for (let round = 0; round < rounds; round++) {
    const place = MEETINGS[round % MEETINGS.length];
    const meet = meeting(CONTENTS.length);
    hold = async (method) => {
      if (method === place) await meet();
    };
    const directory = join(parent, `${round}`);
    const args = ['bill', 'fetch', DATE, '-o', `${directory}/`, '--name', FILE, ...options];
    const ends = await Promise.all(
      urls.map((url) => run({ args, env: { ...pointAt(url), MOP_CONFIG_DIR: config } })),
    );
    try {
      check({ ends, directory });
      expect(readdirSync(directory).sort()).toEqual([LEDGER_NAME, FILE]);
    } catch (error) {
      const outputs = ends.map(({ code, stderr }) => `exit ${code}: ${stderr}`).join('');
      if (error instanceof Error) error.message = `round ${round}: ${error.message}\n${outputs}`;
      throw error;
    }
  }
}

/** The lines of the ledger, after a check that the newest one describes the file. */
function checkedLines(directory: string): LedgerEntry[] {
  const text = readFileSync(join(directory, LEDGER_NAME), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): LedgerEntry => JSON.parse(line));
  const digest = md5(readFileSync(join(directory, FILE)));
  expect(lines.at(-1)).toMatchObject({ file: FILE, hash_type: 'MD5', hash_value: digest });
  return lines;
}

it('one of two runs stores its bill, and the other fails and keeps the file', async () => {
  await eachRound(times(6, 200), [], ({ ends, directory }) => {
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 13]);
    const winner = ends.findIndex(({ code }) => code === 0);
    expect(readFileSync(join(directory, FILE), 'utf8')).toBe(CONTENTS[winner]);
    expect(ends[1 - winner]?.stderr).toContain('exists with other content and was kept');
    expect(checkedLines(directory)).toHaveLength(1);
  });
});

it('the newest line describes the file when both runs may replace it', async () => {
  await eachRound(times(3, 50), ['--overwrite'], ({ ends, directory }) => {
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(checkedLines(directory)).toHaveLength(2);
  });
});
