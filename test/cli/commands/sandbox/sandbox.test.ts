import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sign, signExplain } from '../../../../src/cli/commands/sign/sign.ts';
import { ADDRESS_PREFIX, type SignatureMode } from '../../../../src/protocol/operations.ts';
import { READINGS } from '../../../../src/protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import { signHeaders } from '../../../../src/signing/header-mode.ts';
import { postJson, send } from '../../../sandbox/support.ts';
import { type CliResult, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { sandbox } from '../../../support/platform.ts';
import { startMop } from '../../../support/process.ts';
import { checkRows } from '../../../support/rows.ts';
import { shellWords } from '../../../support/shell-words.ts';
import { expectFailure } from '../../support.ts';

it.each([
  ['clock=any', `unknown reading "clock"; known readings: ${Object.keys(READINGS).join(', ')}`, ''],
  ...Object.entries(READINGS).map(([name, { values }]) => [
    `${name}=other`,
    `the reading ${name} has the unknown value "other"`,
    `${name} is one of ${values.join(', ')}`,
  ]),
])(
  'mop sandbox --reading %s is refused, with the possible values',
  async (reading = '', message = '', hint = '') => {
    const refused = await mop(['sandbox', '--port', '0', '--reading', reading]);
    expectFailure(refused, 2, message, hint);
  },
);

/** The output of `mop sandbox` until it serves. */
async function starting(...argv: string[]): Promise<CliResult> {
  const stop = new AbortController();
  const running = mop(['sandbox', '--port', '0', ...argv], { signal: stop.signal });
  stop.abort(new Error('enough'));
  return running;
}

it('mop sandbox --allow-origin accepts origins, null and *, and nothing else', async () => {
  const argv = ['sandbox', '--port', '0', '--allow-origin'];
  await checkRows(
    ['http://localhost:5173', 'HTTPS://App.Example/', 'chrome-extension://abc', 'null', '*'],
    async (origin) => {
      expect((await starting('--allow-origin', origin)).stderr).toContain('The sandbox runs');
    },
  );
  await checkRows(
    ['http://a/b', 'http://*.a.test', 'tauri://a/b', 'localhost:5173', ''],
    async (origin) => {
      const refused = await mop([...argv, origin]);
      expectFailure(
        refused,
        2,
        `${JSON.stringify(origin)} is not an origin`,
        'such as http://localhost:5173',
      );
    },
  );
});

it('mop sandbox and its help name the pages that a person opens', async () => {
  const { stdout, stderr } = await starting();
  const [url] = /http:\S+/.exec(stdout) ?? [];
  const help = (await mop(['sandbox', '--help'])).stdout;
  for (const path of ['/platform', '/requests', '/platform/debugger']) {
    expect(stderr).toContain(`${url}${path} `);
    expect(help).toContain(` ${path} `);
  }
});

it('mop sandbox prints the readings that differ from the defaults to stderr', async () => {
  const readings = ['types=strict', 'window=90d', 'ready-time=10:00'].flatMap((reading) => [
    '--reading',
    reading,
  ]);
  const note = 'Readings that differ from the defaults: window=90d, ready-time=10:00\n';
  expect((await starting(...readings)).stderr).toContain(note);
  expect((await starting()).stderr).not.toContain('Readings');
  const { stdout, stderr } = await starting(...readings, '--json');
  expect(Object.keys(JSON.parse(stdout))).toHaveLength(7);
  expect(stderr).not.toContain('Readings');
});

it('the strictest sandbox accepts requests of mop', async () => {
  const { env } = await sandbox([], {
    readings: { nonce: '10', modes: 'documented', replay: 'refuse', window: '90d' },
  });
  const directory = await temporaryDirectory();
  const world = { env: { ...env, MOP_CONFIG_DIR: join(directory, 'config') } };
  const pair = await mop(['sandbox', 'encrypt', '{"openId":"o-1","mobile":"13800000000"}']);
  const [data = '', id = ''] = pair.stdout.trim().split(' ');
  const commands = [
    ['bill', 'fetch', '--last', '2', '--type', 'paid', '--type', 'refund', '-o', `${directory}/`],
    ['bill', 'info', '--tar', 'stream'],
    ['decode', data, id],
    ['estimate', '--city', '330100', '--lat', '30.27', '-F', 'lng=120.15'],
    ['call', '/user/sync', '-F', 'slat=30.10', '-F', 'slon=120'],
    ['call', '/user/sync', '--mode', 'header', '-F', 'slat=30.10'],
    ['call', '/user/sync', '--mode', 'header', '--form', 'slat=30.10'],
    ['account', 'link', '--user', 'anna', '--encrypt-data', data, '--encrypt-id', id],
    ['doctor'],
  ];
  await checkRows(commands, async (argv) => {
    const { code, stderr } = await mop(argv, world);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  });
});

/** The examples of the commands that sign. */
const SIGNED = [sign, signExplain].flatMap(({ help }) => help?.examples ?? []);

it('the sandbox accepts the requests that the help of sign and sign explain shows', async () => {
  const { url, close } = await startSandbox({ now: () => NOW });
  onTestFinished(close);
  const examples = SIGNED.filter((example) => example.includes('--env sandbox'));
  expect(examples).toHaveLength(4);
  await checkRows(examples, async (example) => {
    const [, ...argv] = shellWords(example.replace(' explain', ''));
    const { stdout } = await mop([...argv, '--json']);
    const { mode, headers, body } = JSON.parse(stdout);
    const path = body.includes('bill_type') ? '/trade/bill' : '/takecar/estimate/price';
    const address = ADDRESS_PREFIX[mode as SignatureMode];
    const reply = await send(url + address + path, { method: 'POST', headers, body });
    expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 0 });
  });
});

it.each([
  ['documented', 0, 'x-tms-nonce as X-TMS-Nonce'],
  ['as-sent', 1002, '(header-name-case)'],
])(
  'mop sandbox --reading header-names=%s answers %i, and logs why',
  async (reading, code, line) => {
    const argv = ['sandbox', '--port', '0', '--json', '--log'];
    const { child, ended } = startMop([...argv, '--reading', `header-names=${reading}`], {});
    const [facts] = await once(child.stdout, 'data');
    const { headers, body } = signHeaders('{}', SANDBOX_CREDENTIALS);
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const url = `${JSON.parse(String(facts)).url}/api/open/user/sync`;
    const { body: answer } = await postJson(url, body ?? '', Object.fromEntries(lowered));
    expect(JSON.parse(String(answer))).toMatchObject({ code });
    child.kill('SIGTERM');
    const { stderr } = await ended;
    expect(stderr).toContain(line);
    expect(stderr).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z POST \/api\/open\/user\/sync 200/m,
    );
  },
);

it('logs a next step for an unexplained signature', async () => {
  const { child, ended } = startMop(['sandbox', '--port', '0', '--json', '--log'], {});
  const [facts] = await once(child.stdout, 'data');
  const { headers, body } = signHeaders('{}', { ...SANDBOX_CREDENTIALS, secret: 'wrong' });
  const url = `${JSON.parse(String(facts)).url}/api/open/user/sync`;
  await postJson(url, body ?? '', headers);
  child.kill('SIGTERM');
  expect((await ended).stderr).toContain(
    'next: compare the string that the client hashed: mop sign verify @request.json --theirs',
  );
});
