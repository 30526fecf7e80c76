/** Completes command lines in each shell that is installed. */
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { startMop } from '../../support/process.ts';
import { installed } from '../../support/programs.ts';
import { completions, DRIVERS, HOSTILE } from './completion-shells.ts';

const DATES = Array(14).fill(expect.stringMatching(/^2\d{3}-\d{2}-\d{2}$/));

describe.each([
  { shell: 'bash', file: 'mop.bash' },
  { shell: 'zsh', file: '_mop' },
  { shell: 'fish', file: 'mop.fish' },
  { shell: 'powershell', file: 'mop.ps1' },
] as const)('in $shell', { timeout: 120_000 }, ({ shell, file }) => {
  const driver = DRIVERS[shell];

  beforeEach(({ skip }) => {
    skip(!installed(driver.program), `${driver.program} is not installed`);
    skip(shell === 'bash' && !installed('script'), 'script is not installed');
  });

  async function complete(lines: readonly string[]) {
    const script = await readFile(new URL(`../../../completions/${file}`, import.meta.url), 'utf8');
    return completions(driver, script, lines);
  }

  const expectOffered = async (expected: Record<string, unknown>) => {
    const lines = Object.keys(expected);
    const answers = await complete(lines);
    expect(Object.fromEntries(lines.map((line, i) => [line, answers[i]?.offered]))).toEqual(
      expected,
    );
  };

  it('offers commands, options and values', async () => {
    await expectOffered({
      'mop compl': ['completion'],
      'mop xyz': [],
      'mop completion ': ['bash', 'fish', 'powershell', 'zsh'],
      'mop bill fetch --typ': ['--type'],
      'mop bill fetch --type ': ['all', 'paid', 'refund'],
      'mop --json -q config get environ': ['environment'],
      'mop config set --env ': ['production', 'sandbox', 'test'],
      'mop help sch': ['scheduling'],
      'mop help bill fe': ['fetch'],
      'mop bill fetch y': ['yesterday'],
      'mop bill fetch 2': DATES,
      'mop call /user': ['sync'],
      'mop config use ': [expect.stringContaining('touch'), 'default', 'staging'],
      'mop config use st': ['staging'],
      'mop bill summary bill.csv --by or': ['order_id'],
      'mop sandbox --reading wind': ['window='],
    });
  });

  // PowerShell completes paths itself, and interprets @ and =.
  it.skipIf(shell === 'powershell')('offers paths, also after @ and =', async () => {
    await expectOffered({
      'mop call --batch fi': ['file1'],
      'mop call --batch=fi': ['file1'],
      'mop bill status fo': ['folder'],
      'mop sign @fi': ['file1'],
      'mop call /x -F k=@fi': [expect.stringMatching(/^(?:k=@)?file1$/)],
      'mop bill fetch --type=p': ['paid'],
      'mop bill summary bi': ['bill.csv'],
    });
  });

  it.runIf(shell === 'bash' || shell === 'zsh')('quotes the words that it inserts', async () => {
    const by = 'mop bill summary bill.csv --by ';
    const expected = {
      [`${by}pa`]: `${by}paid\\ amount `,
      [`${by}"pa`]: `${by}"paid amount" `,
      [`${by}城`]: `${by}城市 `,
      [`${by}'$`]: `${by}'${HOSTILE}' `,
      [`${by}"\\$`]: `${by}"\\${HOSTILE.replaceAll('$', '\\$').slice(1)}" `,
      [`${by}a`]: `${by}a\\'b `,
      'mop bill summary "bill.csv" --where=ord': 'mop bill summary "bill.csv" --where=order_id=',
      'mop sandbox --reading ready-time=0': 'mop sandbox --reading ready-time=00:00 ',
      'mop sandbox --reading=window=9': 'mop sandbox --reading=window=90d ',
    };
    const lines = Object.keys(expected);
    const answers = await complete(lines);
    expect(Object.fromEntries(lines.map((line, i) => [line, answers[i]?.line]))).toEqual(expected);
  });
});

it('the executable answers a shell', async () => {
  const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
  const { code, stdout } = await startMop(['__complete', 'compl'], env).ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^completion\t/m)]);
});
