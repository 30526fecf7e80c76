import { InvalidArgumentError, Option } from 'commander';
import { BILL_TYPES, type BillType, TAR_TYPES } from '../../../protocol/operations.ts';
import { ENCODINGS } from '../../../reconciliation/rows-file.ts';

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

export function encodingOption(description: string): Option {
  return new Option('--encoding <encoding>', description).choices(ENCODINGS);
}

/** `--no-header`. */
export const NO_HEADER = [
  '--no-header',
  'CSV has no header line: columns are named by their numbers, from 1',
] as const;

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
