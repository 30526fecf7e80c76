import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { errorOf, mop } from '../../../support/cli.ts';
import {
  AUTHORIZATION,
  CONTENT,
  pointAt,
  QUERY,
  sandbox,
  scriptedPlatform,
} from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';
import { configuration, expectFailure } from '../../support.ts';

const YESTERDAY = '2026-11-19';
const DIGEST = createHash('md5').update(CONTENT).digest('hex');

const info = (args: readonly string[], env: Record<string, string>, now?: () => number) =>
  mop(['bill', 'info', ...args], { env, ...(now && { now }) });

describe('the descriptor', () => {
  it('of yesterday is a record with redacted secrets', async () => {
    const { env, url } = await scriptedPlatform();
    const { code, stdout, stderr } = await info([], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['KEY', 'VALUE'],
      ['date', YESTERDAY],
      ['type', 'all'],
      ['hash_type', 'MD5'],
      ['hash_value', DIGEST],
      ['download_url', `${url}/file?<redacted>`],
      ['authorization', '<redacted>'],
      [''],
    ]);
  });

  it('has the keys of the contract with --json', async () => {
    const { env, url } = await scriptedPlatform();
    const { stdout, stderr } = await info(['2026-11-18', '--type', '1', '--json', '-v'], env);
    expect(JSON.parse(stdout)).toEqual({
      date: '2026-11-18',
      type: 'paid',
      hash_type: 'MD5',
      hash_value: DIGEST,
      download_url: `${url}/file?<redacted>`,
      authorization: '<redacted>',
    });
    for (const secret of [AUTHORIZATION, QUERY]) expect(stdout + stderr).not.toContain(secret);
  });

  it('contains the secrets only with --reveal', async () => {
    const { env, url } = await scriptedPlatform();
    const { stdout, stderr } = await info(['--reveal', '--json', '-v'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      download_url: `${url}/file?${QUERY}`,
      authorization: AUTHORIZATION,
    });
    for (const secret of [AUTHORIZATION, QUERY]) expect(stderr).not.toContain(secret);

    const shown = await info(['--reveal'], env);
    expect(shown.stdout).toContain(`download_url   ${url}/file?${QUERY}\n`);
    expect(shown.stdout).toContain(`authorization  ${AUTHORIZATION}\n`);
    expect(shown.stderr).toBe('the link is valid for 30 seconds\n');
  });

  it('has null, or a dash without --json, for missing values', async () => {
    const descriptor = { hash_type: undefined, hash_value: undefined, authorization: undefined };
    const { env } = await scriptedPlatform({ descriptor });
    expect(JSON.parse((await info(['--json'], env)).stdout)).toMatchObject({
      hash_type: null,
      hash_value: null,
      authorization: null,
    });
    expect((await info([], env)).stdout).toMatch(/hash_value +-\n.*\nauthorization +-\n/);
  });

  it('escapes control characters', async () => {
    const { env } = await scriptedPlatform({ descriptor: { hash_type: 'MD5\u001b[2J\nfake' } });
    const { stdout } = await info([], env);
    expect(stdout).toContain('MD5<U+001B>[2J↵fake');
    expect(stdout.trim().split('\n')).toHaveLength(7);
  });

  it('is the only request, with the type of --tar', async () => {
    const { env, requests } = await scriptedPlatform();
    await info([], env);
    await info(['yesterday', '--type', 'refund', '--tar', 'stream'], env);
    expect(requests.map(({ method, body }) => [method, JSON.parse(body)])).toMatchObject([
      ['POST', { bill_date: YESTERDAY, bill_type: 0, tar_type: 1 }],
      ['POST', { bill_date: YESTERDAY, bill_type: 2, tar_type: 0 }],
    ]);
  });

  it('is requested again when the platform fails', async () => {
    const { env, log } = await sandbox(['http=503:1', 'code=-1:1']);
    const { code, waits } = await info(['--json'], env);
    expect(code).toBe(0);
    expect(log).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  it('is not printed with --quiet', async () => {
    const { env } = await sandbox();
    expect(await info(['-q'], env)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('is not requested with --dry-run', async () => {
    const { env, log } = await sandbox();
    const { code, stdout } = await info(['--dry-run', '--type', 'paid', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(JSON.parse(stdout).body)).toMatchObject({ bill_type: 1, sign: '<redacted>' });
    expect(log).toEqual([]);
  });
});

describe('a missing bill', () => {
  const early = () => Date.parse('2026-11-20T09:59:59+08:00');
  const late = () => Date.parse('2026-11-20T22:00:00+08:00');

  it('exits with 8 before the ready time, without a call', async () => {
    const { env, log } = await sandbox();
    expectFailure(await info([], env, early), 8, 'not available until 2026-11-20 10:00', 'later');
    expect(log).toEqual([]);
    expect((await info(['--force'], env, early)).code).toBe(0);
  });

  it.each([
    ['2026-08-19', 'older than 3 months'],
    ['2026-11-21', 'in the future'],
    ['2026-02-30', 'is not a date'],
    ['today', 'is not a date'],
  ])('refuses %s with 2, without a call', async (date, message) => {
    const { env, log } = await sandbox();
    expectFailure(await info([date], env), 2, message);
    expect(log).toEqual([]);
  });

  it('is requested for a date outside the window with --force', async () => {
    const { env, log } = await sandbox();
    const result = await info(['2026-08-19', '--force', '--json'], env);
    expect(result.code).toBe(5);
    expect(errorOf(result)).toMatchObject({ code: 'api', platform_code: 1052 });
    expect(log).toHaveLength(1);
  });

  it('is not ready at first, and later a day without trades', async () => {
    const { env } = await scriptedPlatform({ descriptor: { download_url: undefined } });
    expectFailure(await info([], env), 8, 'not available yet');
    expectFailure(await info([], env, late), 9, 'no trades');
  });

  it('is a day without trades for the codes in no_bill_codes', async () => {
    const server = await serve((_, response) => envelope(response, 2001));
    const config = await configuration({ profiles: { default: { no_bill_codes: '2001' } } });
    const env = { ...pointAt(server.url), ...config.env };
    expectFailure(await info([], env, late), 9, 'no trades');
  });

  it('is reported with the result code of a refusal', async () => {
    const { env } = await sandbox(['code=1003']);
    expectFailure(await info([], env), 4, '1003');
  });
});
