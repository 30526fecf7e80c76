import { InvalidArgumentError } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { count, days, nonNegative } from '../../frame/option-values.ts';
import { modeOption } from '../request-options.ts';
import { tarOption, typesOption } from './bill-options.ts';

export const billFetch: CommandDeclaration = {
  name: 'fetch',
  description: "Fetch and verify bills, by default yesterday's.",
  declare: (command) => {
    command
      .argument('[date...]', 'days as YYYY-MM-DD, or yesterday')
      .optionsGroup('Which bills:')
      .option('--from <date>', 'from this day on')
      .option('--to <date>', 'up to this day (yesterday)')
      .option('--last <days>', 'so many days, ending yesterday', days)
      .option('--missing', 'what the ledger does not account for, of the three months')
      .addOption(typesOption())
      .option('--all-profiles', 'for every profile, each in a folder of its name')
      .option('--shard <i/n>', "this worker's share, such as 0/4", parseShard)
      .optionsGroup('Where to:')
      .option('-o, --out <path>', 'a directory (ends in / or exists), a file, or - for stdout')
      .option('--name <template>', 'file name: {date} {type} {profile} {env}')
      .option('--keep-gzip', 'keep the file compressed')
      .option('--overwrite', 'replace a file that differs from the bill')
      .optionsGroup('How:')
      .addOption(tarOption())
      .addOption(modeOption())
      .option('--concurrency <n>', 'bills in flight (4)', count)
      .option('--max-bytes <n>', 'refuse a larger bill (64 GiB)', count)
      .option('--wait <minutes>', 'wait so long for a bill that is not there yet', nonNegative)
      .option('--force', 'ask the platform even for a date it should not have')
      .option('--require-hash', 'refuse a bill that comes without a digest');
  },
  help: {
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill fetch 2026-11-18 2026-11-19 --type paid --type refund -o bills/',
      'mop bill fetch --missing --quiet -o /var/lib/bills/',
    ],
    failures: ['config', 'auth', 'api', 'network', 'integrity', 'not-ready', 'no-bill', 'mixed'],
  },
  load: () => import('./fetch.run.ts'),
};

/** `i/n`, counted from 0 or from 1: the share of worker n is that of worker 0. */
function parseShard(text: string): { index: number; count: number } {
  const [, index, total] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(total) };
  if (total !== undefined && shard.count > 0 && shard.index <= shard.count) return shard;
  throw new InvalidArgumentError('It must be I/N, such as 0/4 (0 to 3, or 1 to 4).');
}
