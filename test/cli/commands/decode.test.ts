import { describe, expect, it } from 'vitest';
import { errorOf, mop, temporaryDirectory } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { envelope, type Handler, serve } from '../../support/server.ts';
import { configuration, expectFailure, file } from '../support.ts';

const CONTENT = '{"openId":"o-1","mobile":"13800000000","n":12345678901234567890,"x":1.50}';

/** Encrypts a text. */
async function pair(text = CONTENT): Promise<{ encrypt_data: string; encrypt_id: string }> {
  return JSON.parse((await mop(['sandbox', 'encrypt', text, '--json'])).stdout);
}

async function platform(handler: Handler) {
  const server = await serve(handler);
  return { ...server, env: pointAt(server.url) };
}

describe('mop decode', () => {
  it('prints the decrypted JSON with unchanged digits', async () => {
    const { env, log } = await sandbox();
    const { encrypt_data, encrypt_id } = await pair();
    const { code, stdout, stderr } = await mop(['decode', encrypt_data, encrypt_id], { env });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${CONTENT}\n`, stderr: '' });
    expect(log).toEqual(['POST /open/v1/param/decode 0']);
  });

  it('decodes parameters that mop sandbox encrypt made, in one shell line', async () => {
    const { stdout } = await mop(['sandbox', 'encrypt', CONTENT]);
    const words = stdout.trim().split(' ');
    expect(words).toHaveLength(2);
    const decoded = await mop(['decode', ...words, '--env', 'sandbox']);
    expect(decoded.stdout).toBe(`${CONTENT}\n`);
  });

  it.each([
    ['JSON', (pair: object) => JSON.stringify(pair)],
    ['words', (pair: Record<string, string>) => `${pair.encrypt_data} ${pair.encrypt_id}\n`],
    ['lines', (pair: Record<string, string>) => `${pair.encrypt_data}\n${pair.encrypt_id}\n`],
  ])('reads both values as %s from a file or standard input', async (_, written) => {
    const { env } = await sandbox();
    const text = written(await pair());
    expect((await mop(['decode', '-'], { env, stdin: text })).stdout).toBe(`${CONTENT}\n`);
    expect((await mop(['decode', `@${await file(text)}`], { env })).stdout).toBe(`${CONTENT}\n`);
  });

  it('reads only the data from a file or standard input', async () => {
    const { env } = await sandbox();
    const { encrypt_data, encrypt_id } = await pair();
    const result = await mop(['decode', '-', encrypt_id], { env, stdin: `${encrypt_data}\n` });
    expect(result.stdout).toBe(`${CONTENT}\n`);
  });

  it('reads the serial number from a file or standard input', async () => {
    const { env } = await sandbox();
    const { encrypt_data, encrypt_id } = await pair();
    const path = await file(`${encrypt_id}\n`);
    expect((await mop(['decode', encrypt_data, `@${path}`], { env })).stdout).toBe(`${CONTENT}\n`);
    const piped = await mop(['decode', encrypt_data, '-'], { env, stdin: encrypt_id });
    expect(piped.stdout).toBe(`${CONTENT}\n`);
    expectFailure(await mop(['decode', '-', '-'], { env, stdin: 'x' }), 2, 'used twice');
  });

  it('prints json_string unchanged with --raw', async () => {
    const { env } = await sandbox();
    const text = '{ "openId" : "o-1",\n  "a": "\\u0041" }';
    const { encrypt_data, encrypt_id } = await pair(text);
    const args = ['decode', encrypt_data, encrypt_id];
    expect((await mop([...args, '--raw'], { env })).stdout).toBe(`${text}\n`);
    expect((await mop(args, { env })).stdout).toBe('{"openId":"o-1","a":"A"}\n');
    expect(JSON.parse((await mop([...args, '--raw', '--json'], { env })).stdout)).toBe(text);
  });

  it('prints text that is not JSON only with --raw', async () => {
    const { env } = await platform((_, response) =>
      envelope(response, 0, { json_string: 'openId=1' }),
    );
    expect((await mop(['decode', 'd', 'i', '--raw'], { env })).stdout).toBe('openId=1\n');
    const result = await mop(['decode', 'd', 'i'], { env });
    expectFailure(result, 5, 'data.json_string is not JSON', '--raw');
  });

  it.each([
    [{}, 'data.json_string is missing'],
    [{ json_string: 7 }, 'data.json_string is not a string'],
    [{ json_string: null }, 'data.json_string is not a string'],
    [undefined, 'data.json_string is missing'],
  ])('rejects data %j', async (data, message) => {
    const { env } = await platform((_, response) =>
      response.end(JSON.stringify({ code: 0, message: '', data })),
    );
    expectFailure(await mop(['decode', 'd', 'i'], { env }), 5, message);
  });

  it('reports the answer of the platform for parameters that it cannot decode', async () => {
    const { env } = await sandbox();
    const result = await mop(['decode', 'bm9uc2Vuc2U=', '123'], { env });
    expectFailure(result, 5, 'the platform answered 1001');
  });

  it('is retried, because it changes nothing', async () => {
    const { env } = await sandbox(['code=-1:2']);
    const { encrypt_data, encrypt_id } = await pair();
    const { code, waits } = await mop(['decode', encrypt_data, encrypt_id], { env });
    expect([code, waits.length]).toEqual([0, 2]);
  });

  it('prints the request with --dry-run and sends nothing', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    const { stdout } = await mop(['decode', 'data', 'id', '--dry-run', '--json'], { env });
    const { url, body } = JSON.parse(stdout);
    expect(url).toMatch(/\/open\/v1\/param\/decode$/);
    expect(JSON.parse(body)).toMatchObject({ encrypt_data: 'data', encrypt_id: 'id' });
    expect(requests).toEqual([]);
  });
});

describe('bad parameters send nothing', () => {
  it.each([
    { args: [], message: 'nothing to decode' },
    { args: ['data'], message: 'without encrypt_id' },
    { args: ['data', ''], message: 'encrypt_id is empty' },
    { args: ['', 'id'], message: 'encrypt_data is empty' },
    { args: ['data', '1234567890123456789'], message: 'has 19 characters: the limit is 18' },
    { args: ['a b c'], message: 'without encrypt_id' },
    { args: ['{"encrypt_data":"x"}'], message: 'encrypt_id is missing' },
    { args: ['{"encrypt_data":7,"encrypt_id":"i"}'], message: 'encrypt_data is not a string' },
    { args: ['{"encrypt_data":'], message: 'not JSON' },
    { args: ['data', 'id', '--concurrency', '2'], message: '--concurrency belongs to --batch' },
    { args: ['data', 'id', '--batch', '-'], message: '--batch cannot be combined' },
    { args: ['--batch', '/does/not/exist'], message: 'there is no such file' },
    { args: ['--batch', '-', '--concurrency', '0'], message: '--concurrency' },
  ])('$args', async ({ args, message }) => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    expectFailure(await mop(['decode', ...args], { env, stdin: '' }), 2, message);
    expect(requests).toEqual([]);
  });
});

describe('a batch', () => {
  const line = (pair: object) => `${JSON.stringify(pair)}\n`;

  it('keeps the order of the input', async () => {
    let first = true;
    const { env, requests } = await platform(async ({ body }, response) => {
      const { encrypt_id } = JSON.parse(body);
      const answer = () => envelope(response, 0, { json_string: `{"id":"${encrypt_id}"}` });
      // The first line is answered last.
      if (first) {
        first = false;
        await waitFor(() => requests.length >= 4);
      }
      answer();
    });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const stdin = ids.map((id) => line({ encrypt_data: 'x', encrypt_id: id })).join('');
    const { code, stdout } = await mop(['decode', '--batch', '-', '--concurrency', '4'], {
      env,
      stdin,
    });
    expect(code).toBe(0);
    expect(stdout).toBe(ids.map((id) => `{"id":"${id}"}\n`).join(''));
  });

  it('reports a wrong clock once', async () => {
    const { env } = await sandbox(['skew=600']);
    const stdin = line(await pair()).repeat(20);
    const { code, stderr } = await mop(['decode', '--batch', '-'], { env, stdin });
    expect(code).toBe(0);
    expect(stderr.match(/warning/g)).toHaveLength(1);
  });

  it('has at most 256 in flight', async () => {
    const args = ['decode', '--batch', '-', '--env', 'sandbox', '--concurrency'];
    expectFailure(await mop([...args, '257']), 2, 'from 1 to 256');
    expect((await mop([...args, '256'], { stdin: '' })).code).toBe(0);
  });

  it('has at most --concurrency calls in flight', async () => {
    let [inFlight, most] = [0, 0];
    const { env } = await platform(async (_, response) => {
      inFlight++;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      envelope(response, 0, { json_string: '{}' });
    });
    const stdin = line({ encrypt_data: 'x', encrypt_id: 'y' }).repeat(20);
    await mop(['decode', '--batch', '-', '--concurrency', '3'], { env, stdin });
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
  });

  it('reports an invalid line in its place and continues', async () => {
    const { env } = await sandbox();
    const good = await pair('{"openId":"o-1"}');
    const other = await pair('{"openId":"o-2"}');
    const stdin = Buffer.concat([
      Buffer.from(line(good)),
      Buffer.from('not a pair\r\n\r\n'),
      Buffer.from('{"encrypt_data":"x","encrypt_id":"1234567890123456789"}\n'),
      Buffer.from([0xc3, 0x28, 0x0a]),
      Buffer.from(line({ ...good, encrypt_id: '1' })),
      // No line end after the last line.
      Buffer.from(JSON.stringify(other)),
    ]);
    const result = await mop(['decode', '--batch', '-'], { env, stdin });
    const lines = result.stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines).toEqual([
      { openId: 'o-1' },
      { error: expect.objectContaining({ code: 'usage', exit_code: 2 }) },
      {
        error: expect.objectContaining({
          message: expect.stringContaining('line 4: encrypt_id has 19'),
        }),
      },
      { error: expect.objectContaining({ message: expect.stringContaining('line 5') }) },
      { error: expect.objectContaining({ code: 'api', platform_code: 1001 }) },
      { openId: 'o-2' },
    ]);
    expect(result.code).toBe(12);
    expect(result.stderr).toContain('mop: 4 of 6 lines failed, for example: line 2: ');
  });

  it('exits with the common code of the failures', async () => {
    const { env } = await sandbox();
    const stdin = `${line(await pair())}nothing\nnothing\n`;
    const result = await mop(['decode', '--batch', '-', '--json'], { env, stdin });
    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
  });

  it('prints the request of each line with --dry-run, and sends nothing', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    const stdin = `${line({ encrypt_data: 'x', encrypt_id: 'y' })}x\n`;
    const argv = ['decode', '--batch', '-', '--dry-run', '--json'];
    const { code, stdout } = await mop(argv, { env, stdin });
    const [request, failure] = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(code).toBe(2);
    expect(JSON.parse(request.body)).toMatchObject({ encrypt_data: 'x', sign: '<redacted>' });
    expect(failure.error).toMatchObject({ code: 'usage', exit_code: 2 });
    expect(requests).toEqual([]);
  });

  it('reads a file, prints --raw texts in quotes, and prints nothing for an empty file', async () => {
    const { env } = await sandbox();
    const text = '{ "openId": "o-1" }';
    const path = await file(line(await pair(text)));
    const { stdout } = await mop(['decode', '--batch', path, '--raw'], { env });
    expect(JSON.parse(stdout)).toBe(text);
    const empty = await mop(['decode', '--batch', await file('\n \n')], { env });
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, '', '']);
    const directory = await mop(['decode', '--batch', await temporaryDirectory()], { env });
    expectFailure(directory, 2, 'it is a directory');
  });

  it('reports a line that is too long in its place', async () => {
    const { env } = await sandbox();
    const stdin = Buffer.concat([
      Buffer.alloc(17 * 1024 * 1024, 'x'),
      Buffer.from(`\n${line(await pair('{"openId":"o-1"}'))}`),
    ]);
    const { code, stdout } = await mop(['decode', '--batch', '-'], { env, stdin });
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(first.error.message).toBe('line 1: it has more than 16 MiB');
    expect([code, second]).toEqual([2, { openId: 'o-1' }]);
  });

  it('reads a line only when it can be decoded', async () => {
    const { env } = await configuration();
    expectFailure(await mop(['decode', '--batch', '-'], { env, stdin: '{}' }), 3, 'api_key');
  });

  it('ends immediately when its output cannot be written', async () => {
    const { env } = await platform((_, response) => envelope(response, 0, { json_string: '{}' }));
    const stdin = line({ encrypt_data: 'x', encrypt_id: 'y' }).repeat(200);
    for (const [stdoutError, code] of [
      ['EPIPE', 0],
      ['ENOSPC', 13],
    ] as const) {
      const result = await mop(['decode', '--batch', '-'], { env, stdin, stdoutError });
      expect([result.code, result.waits]).toEqual([code, []]);
    }
  });

  it('ends after a signal, before the remaining lines', async () => {
    const controller = new AbortController();
    const { env } = await platform((_, response, index) => {
      if (index === 2) controller.abort(new Error('stop'));
      envelope(response, 0, { json_string: '{}' });
    });
    const stdin = line({ encrypt_data: 'x', encrypt_id: 'y' }).repeat(1000);
    const result = await mop(['decode', '--batch', '-', '--concurrency', '1'], {
      env,
      stdin,
      signal: controller.signal,
    });
    expect(result.stderr).toContain('stop');
    expect(result.stdout.split('\n').length).toBeLessThan(10);
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
