import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';
import { billsOption, FORCE, tarOption, typeOption, typesOption } from './bill-options.ts';
import { billCompare } from './compare.ts';
import { billFetch } from './fetch.ts';
import { billSummary } from './summary.ts';

const billInfo: CommandDeclaration = {
  name: 'info',
  description: "Show the digest and the link of a bill (default yesterday's) without fetching it.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday')
      .addOption(typeOption())
      .addOption(tarOption())
      .addOption(modeOption())
      .option(...FORCE);
  },
  reveals: true,
  help: {
    notes: '--reveal prints the link and its authorization, which are secrets.',
    examples: [
      'mop bill info --env sandbox',
      'mop bill info 2026-11-19 --type paid --json',
      'mop bill info --reveal --env sandbox',
    ],
    failures: ['config', 'auth', 'api', 'network', 'not-ready', 'no-bill'],
  },
  load: async () => (await import('./bill.run.ts')).info,
};

const billVerify: CommandDeclaration = {
  name: 'verify',
  description: 'Hash stored bills again and compare them with the digests of the platform.',
  declare: (command) => {
    command
      .argument(
        '[path...]',
        'directories with a ledger (bills.jsonl), or files (default bill_dir, or .)',
      )
      .option('--hash-value <digest>', 'the digest of one file, as hex or base64')
      .option(
        '--hash-type <digest-name>',
        'its algorithm, such as MD5 (default: the length of the digest decides)',
      )
      .addOption(billsOption())
      .option('--all-profiles', 'verify the folder of each profile');
  },
  help: {
    examples: [
      'mop bill verify bills/',
      'mop bill verify bill.csv --hash-type MD5 --hash-value 9e107d9d372bb6826bd81d3542a419d6',
    ],
    failures: ['config', 'integrity', 'mixed'],
  },
  load: async () => (await import('./verify.run.ts')).run,
};

const billCompact: CommandDeclaration = {
  name: 'compact',
  description: 'Remove superseded lines from the ledger (bills.jsonl).',
  declare: (command) => {
    command
      .argument('[dir]', 'directory of the bills (default bill_dir, or .)')
      .addOption(billsOption());
  },
  help: {
    notes: `
        Keeps the newest line of each file of a bill, the newest line of each
        day without trades, and all lines of other programs. Removes an
        incomplete last line, which a killed run leaves. Other commands give
        the same results as before. Fetches may run at the same time. --dry-run
        counts the lines and changes nothing.`,
    examples: ['mop bill compact bills/', 'mop bill compact bills/ --dry-run'],
    failures: ['config'],
  },
  load: async () => (await import('./bill.run.ts')).compact,
};

const billStatus: CommandDeclaration = {
  name: 'status',
  description: 'Show which bills of the last three months are stored and verified, as a calendar.',
  declare: (command) => {
    command
      .argument('[dir]', 'directory of the bills (default bill_dir, or .)')
      .addOption(billsOption())
      .optionsGroup('Which bills:')
      .addOption(typesOption())
      .option('--since <date>', 'only the bills of this day and of later days')
      .option('--all-profiles', 'check the folder of each profile')
      .optionsGroup('Output:')
      .option('--check', 'also ask the platform which bills it has; nothing is downloaded')
      .option('--missing', 'print the dates of missing bills, one per line')
      .option('--exit-code', 'exit with 15 when a bill is missing or changed')
      .option('--prometheus <file>', 'also write metrics to this file, for node_exporter');
  },
  help: {
    notes: `
        + verified   the file matches the digest of the platform
        ? unverified the file is unchanged; the platform gave no digest
        ! changed    the file does not match its digest
        X missing    there is no file
        . no-bill    the day had no trades
        ~ not-ready  the bill is not generated yet`,
    examples: [
      'mop bill status',
      'mop bill status bills/ --type paid --type refund --check',
      'mop bill status bills/ --exit-code --quiet',
      'mop bill status bills/ --quiet --prometheus /var/lib/node_exporter/mop.prom',
      'mop bill status bills/ --missing | xargs -r mop bill fetch -o bills/',
    ],
    failures: ['config', 'auth', 'api', 'network', 'differs', 'mixed'],
  },
  load: async () => (await import('./status.run.ts')).run,
};

export const bill: CommandDeclaration = {
  name: 'bill',
  description: 'Fetch and verify daily bills, and compare them with your records.',
  help: {
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill status bills/',
      'mop bill fetch --missing --quiet -o bills/',
      'mop bill compare yesterday -o bills/ --with orders.csv --key order_id=id --amount paid_amount=paid',
    ],
  },
  commands: [billFetch, billInfo, billVerify, billStatus, billSummary, billCompare, billCompact],
};
