import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  alternate,
  MOP,
  makeBill,
  missingPrograms,
  newDirectory,
  ratio,
  run,
  startBills,
} from '../measure.js';

export const title = 'Start-up';
export const notes =
  'Against `node -e 0` of the same Node. Each command ran once before. `mop call` makes one HTTP call; so does `mop bill fetch`, which then compares a stored bill of 1 KiB. `npm run build:sea` builds the executable. [Decision 36](decisions/0036-start-up.md) explains the rest of the time.';

const RUNS = 41;
const GOALS = {
  node20: { version: 1.35, sign: 1.8, call: 3.7 },
  node24: { version: 1.15, sign: 1.5, call: 3 },
  executable: { version: 1.05, sign: 1.25 },
};
const EXECUTABLE = fileURLToPath(new URL('../../dist-sea/mop', import.meta.url));
const OTHERS = ['curl', 'gh', 'http', 'aws'];

export async function* rows({ node: nodes }) {
  const bill = await startBills(await makeBill(1024));
  const directory = newDirectory();
  const env = { ...bill.env, XDG_CACHE_HOME: join(directory, 'cache') };
  const sign = ['sign', '{"bill_type":0}'];
  const call = ['call', '/trade/bill', '{"bill_type":0}'];
  const fetch = ['bill', 'fetch', '--force', '--quiet', '-o', join(directory, 'bill.csv')];

  for (const node of nodes) {
    const version = String(execFileSync(node, ['--version'])).trim();
    const { goals, against } = series(node, version.startsWith('v24') ? 'node24' : 'node20', env);
    const mop = (...args) => run(node, [MOP, ...args], { env });
    const name = `Node ${version.slice(1)}`;
    yield* against(`\`mop --version\`, ${name}`, goals.version, () => mop('--version'));
    yield* against(`\`mop sign\`, ${name}`, goals.sign, () => mop(...sign));
    yield* against(`\`mop call\`, ${name}`, goals.call, () => mop(...call));
    // The first run stores the bill; the others make one call and find it unchanged.
    yield* against(`\`mop bill fetch\`, ${name}`, goals.call, () => mop(...fetch));
  }

  if (existsSync(EXECUTABLE)) {
    const { goals, against } = series(process.execPath, 'executable', env);
    const mop = (...args) => run(EXECUTABLE, args, { env });
    yield* against('`mop --version`, executable', goals.version, () => mop('--version'));
    yield* against('`mop sign`, executable', goals.sign, () => mop(...sign));
  } else {
    yield { subject: 'executable', text: 'not built: npm run build:sea' };
  }

  for (const tool of OTHERS) {
    const subject = `\`mop --version\` against \`${tool} --version\``;
    const mop = () => run(process.execPath, [MOP, '--version'], { env });
    const other = () => run(tool, ['--version'], { env });
    if (missingPrograms([tool]).length > 0) yield { subject, text: 'not installed' };
    else yield ratio(subject, undefined, await alternate([mop, other], 9));
  }
}

/** Rows that compare a program with an empty program of Node. */
function series(node, kind, env) {
  const empty = () => run(node, ['-e', '0'], { env });
  async function* against(subject, goal, program) {
    yield ratio(subject, goal, await alternate([program, empty], RUNS));
  }
  return { goals: GOALS[kind], against };
}
