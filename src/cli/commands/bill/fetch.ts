import { InvalidArgumentError } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, count, days, nonNegative } from '../../frame/option-values.ts';
import { KEEP_GOING, modeOption } from '../request-options.ts';
import { FORCE, tarOption, typesOption } from './bill-options.ts';

export const billFetch: CommandDeclaration = {
  name: 'fetch',
  description: "Fetch and verify bills, by default yesterday's.",
  declare: (command) => {
    command
      .argument('[date...]', 'days as YYYY-MM-DD, or yesterday')
      .optionsGroup('Which bills:')
      .option('--from <date>', 'the first day of a range')
      .option('--to <date>', 'the last day of the range (default yesterday)')
      .option('--last <days>', 'the last N days, up to yesterday', days)
      .option(
        '--missing',
        'every bill of the last three months not recorded in bills.jsonl, or whose file is missing',
      )
      .addOption(typesOption())
      .option('--all-profiles', 'the bills of every profile, each in a folder of its name')
      .option('--shard <i/n>', 'fetch only share I of N, such as 0/4', parseShard)
      .optionsGroup('Output:')
      .option(
        '-o, --out <path>',
        'a directory; for one bill also a file (no / at its end), or - for stdout',
      )
      .option(
        '--name <template>',
        'file name with {date}, {type}, {profile} or {env} (default bill_{date}_{type}.csv)',
      )
      .option('--keep-gzip', 'store the file compressed, as .gz')
      .option('--overwrite', 'replace a file that differs from the bill')
      .option(
        '--accept-unverified',
        'with --overwrite, replace also a verified bill by an unverified one',
      )
      .optionsGroup('Download:')
      .addOption(tarOption())
      .addOption(modeOption())
      .option(
        '--concurrency <n>',
        'process up to this many bills at once (default 4), with up to 16 downloads',
        count,
      )
      .option('--max-bytes <n>', 'refuse a larger bill (default 64 GiB)', count)
      .option(
        '--wait <minutes>',
        'wait up to this many minutes for a bill; fail immediately if it is due later',
        nonNegative,
      )
      .option(...FORCE)
      .option('--require-hash', 'refuse a bill without a digest')
      .option('--accept-unknown-hash', 'store a bill with an unknown digest name, unverified')
      .option(
        '--accept-any-content',
        'store any content without a digest, also a page or a document',
      )
      .option(...KEEP_GOING)
      .option(
        '--download-header <line>',
        "send 'Name: value' with the download request, repeatable",
        collect,
      );
  },
  help: {
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill fetch 2026-11-18 2026-11-19 --type paid --type refund -o bills/',
      'mop bill fetch --missing --quiet -o /var/lib/bills/',
    ],
    failures: ['config', 'auth', 'api', 'network', 'integrity', 'not-ready', 'no-bill', 'mixed'],
  },
  load: async () => (await import('./fetch.run.ts')).run,
};

/** `i/n`, counted from 0 or from 1: n/n and 0/n are the same share. */
function parseShard(text: string): { index: number; count: number } {
  const [, index, total] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(total) };
  if (total !== undefined && shard.count > 0 && shard.index <= shard.count) return shard;
  throw new InvalidArgumentError('It must be I/N, such as 0/4 (0 to 3, or 1 to 4).');
}
