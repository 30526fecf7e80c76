import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { errorObject, reasonOf } from '../../../src/cli/context/error-json.ts';
import { Output } from '../../../src/cli/context/output.ts';
import { withoutRest } from '../../../src/cli/context/shortened.ts';
import type { OutputStream } from '../../../src/cli/context/standard-stream.ts';
import { MopError, quoted } from '../../../src/errors.ts';
import { type CliWorld, errorOf, ioOf, mop } from '../../support/cli.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { envelope } from '../../support/server.ts';
import { CREDENTIALS, configuration, expectFailure, SECRET } from '../support.ts';

const SIGN = ['sign', '{}', '--env', 'sandbox'];

describe('standard output', () => {
  const commands = [
    { argv: SIGN },
    { argv: [...SIGN, '--json'] },
    { argv: ['sign', 'explain', '{}', '--env', 'sandbox'] },
    { argv: ['config', 'list', '-q'] },
    { argv: ['config', 'path'] },
    { argv: ['--version'] },
    { argv: ['--version', '--json'] },
    { argv: ['--help'] },
    { argv: ['bill'] },
  ];

  it.each(commands)(
    '$argv ends without an error when its reader closes the pipe',
    async ({ argv }) => {
      expect(await mop(argv, { stdoutError: 'EPIPE' })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it.each(commands)('$argv fails when the disk is full', async ({ argv }) => {
    const world = { stdoutError: 'ENOSPC' };
    const plain = argv.filter((word) => word !== '--json');
    expectFailure(await mop(plain, world), 13, 'cannot write to standard output: ENOSPC', 'disk');
    const result = await mop([...argv, '--json'], world);
    expect(result.code).toBe(13);
    expect(errorOf(result)).toMatchObject({ code: 'io', exit_code: 13 });
  });

  it.each(['EIO', 'EBADF', 'ERR_STREAM_DESTROYED'])('fails with %s', async (stdoutError) => {
    expectFailure(await mop(SIGN, { stdoutError }), 13, stdoutError);
  });

  it('contains only data', async () => {
    const { env } = await configuration();
    const { stdout, stderr } = await mop(['config', 'list'], { env });
    expect(stdout).toMatch(/^KEY +VALUE +SOURCE\n/);
    expect(stderr).toBe('profile default\n');
  });

  it('is the only output with --quiet', async () => {
    const { env } = await configuration();
    const list = await mop(['config', 'list', '--quiet'], { env });
    expect(list.stdout).toContain('timezone');
    expect(list.stderr).toBe('');
    const set = ['config', 'set', 'api_key', 'k'];
    expect((await mop(set, { env })).stderr).toContain('api_key is set');
    expect(await mop([...set, '-q'], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await mop([...set, '--json'], { env })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('is written in pieces that do not end within a character', async () => {
    const { io } = ioOf({});
    const ends: string[] = [];
    // The usual stream of a test encodes the pieces, which takes longer than the rest.
    const write: OutputStream['write'] = (piece, done) => {
      ends.push(String(piece).slice(-3));
      done?.();
    };
    const stdout = { writableLength: 0, stream: io.stdout.stream, write };
    await new Output({ ...io, stdout }, {}).jsonText(`${'x'.repeat(4 * 1024 ** 2 - 1)}😀"`);
    expect(ends).toEqual(['x😀', '"\n']);
  });

  it('ends with one line end', async () => {
    expect((await mop(SIGN)).stdout).toMatch(/[^\n]\n$/);
    expect((await mop(['--help'])).stdout).toMatch(/[^\n]\n$/);
  });
});

describe('colour', () => {
  const coloured = async ({ flags = [], ...world }: CliWorld & { flags?: string[] }) => {
    const { stdout } = await mop(['sign', 'explain', '{}', '--env', 'sandbox', ...flags], world);
    return stdout.includes('\u001b[');
  };

  it.each<{ env: Record<string, string>; terminal: boolean; flags?: string[]; expected: boolean }>([
    { env: {}, terminal: false, expected: false },
    { env: {}, terminal: true, expected: true },
    { env: { NO_COLOR: '1' }, terminal: true, expected: false },
    { env: { NO_COLOR: '0' }, terminal: true, expected: false },
    { env: { NO_COLOR: '' }, terminal: true, expected: true },
    { env: { TERM: 'dumb' }, terminal: true, expected: false },
    { env: { TERM: 'xterm-256color' }, terminal: true, expected: true },
    { env: { FORCE_COLOR: '1' }, terminal: false, expected: true },
    { env: { FORCE_COLOR: '3', TERM: 'dumb' }, terminal: false, expected: true },
    { env: { FORCE_COLOR: '0' }, terminal: true, expected: false },
    { env: { FORCE_COLOR: 'false' }, terminal: true, expected: false },
    { env: { FORCE_COLOR: '' }, terminal: false, expected: false },
    { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, terminal: false, expected: true },
    { env: {}, terminal: true, flags: ['--no-color'], expected: false },
    { env: { FORCE_COLOR: '1' }, terminal: true, flags: ['--no-color'], expected: false },
  ])('$env, terminal: $terminal, flags: $flags', async ({ env, terminal, flags, expected }) => {
    const world = { env, stdoutIsTerminal: terminal, ...(flags && { flags }) };
    expect(await coloured(world)).toBe(expected);
  });

  it('is the only difference', async () => {
    const argv = ['sign', 'explain', '{"a":null}', '--env', 'sandbox', '--seq-id=1', '--nonce=2'];
    const plain = await mop(argv);
    const styled = await mop(argv, { env: { FORCE_COLOR: '1' } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
    expect(styled.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
    expect(styled.stdout).not.toBe(plain.stdout);
  });

  it('is never part of data', async () => {
    const world = { env: { FORCE_COLOR: '1' }, stdoutIsTerminal: true };
    for (const form of ['body', 'headers', 'curl', 'sign']) {
      expect((await mop([...SIGN, '--as', form], world)).stdout).not.toContain('\u001b');
    }
  });

  it('is added to JSON only on a terminal, and changes nothing else', async () => {
    const argv = [
      'call',
      'user/sync',
      '{"slon":1.0,"remark":"a \\"b\\": null"}',
      '--env',
      'sandbox',
    ];
    const env = { FORCE_COLOR: '1' };
    const [piped, shown] = [
      await mop([...argv, '--json'], { env }),
      await mop([...argv, '--json'], { env, stdoutIsTerminal: true }),
    ];
    expect(piped.stdout).not.toContain('\u001b');
    expect(stripVTControlCharacters(shown.stdout)).toBe(piped.stdout);
    expect(shown.stdout).toContain('\u001b[34m');
  });

  it.each([
    {
      argv: ['config', 'get', 'api_kye'],
      painted: '\u001b[31mmop:\u001b[39m',
      last: '\u001b[2mhint:\u001b[22m',
    },
    {
      argv: ['sign', '{}', '--nonce', 'short', '--env', 'sandbox'],
      painted: '\u001b[33mmop: warning:\u001b[39m',
    },
  ])('marks messages: $argv', async ({ argv, painted, last = '' }) => {
    const { stderr } = await mop(argv, { stderrIsTerminal: true });
    expect(stderr).toContain(painted);
    expect(stderr).toContain(last);
    const plain = await mop(argv);
    expect(stripVTControlCharacters(stderr)).toBe(plain.stderr);
    expect(plain.stderr).not.toContain('\u001b');
  });
});

describe('secrets', () => {
  // Unchanged, escaped by the message, and escaped again by the JSON line.
  it.each([SECRET, 'quo"te', 'back\\slash', "it's & more", 'a$b%c'])(
    'never occur on standard error: %s',
    async (secret) => {
      const env = { ...CREDENTIALS, MOP_API_SECRET: secret };
      const twice = ['--form', `${secret}=1`, '--form', `${secret}=2`];
      const argv = ['sign', '--mode', 'header', ...twice];
      for (const flags of [[], ['--debug'], ['--json'], ['--json', '--debug']]) {
        const { code, stdout, stderr } = await mop([...argv, ...flags], { env });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain('<redacted>');
        const bare = stderr.replaceAll('\\', '');
        expect(bare).not.toContain(secret.replaceAll('\\', ''));
      }
    },
  );

  it('are redacted in warnings', async () => {
    const argv = ['sign', `{"api_key":"${SECRET}"}`, '--as', 'sign'];
    const { code, stderr } = await mop(argv, { env: CREDENTIALS });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("mop: warning: the request's api_key is <redacted>, but"),
    });
  });

  it('do not damage the JSON line if one is part of a key', async () => {
    const env = { ...CREDENTIALS, MOP_API_SECRET: 'message' };
    const result = await mop(['sign', '[]', '--json'], { env });
    expect(Object.keys(errorOf(result))).toContain('message');
  });
});

describe('warnings', () => {
  const argv = ['sign', '{}', '--nonce', 'short', '--env', 'sandbox'];

  it('are printed on one line each', async () => {
    const { code, stderr } = await mop([...argv, '--seq-id', '1'.repeat(37)]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'mop: warning: the nonce has 5 characters, not 10\n' +
        'mop: warning: the serial number has 37 characters; the platform accepts at most 36\n',
    );
  });

  it('are JSON lines with --json', async () => {
    const env = { ...CREDENTIALS, MOP_API_SECRET: ' padded ' };
    const { stdout, stderr } = await mop(['sign', '{}', '--json'], { env });
    expect(JSON.parse(stdout)).toHaveProperty('sign');
    expect(JSON.parse(stderr)).toEqual({
      warning: { message: expect.stringContaining('begins or ends with white space') },
    });
  });
});

describe('errorObject', () => {
  it('contains only the known details', () => {
    const details = { hint: 'h', platformCode: 1002, seqId: 's', httpStatus: 200, retryAfterMs: 5 };
    expect(errorObject(new MopError('auth', 'm', details))).toEqual({
      code: 'auth',
      message: 'm',
      hint: 'h',
      exit_code: 4,
      retryable: false,
      platform_code: 1002,
      seq_id: 's',
      http_status: 200,
    });
    expect(errorObject(new MopError('network', 'm'))).toEqual({
      code: 'network',
      message: 'm',
      hint: null,
      exit_code: 6,
      retryable: true,
    });
  });
});

it.each([
  [{ seqId: 's-1' }, 'm (seq_id s-1)'],
  [{ seqId: 's-1', sent: false }, 'm'],
  [{}, 'm'],
])('the reason of an error with %j is %j', (details, reason) => {
  expect(reasonOf(new MopError('api', 'm', details))).toBe(reason);
});

describe('a value of a million characters', () => {
  const LONG = 'x'.repeat(1_000_000);
  const argv = ['call', 'user/sync', '{}'];

  async function env() {
    const { env } = await scriptedPlatform({
      call: (response) => envelope(response, 2001, {}, `${LONG}, the end`),
    });
    return env;
  }

  it.each(['-q', '--json', '--debug'])('is shortened in an error: %s', async (flag) => {
    const { stderr } = await mop([...argv, flag], { env: await env() });
    expect(stderr).toContain(', the end');
    expect(stderr.length).toBeLessThan(flag === '--debug' ? 10_000 : 3000);
  });

  it('is shortened in the error of a line', async () => {
    const { stdout, stderr } = await mop(['call', 'user/sync', '--batch', '-', '--json'], {
      env: await env(),
      stdin: '{}\n',
    });
    expect(JSON.parse(stdout).error?.message ?? '').toContain(', the end');
    expect(stdout.length).toBeLessThan(3000);
    expect(stderr.length).toBeLessThan(3000);
  });

  it('is cut off at its end in a hint, which stays quoted', () => {
    const hint = withoutRest(quoted`run: mop bill verify ${`${LONG}' $(id)`}`);
    expect(hint).toMatch(/^run: mop bill verify 'x+… \(\d+ characters\)$/);
  });
});
