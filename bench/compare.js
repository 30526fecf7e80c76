/**
 * `mop bill summary` and `mop bill compare`: rows per second, peak memory, and the ratio to
 * pipelines of Debian packages: Miller (miller), and cut, sort, join (coreutils) with mawk.
 *
 * Usage: node bench/compare.js [ROWS]; with ROWS, one run with that number of rows.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compare, MOP, median, output, peakMemory, run, withDirectory } from './measure.js';

/** Orders of the bill that the records lack, and as many with another amount. */
const DIFFERENCES = 100;
const NUMERIC = 'distance_km,amount,discount,paid_amount,refund_amount';
const BILL_HEADER = `order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,${NUMERIC},pay_channel,status\n`;
const CITIES = ['北京', '上海', '广州', '深圳', '杭州'];

/** An order, with digits as irregular as those of a real one, the same each time. Cents. */
function order(index) {
  const x = Math.imul(index + 1, 2654435761) >>> 0;
  const paid = 800 + (x % 50_000);
  return { id: `20261119${`${index}`.padStart(9, '0')}`, x, paid, refund: x % 16 ? 0 : paid };
}

const money = (cents) => `${Math.floor(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`;

function billLine(index) {
  const { id, x, paid, refund } = order(index);
  const time = `2026-11-19 ${10 + (x % 14)}:${10 + (x % 50)}:${10 + (index % 50)}`;
  const amounts = [x % 9000, paid + (x % 300), x % 300, paid, refund].map(money).join(',');
  return `${id},42002026${x}${index},realtime,${CITIES[x % 5]},快车,138****${x % 10_000},${time},${time},${amounts},wechat,PAID\n`;
}

/** The records have another order of rows, and fewer columns. */
function recordLine(position, rows) {
  const index = (position * 7919) % rows;
  const { id, paid, refund } = order(index);
  if (index < DIFFERENCES) return '';
  return `${id},${money(index < 2 * DIFFERENCES ? paid + 1 : paid)},${money(refund)}\n`;
}

async function writeRows(path, header, rows, lineOf) {
  const chunks = function* () {
    yield header;
    for (let start = 0; start < rows; start += 2000) {
      const count = Math.min(2000, rows - start);
      yield Array.from({ length: count }, (_, at) => lineOf(start + at)).join('');
    }
  };
  await pipeline(Readable.from(chunks()), createWriteStream(path));
}

async function makeFiles(directory, rows) {
  const [bill, records] = ['bill', 'records'].map((name) => join(directory, `${name}-${rows}.csv`));
  await writeRows(bill, BILL_HEADER, rows, billLine);
  await writeRows(records, 'order_id,paid,refund\n', rows, (at) => recordLine(at, rows));
  return { bill, records };
}

const summaryOf = ({ bill }) => ['bill', 'summary', bill, '--json'];
const amounts = ['--amount', 'paid_amount=paid', '--amount', 'refund_amount=refund'];
const comparisonOf = ({ bill, records }) => [
  ...['bill', 'compare', bill, '--with', records, '--key', 'order_id', ...amounts, '--json'],
];
const DIFFERS = 15;

const mop = (args, expected) => run(process.execPath, [MOP, ...args], {}, expected);

/** The numbers of differences of each kind, found with sorted files. */
function shellComparison({ bill, records }, directory) {
  const sort = 'LC_ALL=C sort --parallel=1 -S 100M -t, -k1,1';
  return `set -eo pipefail; cd '${directory}'
    tail -n +2 '${bill}' | cut -d, -f1,12,13 | ${sort} > ours
    tail -n +2 '${records}' | ${sort} > theirs
    LC_ALL=C join -t, -a1 -a2 -e- -o 0,1.2,1.3,2.2,2.3 ours theirs |
      mawk -F, '$4 == "-" {a++} $2 == "-" {b++} $2 != "-" && $4 != "-" && ($2 != $4 || $3 != $5) {c++}
        END {print a + 0, b + 0, c + 0}'`;
}

const millerStatistics = (names, { bill }) => [
  ...['--icsv', '--ojson', 'stats1', '-a', names, '-f', NUMERIC, bill],
];

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

async function check(files, directory) {
  const { stdout } = spawnSync('bash', ['-c', shellComparison(files, directory)]);
  if (`${stdout}`.trim() !== `${DIFFERENCES} 0 ${DIFFERENCES}`) throw new Error(`${stdout}`);
  if (!has('mlr')) return;
  const { total } = JSON.parse(await output(MOP, summaryOf(files)));
  const { sum } = total.columns.find(({ name }) => name === 'amount');
  const miller = spawnSync('mlr', millerStatistics('sum', files));
  const [{ amount_sum }] = JSON.parse(`${miller.stdout}`);
  console.log(`sum of amount: ${sum}; Miller: ${amount_sum}`);
}

await withDirectory(async (directory) => {
  const given = Number(process.argv[2]) || undefined;
  const rows = given ?? 1_000_000;
  const files = await makeFiles(directory, rows);
  await check(files, directory);
  const runs = given ? 1 : 5;

  const rate = (name, wanted, times) =>
    console.log(
      `${name}: ${Math.round(rows / median(times))} rows a second (at least ${wanted} wanted)`,
    );
  const timed = (args, expected, times) => async () => {
    times.push(await mop(args, expected));
    return times.at(-1);
  };

  const summaries = [];
  const summary = timed(summaryOf(files), 0, summaries);
  if (has('mlr')) {
    const miller = () => run('mlr', millerStatistics('count,sum,min,max', files));
    await compare('summary, against Miller', undefined, summary, miller, runs);
  } else await summary();
  rate('summary', 150_000, summaries);

  const comparisons = [];
  const shell = () => run('bash', ['-c', shellComparison(files, directory)]);
  const ours = timed(comparisonOf(files), DIFFERS, comparisons);
  await compare('compare, against cut, sort, join and mawk', undefined, ours, shell, runs);
  rate('compare', 60_000, comparisons);

  for (const count of given ? [given] : [200_000, 2_000_000]) {
    const sized = await makeFiles(directory, count);
    const peaks = [
      await peakMemory(summaryOf(sized), {}, directory),
      await peakMemory(comparisonOf(sized), {}, directory, DIFFERS),
    ].map(Math.round);
    console.log(`${count} rows: peak of summary ${peaks[0]} MiB, of compare ${peaks[1]} MiB`);
  }
});
