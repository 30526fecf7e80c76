import { describe, expect, it } from 'vitest';
import { encryptParameters } from '../../../src/sandbox/encryption.ts';
import { mop, NOW, temporaryDirectory } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { checkRows } from '../../support/rows.ts';
import { envelope, serve } from '../../support/server.ts';
import { configuration, expectFailure } from '../support.ts';

const ESTIMATE = ['estimate', '--city', '330100', '--lat', '30.27'];

/** The commands that call an operation, with its path. */
async function commands(): Promise<readonly (readonly [argv: readonly string[], path: string])[]> {
  const content = JSON.stringify({ openId: 'o-1', mobile: '13800000000' });
  const { encryptData, encryptId } = encryptParameters(content, NOW);
  const out = await temporaryDirectory();
  return [
    [['bill', 'fetch', '--overwrite', '-o', `${out}/`], '/trade/bill'],
    [['bill', 'fetch', '-o', '-'], '/trade/bill'],
    [['bill', 'info'], '/trade/bill'],
    [['decode', encryptData, encryptId], '/param/decode'],
    [
      ['account', 'link', '--user', '7', '--encrypt-data', encryptData, '--encrypt-id', encryptId],
      '/param/decode',
    ],
    [ESTIMATE, '/takecar/estimate/price'],
    [['call', '/takecar/estimate/price', '{"city":"330100","lat":1}'], '/takecar/estimate/price'],
    [['call', '/user/sync'], '/user/sync'],
  ];
}

const PREFIX = { body: '/open/v1', header: '/api/open' } as const;

describe('the mode of an operation', () => {
  it('is the documented one, that of the setting, or that of --mode', async () => {
    const { env, log } = await sandbox();
    const rows = (await commands()).flatMap(([argv, path]) => {
      const documented = path.startsWith('/takecar') ? 'header' : 'body';
      return [
        { argv, path, setting: undefined, mode: documented },
        { argv, path, setting: 'body', mode: 'body' },
        { argv, path, setting: 'header', mode: 'header' },
        { argv: [...argv, '--mode', 'body'], path, setting: 'header', mode: 'body' },
        { argv: [...argv, '--mode', 'header'], path, setting: undefined, mode: 'header' },
      ] as const;
    });
    await checkRows(rows, async ({ argv, path, setting, mode }) => {
      const profile = setting === undefined ? {} : { mode: setting };
      const config = await configuration({ profiles: { default: profile } });
      log.length = 0;
      const { code, stderr } = await mop(argv, { env: { ...env, ...config.env } });
      expect(code, stderr).toBe(0);
      expect(log[0]).toBe(`POST ${PREFIX[mode]}${path} 0`);
    });
  });

  it('puts the fields of a price estimate into the body', async () => {
    const server = await serve((_, response) => envelope(response, 0));
    const result = await mop([...ESTIMATE, '--mode', 'body'], { env: pointAt(server.url) });
    expect(result.code).toBe(0);
    const [request] = server.requests;
    expect(request?.body).toMatch(
      /^\{"city":"330100","lat":30\.27,"api_key":.*"nonce":"\w{10}","sign":"[0-9A-F]{32}"\}$/,
    );
    expect(request?.rawHeaders.join()).not.toMatch(/x-tms/i);
  });

  it('is a fault of the configuration or of the arguments where there is no such mode', async () => {
    const { env } = await sandbox();
    const config = await configuration({ profiles: { default: { mode: 'both' } } });
    expectFailure(await mop(['call', 'x'], { env: { ...env, ...config.env } }), 3, '"both"');
    expectFailure(await mop(['bill', 'info', '--mode', 'both'], { env }), 2, 'body, header');
  });
});

describe('an address that is missing', () => {
  it('is named with what needs it and the command that sets it', async () => {
    const { env } = await sandbox();
    const { MOP_BASE_URL, ...header } = env;
    const { MOP_OPEN_BASE_URL, ...body } = env;
    const { MOP_BASE_URL: _, ...none } = body;
    const test = { MOP_ENV: 'test' };
    const rows = [
      { argv: ESTIMATE, env: body, need: 'open_base_url is not set: the price estimate and' },
      { argv: ['bill', 'info'], env: header, need: 'base_url is not set: bill, decode, call and' },
      {
        argv: ['bill', 'info', '--mode', 'header'],
        env: body,
        need: 'open_base_url is not set: every operation needs it',
      },
      {
        argv: ['bill', 'info'],
        env: { ...none, ...test },
        need: 'test_base_url is not set: bill,',
        hint: 'run mop config init -p b, or mop config set test_base_url https://HOST -p b',
      },
      { argv: ['call', 'x', '--batch', '-'], env: header, need: 'base_url is not set: bill,' },
    ];
    await checkRows(rows, async ({ argv, env, need, hint }) => {
      const config = await configuration({ profiles: { b: {} } });
      const world = { env: { ...env, ...config.env }, stdin: '{}\n{}\n' };
      const [setting] = need.split(' ');
      const set = `set it: mop config set ${setting} https://HOST -p b (or try --env sandbox)`;
      expectFailure(await mop([...argv, '-p', 'b'], world), 3, need, hint ?? set);
    });
  });
});

describe('the options of header mode', () => {
  const OPTIONS = ['--no-nonce', '--timestamp-unit', 'ms', '-H', 'X-TMS-Trace: 7'];

  it('have the meaning that they have for sign, and survive a retry', async () => {
    for (const argv of [ESTIMATE, ['call', 'x', '--mode', 'header', '--retries', '1']]) {
      const server = await serve((_, response, index) => envelope(response, index === 0 ? -1 : 0));
      const result = await mop([...argv, ...OPTIONS], { env: pointAt(server.url) });
      expect(result.code).toBe(0);
      expect(server.requests).toHaveLength(2);
      for (const { headers } of server.requests) {
        expect(headers).toMatchObject({ 'x-tms-timestamp': `${NOW}`, 'x-tms-trace': '7' });
        expect(headers).not.toHaveProperty('x-tms-nonce');
      }
    }
  });

  it('are accepted by the sandbox', async () => {
    const { env } = await sandbox();
    expect((await mop([...ESTIMATE, ...OPTIONS], { env })).code).toBe(0);
  });

  it('are refused in body mode, whatever chose it', async () => {
    const { env, log } = await sandbox();
    const setting = await configuration({ profiles: { default: { mode: 'body' } } });
    const options = [
      ['--no-nonce'],
      ['--timestamp-unit', 'ms'],
      ['-H', 'X-TMS-A: 1'],
      ['--null-as', 'text'],
    ];
    const rows = options.flatMap((given) => [
      { argv: ['call', 'x', ...given], env },
      { argv: [...ESTIMATE, '--mode', 'body', ...given], env },
      { argv: [...ESTIMATE, ...given], env: { ...env, ...setting.env } },
    ]);
    await checkRows(rows, async ({ argv, env }) =>
      expectFailure(await mop(argv, { env }), 2, 'belongs to header mode', '--mode header'),
    );
    expect(log).toEqual([]);
  });
});
