/**
 * Runs every command in the pages of docs/. Update the outputs in the pages with
 * `npx vitest run -u --project trials test/docs/pages.trial.ts`. Needs a build.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { NOW } from '../support/cli.ts';
import { CHINESE_PAGES, ROOT, readBlocks, readPage, TASK_PAGES } from './support/read-page.ts';
import { announcedCodes, type RanExample, runPage } from './support/run-page.ts';
import { withExamples } from './support/scheduling-examples.ts';

/** The reasons for which a block does not run here. */
const NOT_RUN = [
  'it installs software',
  'it needs systemd',
  'it opens a browser',
  'it needs a cluster',
  'it needs a group robot',
  'it needs node_exporter',
  'it runs the tests',
  'it takes minutes',
];

/** `test/configuration-page.trial.ts` runs the scripts of this page. */
const SCRIPTS_ELSEWHERE = 'docs/configuration.md';

let server: Sandbox;

beforeAll(async () => {
  server = await startSandbox({ now: () => NOW });
});

afterAll(() => server?.close());

// The commands need a POSIX shell.
describe.skipIf(process.platform === 'win32')('the commands of', () => {
  it.for([...TASK_PAGES, ...CHINESE_PAGES])(
    '$name',
    async ({ name, text: written }, { annotate }) => {
      const language = name.startsWith('docs/zh/') ? 'zh' : 'en';
      const text = withExamples(written, language);
      const home = await mkdtemp(join(tmpdir(), 'mop-docs-'));
      try {
        // The scripts of a Chinese page are those of the English page.
        const isOutputOnly = language === 'zh' || name === SCRIPTS_ELSEWHERE;
        const options = { language, isOutputOnly };
        const { examples, scripts, skipped } = await runPage(text, home, server.url, options);
        for (const { needs, line } of skipped) {
          await annotate(`${name}:${line} did not run: ${needs.join(', ')} not installed`);
        }
        for (const { block, codes, expected, output } of scripts) {
          expect(codes, `${name}:${block.line}\n${block.code}\n${output}`).toEqual(expected);
        }
        const message = `${name} is out of date; update it with vitest -u`;
        await expect(withOutputs(text, examples), message).toMatchFileSnapshot(join(ROOT, name));
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});

it.for(CHINESE_PAGES)('$name announces the exit codes of the English page', ({ name, text }) => {
  const english = readPage(name.replace('/zh/', '/'));
  expect(announcedCodes(text)).toEqual(announcedCodes(english.text));
});

it('each block that does not run has an allowed reason', () => {
  for (const { name, text } of [...TASK_PAGES, ...CHINESE_PAGES]) {
    for (const { notRun, line } of readBlocks(text)) {
      if (notRun !== undefined) expect(NOT_RUN, `${name}:${line}`).toContain(notRun);
    }
  }
});

/** The page with the outputs that its examples printed. */
function withOutputs(text: string, examples: readonly RanExample[]): string {
  let position = 0;
  let changed = '';
  for (const { command, output, actual } of examples) {
    const typed = `$ ${command.replaceAll('\n', '\n> ')}\n`;
    const start = text.indexOf(typed, position) + typed.length;
    changed += text.slice(position, start);
    changed += matches(output, actual) ? output : actual;
    position = start + output.length;
    // The example had no output in the page.
    if (output === '' && actual !== '') changed += '\n';
  }
  return changed + text.slice(position);
}

/** In an expected output, `…` is any text within a line, and a line of `…` is any lines. */
function matches(expected: string, actual: string): boolean {
  const pattern = expected
    .split('\n')
    .map((line) => (line === '…' ? '[^]*' : line.split('…').map(escaped).join('.*')))
    .join('\n');
  return new RegExp(`^${pattern}$`).test(actual);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
