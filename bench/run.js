/**
 * `npm run bench` measures and prints one table (Linux, under 10 minutes on two cores). A missed
 * goal is not a failure. Exit code 1: a part could not be measured.
 *
 * A part exports its `title`, `notes` in Markdown, and `rows(options)`, which yields rows for
 * table.js. The optional `needs` lists the programs that the part requires.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp, missingPrograms } from './measure.js';
import { lineOf, table, wholeTable } from './table.js';

const PARTS = {
  startup: () => import('./parts/startup.js'),
  bill: () => import('./parts/bill.js'),
  backfill: () => import('./parts/backfill.js'),
  flight: () => import('./parts/flight.js'),
  ledger: () => import('./parts/ledger.js'),
  inputs: () => import('./parts/inputs.js'),
  batch: () => import('./parts/batch.js'),
  decode: () => import('./parts/decode.js'),
  signing: () => import('./parts/signing.js'),
  verify: () => import('./parts/verify.js'),
  sandbox: () => import('./parts/sandbox.js'),
  load: () => import('./parts/load.js'),
  proxy: () => import('./parts/proxy.js'),
  compare: () => import('./parts/compare.js'),
  graphql: () => import('./parts/graphql.js'),
  detection: () => import('./parts/detection.js'),
  quality: () => import('./parts/quality.js'),
};
const HELP = `Usage: npm run bench -- [options] [part...]

Parts: ${Object.keys(PARTS).join(' ')} (all by default)

  --node PATH   measure start-up with this Node; repeatable (default: the running Node)
  --big         also measure a bill of 2 GiB and files of 10,000,000 rows (7 minutes, 8 GiB of disk)
  --write       write docs/figures.md; requires all parts without a failure
`;
const PAGE = new URL('../docs/figures.md', import.meta.url);

const { options, names } = readArguments();
// Node would read these certificates at each start.
delete process.env.NODE_EXTRA_CA_CERTS;
process.on('exit', cleanUp);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const facts = `${availableParallelism()} cores, Node ${process.version}, load average ${loadavg()[0].toFixed(2)} at the start`;
console.error(facts);
const parts = [];
for (const name of names) parts.push(await measured(name));
const minutes = (performance.now() / 60_000).toFixed(1);
const footer = `${facts}, ${minutes} minutes`;
console.log(`${wholeTable(parts)}\n${footer}`);
const isComplete = parts.every(({ failed }) => !failed);
if (options.write && isComplete) writeFileSync(PAGE, pageOf(parts, footer));
// The development server that loads the detector keeps the process alive.
process.exit(isComplete ? 0 : 1);

/** Runs a part. A failure ends only this part, and becomes its last row. */
async function measured(name) {
  const rows = [];
  const part = { name, title: name, rows, failed: false };
  const add = (row) => {
    rows.push(row);
    console.error(`${name}: ${lineOf(row)}`);
  };
  try {
    const module = await PARTS[name]();
    Object.assign(part, { title: module.title, notes: module.notes });
    const missing = missingPrograms(module.needs ?? []);
    if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
    for await (const row of module.rows(options)) add(row);
  } catch (error) {
    console.error(error);
    part.failed = true;
    add({ subject: 'the rest of this part', text: `failed: ${error.message.split('\n')[0]}` });
  } finally {
    cleanUp();
  }
  return part;
}

function pageOf(parts, footer) {
  const sections = parts.map(
    ({ name, title, notes, rows }) =>
      `## ${title}\n\n\`npm run bench -- ${name}\`. ${notes}\n\n${table(rows)}`,
  );
  return `# Figures

\`npm run bench -- --write\` measures the figures and writes this page: ${footer}.

A figure without a unit is a ratio of the first side to the second: the median over alternating runs. *wall* is the median time of each side. *CPU* is the mean user and system time of all its processes, as Linux counts it for ended child processes. If other programs loaded the machine, compare the CPU ratio.

${sections.join('\n')}
## Troubleshooting

| symptom | cause | do this |
|---|---|---|
| your times are longer than these | a slower machine, or other programs that run | compare the ratios, and under load the CPU ratios |
| a row says \`not installed\` | the part compares with a program that is missing | install the program |
| a row says \`failed\` | the rest of its part was not measured | \`npm run bench -- PART\` prints the error |
`;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        node: { type: 'string', multiple: true, default: [process.execPath] },
        big: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(HELP);
      process.exit();
    }
    const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
    if (unknown !== undefined) throw new Error(`unknown part: ${unknown}`);
    if (values.write && positionals.length > 0) throw new Error('--write requires all parts');
    return {
      options: values,
      names: positionals.length > 0 ? positionals : Object.keys(PARTS),
    };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}
