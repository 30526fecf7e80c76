import { describe, expect, it } from 'vitest';
import { encryptParameters } from '../../../src/sandbox/encryption.ts';
import { mop, NOW, temporaryDirectory } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { checkRows } from '../../support/rows.ts';
import { envelope, serve } from '../../support/server.ts';
import { configuration, expectFailure } from '../support.ts';

const ESTIMATE = ['estimate', '--city', '330100', '--lat', '30.27'];
const DECODE_BY_HEADER = '/api/open/param/decode';

/** Each command that calls an operation, with the request that it sends. */
async function commands() {
  const content = JSON.stringify({ openId: 'o-1', mobile: '13800000000' });
  const { encryptData, encryptId } = encryptParameters(content, NOW);
  const out = await temporaryDirectory();
  const pair = ['--encrypt-data', encryptData, '--encrypt-id', encryptId];
  const price = ['call', '/takecar/estimate/price', '{"city":"330100","lat":1}'];
  return [
    { argv: ['bill', 'fetch', '-o', `${out}/`], request: '/open/v1/trade/bill' },
    {
      argv: ['bill', 'fetch', '-o', '-', '--mode', 'header'],
      request: '/api/open/trade/bill',
    },
    { argv: ['bill', 'info'], setting: 'header', request: '/api/open/trade/bill' },
    { argv: ['decode', encryptData, encryptId], setting: 'header', request: DECODE_BY_HEADER },
    {
      argv: ['account', 'link', '--user', '7', ...pair],
      setting: 'header',
      request: DECODE_BY_HEADER,
    },
    { argv: ESTIMATE, setting: 'body', request: '/open/v1/takecar/estimate/price' },
    {
      argv: [...ESTIMATE, '--mode', 'header'],
      setting: 'body',
      request: '/api/open/takecar/estimate/price',
    },
    { argv: price, request: '/api/open/takecar/estimate/price' },
    { argv: ['call', '/user/sync'], setting: 'header', request: '/api/open/user/sync' },
  ];
}

describe('the signature mode of an operation', () => {
  it('is set by --mode or by the setting, in every command', async () => {
    const { env, log } = await sandbox();
    await checkRows(await commands(), async ({ argv, setting, request }) => {
      const profile = setting === undefined ? {} : { mode: setting };
      const config = await configuration({ profiles: { default: profile } });
      log.length = 0;
      const { code, stderr } = await mop(argv, { env: { ...env, ...config.env } });
      expect(code, stderr).toBe(0);
      expect(log[0]).toBe(`POST ${request} 0`);
    });
  });

  it('is body for a price estimate with --mode body', async () => {
    const server = await serve((_, response) => envelope(response, 0));
    const result = await mop([...ESTIMATE, '--mode', 'body'], { env: pointAt(server.url) });
    expect(result.code).toBe(0);
    const [request] = server.requests;
    expect(request?.body).toMatch(
      /^\{"city":"330100","lat":30\.27,"api_key":.*"nonce":"\w{10}","sign":"[0-9A-F]{32}"\}$/,
    );
    expect(request?.rawHeaders.join()).not.toMatch(/x-tms/i);
  });

  it('is rejected if it is unknown', async () => {
    const { env } = await sandbox();
    const config = await configuration({ profiles: { default: { mode: 'both' } } });
    expectFailure(await mop(['call', 'x'], { env: { ...env, ...config.env } }), 3, '"both"');
    expectFailure(await mop(['bill', 'info', '--mode', 'both'], { env }), 2, 'body or header');
  });
});

describe('a missing address', () => {
  it('is reported with the operation that needs it, and a command', async () => {
    const { env } = await sandbox();
    const { MOP_BASE_URL, ...header } = env;
    const { MOP_OPEN_BASE_URL, ...body } = env;
    const { MOP_BASE_URL: _, ...none } = body;
    const test = { MOP_ENV: 'test' };
    const rows = [
      [ESTIMATE, body, 'open_base_url is not set: the price estimate and'],
      [['bill', 'info'], header, 'base_url is not set: bill, decode, call and'],
      [['bill', 'info', '--mode', 'header'], body, 'open_base_url is not set: every operation'],
      [['bill', 'info'], { ...none, ...test }, 'test_base_url is not set: bill,'],
      [['sign', '{}', '--path', '/trade/bill'], header, 'base_url is not set: --path needs it'],
      [['call', 'x', '--batch', '-'], header, 'base_url is not set: bill,'],
    ] as const;
    await checkRows(rows, async ([argv, env, need]) => {
      const config = await configuration({ profiles: { b: {} } });
      const world = { env: { ...env, ...config.env }, stdin: '{}\n{}\n' };
      const result = await mop([...argv, '-p', 'b'], world);
      expectFailure(result, 3, need, ' -p b');
    });
  });
});

describe('the options for header mode', () => {
  const OPTIONS = ['--no-nonce', '--timestamp-unit', 'ms', '-H', 'X-TMS-Trace: 7'];

  it('have the same effect as for sign, also on a retry', async () => {
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

  it('are rejected in body mode, for each source of the mode', async () => {
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
