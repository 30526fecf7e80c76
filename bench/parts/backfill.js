import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  alternate,
  MIB,
  MOP,
  makeBill,
  newDirectory,
  peak,
  ratio,
  run,
  runWithPeak,
  startBills,
} from '../measure.js';

export const title = 'Many bills';
export const notes =
  'For one day at a time, the shell loop signs the request with md5sum, sends it with curl and reads the link with sed. It then runs curl, tee, gunzip and md5sum for the bill. The loop has no sync, no lock and no ledger. The results of a run stay in memory: 1.4 KB per bill.';
export const needs = ['curl', 'tee', 'gunzip', 'md5sum', 'od', 'sed'];

const DAYS = 90;
/** With three types, 2,100 and 6,300 bills: the heap stops growing after 1,500 bills. */
const [FEW, MANY] = [700, 2100];

export async function* rows() {
  const directory = newDirectory();
  const out = join(directory, 'out');
  const fetch = (days, ...more) => {
    rmSync(out, { recursive: true, force: true });
    return ['bill', 'fetch', '--last', `${days}`, '--force', '--quiet', '-o', `${out}/`, ...more];
  };

  const { url, env } = await startBills(await makeBill(MIB));
  const sides = [
    () => run(process.execPath, [MOP, ...fetch(DAYS)], { env }),
    () => run('sh', ['-c', shellLoop(url)], { cwd: directory }),
  ];
  yield ratio('90 bills of 1 MiB, 4 in flight, against a loop', 0.15, await alternate(sides, 5));

  const small = await startBills(await makeBill(10 * 1024));
  const types = ['all', 'paid', 'refund'].flatMap((type) => ['--type', type]);
  const measured = (days) => runWithPeak(fetch(days, ...types, '--concurrency', '16'), small);
  const few = await measured(FEW);
  yield peak('peak memory, 2,100 small bills, 16 in flight', undefined, [[few]]);
  const many = await measured(MANY);
  const subject = 'peak memory, 6,300 small bills, against 2,100';
  yield { ...peak(subject, 1.15, [[many]]), value: many.peak / few.peak, unit: '' };
}

/** A typical shell script for the same job. It reads only the link from the JSON. */
function shellLoop(url) {
  return `set -e; i=0
    while [ $i -lt ${DAYS} ]; do
      day=2026-11-$((i % 28 + 1)) now=$(date +%s)
      nonce=$(od -An -N5 -tx1 /dev/urandom | tr -d ' \\n') seq=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
      text="api_key=k&bill_date=$day&bill_type=0&nonce=$nonce&seq_id=$seq&tar_type=1&timestamp=$now"
      sign=$(printf %s "\${text}secret" | md5sum | cut -c1-32 | tr a-f A-F)
      body="{\\"bill_date\\":\\"$day\\",\\"bill_type\\":0,\\"tar_type\\":1,\\"api_key\\":\\"k\\",\\"seq_id\\":\\"$seq\\",\\"timestamp\\":$now,\\"nonce\\":\\"$nonce\\",\\"sign\\":\\"$sign\\"}"
      curl -sf -H 'Content-Type: application/json' -d "$body" ${url}/open/v1/trade/bill > answer.json
      link=$(sed 's/.*"download_url":"\\([^"]*\\)".*/\\1/' answer.json)
      curl -sf "$link" | tee $day.gz | gunzip | md5sum > $day.md5
      i=$((i + 1))
    done`;
}
