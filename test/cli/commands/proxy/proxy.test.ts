import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { signBody } from '../../../../src/signing/body-mode.ts';
import { CAN_MOUNT, smallDisk } from '../../../faults/small-disk.ts';
import { type Envelope, postJson } from '../../../sandbox/support.ts';
import { type CliResult, type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { JOINED_SECRET, pointAt, sandbox } from '../../../support/platform.ts';
import { envelope, listen, serve } from '../../../support/server.ts';
import { CREDENTIALS, configuration, expectFailure, SECRET } from '../../support.ts';

const PATH = '/open/v1/trade/bill';
const BILL = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

interface Running {
  readonly url: string;
  readonly firstLine: string;
  /** Interrupts the command. */
  readonly end: () => Promise<CliResult>;
}

/** Runs `mop proxy` on a free port until it serves. */
function proxy(argv: readonly string[], world: CliWorld = {}): Promise<Running> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new MopError('interrupted', 'interrupted'));
  onTestFinished(interrupt);
  return new Promise((resolve, reject) => {
    const ended = mop(['proxy', '--port', '0', ...argv], {
      ...world,
      signal: stop.signal,
      onStdout: (firstLine) => {
        const url = /http:\/\/[\w.:[\]]+/.exec(firstLine)?.[0] ?? '';
        const end = (): Promise<CliResult> => {
          interrupt();
          return ended;
        };
        resolve({ url, firstLine, end });
      },
    });
    ended.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
}

const codeOf = async (url: string, body: string): Promise<number> =>
  (JSON.parse((await postJson(url + PATH, body)).body.toString()) as Envelope).code;

it('signs for the sandbox in its own process, and ends with 130', async () => {
  const { url, end } = await proxy(['--env', 'sandbox']);
  expect(await codeOf(url, BILL)).toBe(0);
  const { code, stdout, stderr } = await end();
  expect([code, stdout]).toEqual([
    130,
    `url            ${url}\nbase_url       ${url}\nopen_base_url  ${url}\n`,
  ]);
  expect(stderr).toBe(
    `The proxy signs for profile default (sandbox); Ctrl-C ends it. ${url}/requests shows its requests.\nmop: interrupted\n`,
  );
});

it('writes its addresses as one line of JSON first', async () => {
  const { url, firstLine, end } = await proxy(['--env', 'sandbox', '--json']);
  expect(JSON.parse(firstLine)).toEqual({ url, base_url: url, open_base_url: url });
  expect((await end()).stderr).not.toContain('The proxy');
});

it('signs with the credentials of the environment for its addresses', async () => {
  const { env, log } = await sandbox();
  const { url } = await proxy([], { env });
  expect(await codeOf(url, BILL)).toBe(0);
  expect(log).toEqual([`POST ${PATH} 0`]);
});

it('knows the secrets of all profiles, and names the profile that signed', async () => {
  const platform = await serve((_, response) => envelope(response, 0));
  const other = { api_key: 'other', api_secret: 'fedcba9876543210' };
  const { env } = await configuration({
    profiles: { default: { environment: 'production' }, other },
  });
  const { url } = await proxy([], { env: { ...env, ...CREDENTIALS, MOP_BASE_URL: platform.url } });
  const diagnosisOf = async (apiKey: string): Promise<unknown> => {
    const { body } = signBody(BILL, { apiKey, secret: other.api_secret });
    return (await postJson(url + PATH, body)).headers['x-mop-diagnosis'];
  };
  expect(await diagnosisOf('other')).toBe('ok');
  expect(await diagnosisOf(CREDENTIALS.MOP_API_KEY)).toBe('secret-other-profile');
});

it('starts no command for the secret of another profile', async () => {
  const platform = await serve((_, response) => envelope(response, 0));
  const trace = join(await temporaryDirectory(), 'ran');
  const other = { api_key: 'other', api_secret_command: `touch ${trace}; echo x` };
  const { env } = await configuration({ profiles: { other, default: {} } });
  const { url } = await proxy([], { env: { ...env, ...CREDENTIALS, MOP_BASE_URL: platform.url } });
  const reply = await postJson(url + PATH, '{"api_key":"other","sign":"00"}');
  expect(reply.headers['x-mop-diagnosis']).toBe('unexplained');
  await expect(stat(trace)).rejects.toThrow('ENOENT');
});

it('logs each request with the mistakes in its signature, and no secret', async () => {
  const platform = await serve((_, response) => envelope(response, 1002, {}, SECRET));
  const env = { ...CREDENTIALS, MOP_BASE_URL: platform.url };
  const { url, end } = await proxy(['--log'], { env });
  await postJson(url + PATH, `{"memo":"${SECRET}"}`);
  const { body } = signBody(BILL, { apiKey: CREDENTIALS.MOP_API_KEY, secret: SECRET });
  const lower = body.replace(/"sign":"\w+"/, (sign) => sign.toLowerCase());
  await postJson(`${url}${PATH}?${SECRET}`, lower);
  await postJson(`${url}/${SECRET}`, '{}');
  const { stderr } = await end();
  // Before them: the missing address, and the note.
  const lines = stderr.split('\n').slice(2);
  expect(lines[0]).toMatch(
    /^2026-11-20T05:00:00.000Z POST \/open\/v1\/trade\/bill 200 code 1002 signed \d+ ms$/,
  );
  expect(lines[1]).toMatch(/ 200 code 1002 \d+ ms$/);
  expect(lines[2]).toContain('(hex-lowercase)');
  expect(stderr).toMatch(/POST \/<redacted> 404 /);
  expect(stderr).not.toContain(SECRET);
});

it.each([
  [['--host', '0.0.0.0'], 2, 'other machines can reach the proxy', '--allow-remote'],
  [['--allow-origin', '*'], 2, '"*" is not an origin', 'http://localhost:5173'],
  [['--allow-origin', 'http://a/b'], 2, '"http://a/b" is not an origin', 'scheme, host and port'],
  [['--allow-origin', 'null'], 2, '"null" is not an origin', 'scheme, host and port'],
  [['--host', 'host.invalid', '--allow-remote'], 1, 'cannot listen on', 'address'],
])('refuses %j', async (argv, code, message, hint) => {
  expectFailure(
    await mop(['proxy', '--env', 'sandbox', '--port', '0', ...argv]),
    code,
    message,
    hint,
  );
});

it('refuses to start without credentials or without any address', async () => {
  expectFailure(await mop(['proxy']), 3, 'no api_key');
  expectFailure(await mop(['proxy'], { env: CREDENTIALS }), 3, 'base_url is not set');
  const insecure = { ...CREDENTIALS, MOP_BASE_URL: 'http://platform.example' };
  expectFailure(await mop(['proxy'], { env: insecure }), 3, 'plain http');
});

it('reports a port that is in use', async () => {
  const port = await listen(createServer());
  const file = join(await temporaryDirectory(), 'calls.har');
  const argv = ['proxy', '--env', 'sandbox', '--port', `${port}`, '--record', file];
  const refused = await mop(argv);
  expectFailure(refused, 1, `127.0.0.1 port ${port}: the port is in use`, '--port');
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

it('starts with one address, and reports the mode that it refuses', async () => {
  const { env } = await sandbox();
  const { MOP_BASE_URL = '' } = env;
  const { url, end } = await proxy([], {
    env: { ...pointAt(MOP_BASE_URL), MOP_OPEN_BASE_URL: '' },
  });
  expect((await postJson(`${url}/api/open/x`, '{}')).status).toBe(502);
  expect((await end()).stderr).toContain('open_base_url is not set');
});

it('records exchanges for mop sign verify, without secrets, readable by its owner only', async () => {
  const { env } = await sandbox();
  const file = join(await temporaryDirectory(), 'calls.har');
  const { url, end } = await proxy(['--record', file], { env });
  // The length of an entry in bytes differs from its length in characters.
  const noted = BILL.replace('{', '{"note":"杭州",');
  const reply = await postJson(url + PATH, noted, { Authorization: 'Bearer canary-1234' });
  const { authorization } = (JSON.parse(reply.body.toString()) as Envelope).data;
  await postJson(
    url + PATH,
    signBody(BILL, { ...SANDBOX_CREDENTIALS, secret: JOINED_SECRET }).body,
  );
  await postJson(url + PATH, '[]');
  const half = JSON.parse(await readFile(file, 'utf8'));
  await end();
  const text = await readFile(file, 'utf8');
  const { version, entries } = JSON.parse(text).log;
  expect([version, entries.length]).toEqual(['1.2', 2]);
  expect(half.log.entries.length).toBeGreaterThan(0);
  for (const secret of [SANDBOX_CREDENTIALS.secret, authorization, 'canary-1234', 'expires=']) {
    expect(text).not.toContain(secret);
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const verified = await mop(['sign', 'verify', `@${file}`, '--all', '--env', 'sandbox', '--json']);
  const valid = verified.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).valid);
  expect(valid).toEqual([true, false]);
});

it.runIf(CAN_MOUNT)(
  'a record on a full disk stays valid, and continues when there is space',
  async () => {
    const platform = await serve((_, response) => envelope(response, 0));
    const disk = await smallDisk();
    const file = join(disk.directory, 'calls.har');
    const env = { ...CREDENTIALS, MOP_BASE_URL: platform.url };
    const { url, end } = await proxy(['--record', file], { env });
    const entries = async (): Promise<number> =>
      JSON.parse(await readFile(file, 'utf8')).log.entries.length;
    const post = (): Promise<unknown> => postJson(url + PATH, `{"a":"${'x'.repeat(20_000)}"}`);
    disk.fill(2);
    await post();
    await post();
    await vi.waitFor(async () => expect(await entries()).toBeLessThan(2));
    const before = await entries();
    disk.clear();
    await post();
    await vi.waitFor(async () => expect(await entries()).toBe(before + 1));
    expect((await end()).stderr).toContain('calls.har is missing an exchange');
  },
);

it('never overwrites a file with a record', async () => {
  const file = join(await temporaryDirectory(), 'calls.har');
  await writeFile(file, 'mine');
  const refused = await mop(['proxy', '--env', 'sandbox', '--port', '0', '--record', file]);
  expectFailure(refused, 13, `cannot write ${file}`);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

it('--verbose shows no credential of a client that the platform repeats', async () => {
  const { url } = await serve(({ headers }, response) => {
    response.setHeader('X-Echo', `for ${headers.authorization}`);
    response.setHeader('X-Ticket', 'of body-canary-22');
    envelope(response, 0, {});
  });
  const env = pointAt(url);
  const running = await proxy(['--verbose'], { env });
  const headers = { Authorization: 'Bearer header-canary-11', 'X-Session': 'other-canary-33' };
  const body = '{"authorization":"body-canary-22"}';
  await fetch(running.url + PATH, { method: 'POST', headers, body });
  const { stderr } = await running.end();
  expect(stderr).toContain('< X-Echo: for Bearer <redacted>');
  expect(stderr).toContain('< X-Ticket: of <redacted>');
  expect(stderr).not.toContain('canary');
});
