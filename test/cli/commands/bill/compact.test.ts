import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { storedLine, writeLedger } from '../../../platform/bills/support.ts';
import { errorOf, mop, temporaryDirectory } from '../../../support/cli.ts';
import { ledgerIn } from './support.ts';

const NEW = storedLine({ seq_id: 'new' });

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, 'bills.jsonl');
  writeLedger(directory, [...new Array(1233).fill(storedLine()), NEW]);
});

it.each([
  [[], () => `${path}: 1 of 1,234 lines kept\n`, 1],
  [['--quiet'], () => '', 1],
  [['--json'], () => `{"ledger":"${path}","lines_before":1234,"lines_after":1}\n`, 1],
  [['--dry-run'], () => `${path}: 1 of 1,234 lines kept (dry run)\n`, 1234],
])('rewrites the ledger and reports it: %j', async (options, stdout, lines) => {
  const result = await mop(['bill', 'compact', directory, ...options]);
  expect(result).toMatchObject({ code: 0, stdout: stdout(), stderr: '' });
  const left = ledgerIn(directory);
  expect([left.length, left.at(-1)]).toEqual([lines, NEW]);
});

it('uses bill_dir without an argument', async () => {
  const env = { MOP_CONFIG_DIR: join(directory, 'config') };
  await mop(['config', 'set', 'bill_dir', directory], { env });
  expect((await mop(['bill', 'compact'], { env })).stdout).toContain(path);
});

it('requires a ledger', async () => {
  const empty = await temporaryDirectory();
  const result = await mop(['bill', 'compact', empty, '--json']);
  expect(result.code).toBe(2);
  expect(errorOf(result)).toMatchObject({
    message: `${empty} has no ledger (bills.jsonl)`,
    hint: 'name the directory that mop bill fetch writes to',
  });
});
