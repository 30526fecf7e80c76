import { InvalidArgumentError, Option } from 'commander';
import { BILL_TYPES, type BillType, TAR_TYPES } from '../../../protocol/operations.ts';
import { delimiterOf, ENCODINGS } from '../../../reconciliation/rows-file.ts';
import { count, days } from '../../frame/option-values.ts';

/** `--force`. */
export const FORCE = [
  '--force',
  "also request dates outside the platform's range or not ready yet",
] as const;

/** `--type`, once. */
export function typeOption(): Option {
  return new Option('--type <type>', 'orders to include, never refunds of top-ups (default all)')
    .choices(Object.keys(BILL_TYPES))
    .argParser(billType);
}

/** `--type`, repeatable. */
export function typesOption(): Option {
  return new Option(
    '--type <type>',
    'orders to include, never refunds of top-ups; repeatable (default all)',
  )
    .choices(Object.keys(BILL_TYPES))
    .argParser((text, previous: readonly BillType[] = []) => [...previous, billType(text)]);
}

/** `-o`, the directory in which to find the bill of a day. */
export function billsOption(): Option {
  return new Option('-o, --bills <dir>', 'directory of the bills (default bill_dir, or .)');
}

/** `--from`, `--to` and `--last`. */
export function rangeOptions(): Option[] {
  return [
    new Option('--from <date>', 'the first day of a range of bills'),
    new Option('--to <date>', 'the last day (default yesterday)'),
    new Option('--last <days>', 'the last N days, up to yesterday').argParser(days),
  ];
}

/** The options that replace a guess about files of rows. */
export function readingOptions(files: string): Option[] {
  return [
    new Option('--encoding <encoding>', `the encoding of ${files} (default: detected)`).choices(
      ENCODINGS,
    ),
    new Option(
      '--delimiter <character>',
      'the separator of fields, such as ";" or tab (default: detected)',
    ).argParser(delimiter),
    new Option('--header-line <line>', 'the line of the header (default: detected)').argParser(
      count,
    ),
    new Option('--no-header', 'no header line: columns are named by their numbers, from 1'),
    new Option(
      '--decimal <mark>',
      'the decimal mark of amounts such as 1,234, where others do not show it',
    ).choices([',', '.']),
    new Option(
      '--sheet <sheet>',
      'the sheet of a workbook, by name or number (default: the first)',
    ),
  ];
}

function delimiter(text: string): string {
  const character = delimiterOf(text);
  if (character !== undefined) return character;
  throw new InvalidArgumentError('It must be one ASCII character, or tab.');
}

export function tarOption(): Option {
  return new Option('--tar <form>', 'the form to request from the platform (default gzip)').choices(
    Object.keys(TAR_TYPES),
  );
}

function billType(text: string): BillType {
  const type = Object.entries(BILL_TYPES).find(
    ([name, code]) => text === name || text === `${code}`,
  );
  if (type) return type[0] as BillType;
  throw new InvalidArgumentError('It must be all, paid or refund (or 0, 1, 2).');
}
