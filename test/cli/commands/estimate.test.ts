import { describe, expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { envelope, serve } from '../../support/server.ts';
import { expectFailure } from '../support.ts';

describe('mop estimate', () => {
  it('prints plausible prices of several car types, with their decimals', async () => {
    const { env, log } = await sandbox();
    const args = ['estimate', '--city', '330100', '--lat', '30.27'];
    const { code, stdout, stderr } = await mop(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(log).toEqual(['POST /api/open/takecar/estimate/price 0']);
    const { estimates } = JSON.parse(stdout);
    expect(estimates.length).toBeGreaterThan(2);
    for (const { price } of estimates) expect(price).toBeGreaterThan(5);
    expect(stdout).toMatch(/"price":\d+\.\d\d[,}]/);
    expect((await mop(args, { env })).stdout).toBe(stdout);
  });

  it('signs the call in headers and sends its fields as typed', async () => {
    const server = await serve((_, response) => envelope(response, 0));
    const args = ['--city', '330100', '--lat', '30.10', '-F', 'lng=120.0', '-f', 'car_type=7'];
    await mop(['estimate', ...args], { env: pointAt(server.url) });
    const [request] = server.requests;
    expect(request?.path).toBe('/api/open/takecar/estimate/price');
    expect(request?.body).toBe('{"city":"330100","lat":30.10,"lng":120.0,"car_type":"7"}');
    expect(request?.headers).toMatchObject({
      'x-tms-sign-ver': '2.0',
      'x-tms-sign': expect.stringMatching(/^[0-9A-F]{32}$/),
    });
  });

  it('is retried, because it changes nothing', async () => {
    const { env } = await sandbox(['http=503:1']);
    const { code, waits } = await mop(['estimate', '--city', 'c', '--lat', '1'], { env });
    expect([code, waits.length]).toEqual([0, 1]);
  });

  it('prints the request with --dry-run and sends nothing', async () => {
    const server = await serve((_, response) => envelope(response, 0));
    const { stdout } = await mop(['estimate', '--city', 'c', '--lat', '1', '--dry-run'], {
      env: pointAt(server.url),
    });
    expect(stdout).toContain(`--data-raw '{"city":"c","lat":1}'`);
    expect(stdout).toContain(`-H 'X-TMS-Sign: <redacted>'`);
    expect(server.requests).toEqual([]);
  });

  it.each([
    { args: ['--lat', '1'], message: '--city' },
    { args: ['--city', '', '--lat', '1'], message: '--city is empty' },
    { args: ['--city', 'c'], message: '--lat' },
    { args: ['--city', 'c', '--lat', 'north'], message: '--lat' },
    { args: ['--city', 'c', '--lat', '030'], message: '--lat' },
    { args: ['--city', 'c', '--lat', '90.5'], message: '--lat' },
    { args: ['--city', 'c', '--lat', '1', '-F', 'city=d'], message: 'occurs twice' },
    { args: ['--city', 'c', '--lat', '1', '-F', 'novalue'], message: 'key=value' },
  ])('refuses $args', async ({ args, message }) => {
    const server = await serve((_, response) => envelope(response, 0));
    expectFailure(await mop(['estimate', ...args], { env: pointAt(server.url) }), 2, message);
    expect(server.requests).toEqual([]);
  });
});
