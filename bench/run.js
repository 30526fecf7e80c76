/**
 * `npm run bench` measures and prints one table (Linux, under 10 minutes on two cores). A missed
 * goal is a figure, not a failure; exit code 1 says that a part could not be measured.
 *
 * A part exports its `title`, `notes` in Markdown, and `rows(options)`, which yields the rows of
 * table.js. An optional `needs` names the programs that it requires.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp, missingOf } from './measure.js';
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

  --node PATH   measure start-up with this Node, repeatable (default the one that runs this)
  --big         also a bill of 2 GiB and files of 10,000,000 rows (7 minutes, 8 GiB of disk)
  --write       write docs/figures.md, which takes all parts, and all of them measured
`;
const PAGE = new URL('../docs/figures.md', import.meta.url);

const { options, names } = readArguments();
// Node would read all its certificates at each start.
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
// A detector may still hold a development server.
process.exit(isComplete ? 0 : 1);

/** Runs a part. A failure ends it alone, and is its last row. */
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
    const missing = missingOf(module.needs ?? []);
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

\`npm run bench -- --write\` measures them and writes this page: ${footer}.

A figure without a unit is the ratio of the first side to the second: the median of the ratios of runs by turns. *wall* is the median time of each side. *CPU* is the mean of user and system time of all its processes, as Linux counts them for children that have ended; compare its ratio where other programs loaded the machine.

${sections.join('\n')}`;
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
    if (unknown !== undefined) throw new Error(`there is no part ${unknown}`);
    if (values.write && positionals.length > 0) throw new Error('--write takes all parts');
    return {
      options: values,
      names: positionals.length > 0 ? positionals : Object.keys(PARTS),
    };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}
