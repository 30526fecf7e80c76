import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AtomicFile } from '../../../files/atomic-file.ts';
import { isStored } from '../../../platform/bills/ledger.ts';
import { BILL_STATES } from '../../../platform/bills/state.ts';
import { pathsOf } from '../../../platform/bills/stored-file.ts';
import { type BillSchedule, readyAt } from '../../../protocol/bill-calendar.ts';
import type { LastRun } from './last-run.ts';
import type { CheckedBillGroup } from './status-report.ts';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * The state of bills in the text format of Prometheus, for the textfile collector of node_exporter.
 */
export function billMetrics(
  groups: readonly CheckedBillGroup[],
  lastRuns: readonly (LastRun | undefined)[],
  now: number,
): string {
  const samplesOf = (sample: (group: CheckedBillGroup, index: number) => Sample[]): Sample[] =>
    groups.flatMap((group, index) =>
      sample(group, index).map(([labels, value]): Sample => [{ ...group.owner, ...labels }, value]),
    );
  const metrics: (readonly [name: string, help: string, samples: Sample[]])[] = [
    [
      'mop_bills',
      'Bills of the last three months by type and state.',
      samplesOf(({ checked }) =>
        [...new Set(checked.map(({ type }) => type))].flatMap((type) =>
          BILL_STATES.map((state): Sample => {
            const count = checked.filter((bill) => bill.type === type && bill.state === state);
            return [{ type, state }, count.length];
          }),
        ),
      ),
    ],
    [
      'mop_newest_verified_bill_age_seconds',
      'Time since the end of the newest day with a verified bill.',
      samplesOf(({ checked, schedule }) => {
        const newest = checked.findLast(({ state }) => state === 'verified');
        if (!newest) return [];
        return [[{}, Math.round((now - endOfDay(newest.date, schedule)) / 1000)]];
      }),
    ],
    [
      'mop_bill_bytes',
      'Size of the stored files of these bills in bytes.',
      samplesOf((group) => [[{}, storedBytes(group)]]),
    ],
    [
      'mop_bill_fetch_last_run_timestamp_seconds',
      'Time of the last mop bill fetch of this user into the directory.',
      samplesOf((_, index) => {
        const run = lastRuns[index];
        return run ? [[{}, Math.floor(run.time / 1000)]] : [];
      }),
    ],
    [
      'mop_bill_fetch_last_run_exit_code',
      'Exit code of that run; 0 is a success.',
      samplesOf((_, index) => {
        const run = lastRuns[index];
        return run ? [[{}, run.exitCode]] : [];
      }),
    ],
  ];
  return metrics
    .filter(([, , samples]) => samples.length > 0)
    .map(([name, help, samples]) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        ...samples.map(([labels, value]) => `${name}{${labelText(labels)}} ${value}`),
        '',
      ].join('\n'),
    )
    .join('');
}

/** Writes metrics to a file that every user can read: node_exporter runs as another user. */
export async function writeMetrics(path: string, text: string): Promise<void> {
  const part = await AtomicFile.open(dirname(path), 0o644);
  try {
    await part.write(Buffer.from(text));
    await part.place(path);
  } finally {
    await part.discard();
  }
}

function endOfDay(date: string, schedule: BillSchedule): number {
  return readyAt(date, { ...schedule, readyTime: '00:00' });
}

function storedBytes({ directory, bills }: CheckedBillGroup): number {
  const files = bills.flatMap(({ entry }) =>
    entry && isStored(entry) ? [join(directory, entry.file)] : [],
  );
  return files.reduce((sum, file) => {
    const stats = pathsOf(file).map((path) => statSync(path, { throwIfNoEntry: false }));
    return sum + (stats.find((each) => each)?.size ?? 0);
  }, 0);
}

/** Labels as `name="value"`; Prometheus escapes `\`, `"` and the line break. */
function labelText(labels: Readonly<Record<string, string>>): string {
  const escaped = (value: string): string =>
    value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}
