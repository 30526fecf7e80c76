import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { MopError } from '../../src/errors.ts';
import { VERSION } from '../../src/version.ts';
import { errorOf, mop, temporaryDirectory } from '../support/cli.ts';
import { CREDENTIALS, expectFailure, terminal } from './support.ts';

describe('version', () => {
  it.each([
    { argv: ['--version'] },
    { argv: ['-V'] },
    { argv: ['--version', '--json'] },
    { argv: ['--quiet', '-V'] },
    { argv: ['version'] },
    { argv: ['version', '-q'] },
  ])('$argv prints only the number', async ({ argv }) => {
    expect(await mop(argv)).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('is a semantic version', () => {
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('help', () => {
  it.each([
    { argv: [], usage: 'Usage: mop [options] [command]' },
    { argv: ['--help'], usage: 'Usage: mop [options] [command]' },
    { argv: ['-h'], usage: 'Usage: mop [options] [command]' },
    { argv: ['help'], usage: 'Usage: mop [options] [command]' },
    { argv: ['bill'], usage: 'Usage: mop bill [options] [command]' },
    { argv: ['config'], usage: 'Usage: mop config [options] [command]' },
    { argv: ['help', 'sign'], usage: 'Usage: mop sign [options] [command] [body]' },
    { argv: ['sign', '--help'], usage: 'Usage: mop sign [options] [command] [body]' },
    { argv: ['sign', '-h', '{}'], usage: 'Usage: mop sign [options] [command] [body]' },
    {
      argv: ['config', 'set', '--help'],
      usage: 'Usage: mop config set [options] <setting> [value]',
    },
    { argv: ['help', 'config'], usage: 'Usage: mop config [options] [command]' },
  ])('$argv prints help to standard output', async ({ argv, usage }) => {
    const { code, stdout, stderr } = await mop(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(usage);
  });

  it.each([[['config', '--json']], [['bill', 'fetch', '--help', '--json']]])(
    '%j is one JSON document',
    async (argv) => {
      const { code, stdout } = await mop(argv);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ usage: expect.stringMatching(/^mop /) });
    },
  );

  it('lists every command with its description', async () => {
    const { stdout } = await mop(['--help'], { columns: 100 });
    for (const { name, description } of MOP.commands) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${description}`, 'm'));
    }
  });

  it('fits the width of the terminal', async () => {
    const widthAt = async (columns: number) => {
      const { stdout } = await mop(['bill', 'fetch', '--help'], { columns });
      const [beforeExamples = ''] = stdout.split('Examples:');
      return Math.max(...beforeExamples.split('\n').map((line) => line.length));
    };
    // The line of the usage is not wrapped.
    expect(await widthAt(41)).toBeLessThanOrEqual(41);
    expect(await widthAt(80)).toBeLessThanOrEqual(80);
    expect(await widthAt(200)).toBeGreaterThan(80);
  });
});

describe('bad usage', () => {
  it.each([
    { argv: ['sgin'], message: "unknown command 'sgin'", hint: 'did you mean mop sign?' },
    {
      argv: ['config', 'lst'],
      message: "unknown command 'lst'",
      hint: 'did you mean mop config list?',
    },
    {
      argv: ['bill', 'fetsh'],
      message: "unknown command 'fetsh'",
      hint: 'did you mean mop bill fetch?',
    },
    { argv: ['sign', 'veirfy', '@x'], message: 'too many', hint: 'did you mean mop sign verify?' },
    {
      argv: ['--timeout', '5', 'sandbox', 'encrpyt', '{}'],
      message: 'too many',
      hint: 'did you mean mop sandbox encrypt?',
    },
    { argv: ['sign', '--hash'], message: '--hash', hint: 'run: mop sign --help' },
    { argv: ['sign', '--as', 'rust'], message: 'rust', hint: 'run: mop sign --help' },
    {
      argv: ['completion', 'tcsh'],
      message: 'mop: <shell> must be bash, zsh, fish or powershell, not "tcsh"',
      hint: '--help',
    },
    { argv: ['--env', 'sandbx', 'sign'], message: 'sandbox', hint: 'did you mean sandbox?' },
    { argv: ['detect', 'x', '--fail-on', 'hgih'], message: 'hgih', hint: 'did you mean high?' },
    { argv: ['config', 'get', 'timezon'], message: 'timezon', hint: 'did you mean timezone?' },
    { argv: ['sandbox', '--fault', 'latncy=3'], message: 'latncy', hint: 'did you mean latency?' },
    { argv: ['bill', 'fetch', 'yesterdy'], message: 'yesterdy', hint: 'did you mean yesterday?' },
    { argv: ['help', 'schedulin'], message: 'schedulin', hint: 'did you mean scheduling?' },
    { argv: ['help', 'bill', 'fecth'], message: 'fecth', hint: 'did you mean fetch?' },
    { argv: ['sign', '{'], message: 'not JSON', hint: 'check the quoting' },
    {
      argv: ['sign', '--mode', 'verfy'],
      message: '--mode must be body or header, not "verfy"',
      hint: 'run: mop sign --help',
    },
    { argv: ['gql', '@run'], message: 'cannot read "run"', hint: 'name a file' },
    { argv: ['bill', 'fetch', '--since=2026-11-01'], message: '--since', hint: 'mean --from?' },
    { argv: ['bill', 'fetch', '--output', 'x'], message: '--output', hint: 'did you mean --out?' },
    {
      argv: ['bill', 'fetch', '--date', 'x'],
      message: "unknown option '--date'",
      hint: 'run: mop bill fetch --help',
    },
    { argv: ['--retries', 'x', 'bil'], message: '--retries', hint: 'run: mop --help' },
    { argv: ['gql', '--scema', 'schem'], message: '--scema', hint: 'did you mean --schema?' },
    { argv: ['xyzzy'], message: "unknown command 'xyzzy'", hint: 'run: mop --help' },
    { argv: ['sign', '--mod'], message: "unknown option '--mod'", hint: 'did you mean --mode?' },
    {
      argv: ['errors', '--json=yes'],
      message: '--json takes no value',
      hint: 'write --json alone',
    },
    { argv: ['decode', '--raw=1'], message: '--raw takes no value', hint: 'write --raw alone' },
    { argv: ['sign', '--raw=1'], message: "unknown option '--raw'", hint: '' },
    {
      argv: ['--', '--version'],
      message: "command '--version'",
      hint: 'run: mop --help',
    },
    { argv: ['--jsn'], message: "unknown option '--jsn'", hint: 'did you mean --json?' },
    { argv: ['sign', '{}', '-Z'], message: "unknown option '-Z'", hint: 'run: mop sign --help' },
    {
      argv: ['detect', '-what a day'],
      message: "unknown option '-w'",
      hint: 'put -- before an argument that begins with -',
    },
    {
      argv: ['sign', '{}', '{}'],
      message: "too many arguments for 'sign'",
      hint: 'run: mop sign --help',
    },
    {
      argv: ['sign', 'a=1'],
      message: 'a urlencoded form',
      hint: 'check the quoting of the JSON',
    },
    { argv: ['gql', '{ a }', '--var', 'a=1'], message: '--var', hint: 'did you mean --variables?' },
    {
      argv: ['estimate', '--city', 'x', '--lat', '3', '--lon', '4'],
      message: '--lon',
      hint: 'run: mop estimate --help',
    },
    { argv: ['completion', 'csh'], message: 'csh', hint: 'run: mop completion --help' },
    {
      argv: ['gql', 'validate', '{ a }', '--schema', '@x'],
      message: 'cannot read "{ a }"',
      hint: 'name a file',
    },
    {
      argv: ['config', 'set', 'timezone', 'Mars/X'],
      message: 'not a time zone',
      hint: 'mop help settings',
    },
    {
      argv: ['config', 'set'],
      message: "missing required argument 'setting'",
      hint: 'mop config set --help',
    },
    { argv: ['config', 'list', 'x'], message: "too many arguments for 'list'", hint: '' },
    { argv: ['sign', '--profile'], message: '-p, --profile needs a value', hint: '' },
    { argv: ['--env', 'prod', 'sign'], message: 'production, test or sandbox', hint: '' },
    { argv: ['sign', '--as', 'xml'], message: 'body, headers, curl, sign, json', hint: '' },
    { argv: ['sign', '--mode', '2.0'], message: 'body or header', hint: '' },
    { argv: ['sign', '--timestamp-unit', 'us'], message: 's or ms', hint: '' },
    { argv: ['sign', '--null-as', 'nil'], message: 'empty, omit or text', hint: '' },
    { argv: ['sign', '--timeout', '0'], message: 'a number above 0', hint: '' },
    { argv: ['sign', '--timeout', 'soon'], message: 'a number', hint: '' },
    { argv: ['sign', '--max-time', '1e3'], message: 'a number', hint: '' },
    { argv: ['sign', '--retries', '1.5'], message: 'a whole number', hint: '' },
    { argv: ['sign', '--retries=-1'], message: 'a whole number', hint: '' },
  ])('$argv', async ({ argv, message, hint }) => {
    expectFailure(await mop(argv), 2, message, hint);
  });

  it.each([{ argv: ['--secret=hunter2'] }, { argv: ['sign', '{}', '--api-secret=hunter2'] }])(
    '$argv is rejected, and the message does not contain the value',
    async ({ argv }) => {
      const result = await mop(argv);
      expectFailure(result, 2, "unknown option '--");
      expect(result.stderr).not.toContain('hunter2');
    },
  );

  it.each([
    [['sign', '{}', '--secret=hun\r\nter2'], "unknown option '--secret'"],
    [['sign', '{}', '--secret=\u2028hunter2'], "unknown option '--secret'"],
    [['sign', '{}', '--api-secret:hunter2'], "unknown option '--api-secret'"],
    [['sign', '{}', '-Shunter2'], "unknown option '-S'"],
    [['secret=hunter2'], "unknown command 'secret'"],
    [['config', 'set', 'api_secret=hunter2'], 'there is no setting "api_secret=…"'],
  ])('%j is reported without a possible secret', async (argv, message) => {
    for (const more of [[], ['--json'], ['--debug']]) {
      const { code, stderr } = await mop([...argv, ...more]);
      expect(code).toBe(2);
      expect(stderr).not.toContain('ter2');
      if (more.length === 0) expect(stderr).toContain(message);
    }
  });

  it.each([
    [['blil', '--help'], 'did you mean bill?'],
    [['bill', 'fecth', '--help'], 'did you mean fetch?'],
    [['bill', 'fecth', '--help', '--json'], 'did you mean fetch?'],
    [['fetch'], 'did you mean mop bill fetch?'],
    [['verify', 'x'], 'did you mean mop sign verify or mop bill verify?'],
    [['config', 'set', 'api_key=x'], 'mop config set SETTING VALUE'],
    [['config', 'set', 'mode', 'head'], 'did you mean header?'],
    [['config', 'set', 'compare_encoding', 'GBK'], 'did you mean gb18030?'],
    [['bill', 'compare', 'a', '--with', 'b', '--encoding', 'gbk'], 'did you mean gb18030?'],
    [['sign', '{bill_date:', '1}'], 'the shell split an argument: put it in single quotes'],
    [['sign', 'bill_date:1', 'bill_type:0'], 'the shell split an argument'],
    [['sign', '{}', '{}'], 'run: mop sign --help'],
    [['completion', 'pwsh'], 'run: mop completion --help'],
    [['gql', '--operation', 'Schema', 'x'], 'mop gql help explains the language'],
  ])('%j: %s', async (argv, hint) => {
    const { code, stdout, stderr } = await mop(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(hint);
  });

  it('suggests the command for a misspelt one before a text argument', async () => {
    const { code, stderr } = await mop(['gql', 'vaildate']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Syntax Error[\s\S]*\nhint: did you mean mop gql validate\?\n$/);
  });

  it.each([
    { argv: ['--json', 'sgin'] },
    { argv: ['sign', '--mod', '--json'] },
    { argv: ['--json', 'sign', '{}', '{}'] },
    { argv: ['sign', '[]', '--json'] },
    { argv: ['sign', '[]', '--as', 'json'] },
    { argv: ['config', 'set', 'color', 'red', '--json'] },
  ])('$argv: one JSON line on stderr', async ({ argv }) => {
    const result = await mop(argv, { env: CREDENTIALS });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr.match(/\n/g)).toHaveLength(1);
    expect(errorOf(result)).toEqual({
      code: 'usage',
      message: expect.any(String),
      hint: expect.any(String),
      exit_code: 2,
      retryable: false,
    });
  });
});

describe('global options', () => {
  it.each([
    { argv: ['--env', 'sandbox', '--json', 'sign', '{}'] },
    { argv: ['sign', '--env', 'sandbox', '--json', '{}'] },
    { argv: ['sign', '{}', '--json', '--env=sandbox'] },
    { argv: ['sign', 'explain', '{}', '--json', '--env', 'sandbox'] },
  ])('$argv: they are accepted at any position', async ({ argv }) => {
    const { code, stdout } = await mop(argv);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).canonical).toContain('api_key=sandbox&');
  });
});

describe('a bug', () => {
  const broken = {
    env: CREDENTIALS,
    now: () => {
      throw new TypeError('no clock');
    },
  };

  it('exits with 1 and asks the user to report it', async () => {
    expectFailure(await mop(['sign', '{}'], broken), 1, 'unexpected: no clock', '--debug');
  });

  it('prints its stack only with --debug', async () => {
    const { code, stdout, stderr } = await mop(['sign', '{}', '--debug'], broken);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^mop: unexpected: no clock\nhint: .*\nTypeError: no clock\n {4}at .*main\.test/,
    );
  });
});

describe('an expected failure', () => {
  it('prints its stack and its cause only with --debug', async () => {
    const argv = ['sign', '@/does/not/exist'];
    expectFailure(await mop(argv, { env: CREDENTIALS }), 2, 'there is no such file');
    const { code, stderr } = await mop([...argv, '--debug'], { env: CREDENTIALS });
    expect(code).toBe(2);
    expect(stderr).toMatch(/\nMopError: .*\n {4}at /);
    expect(stderr).toMatch(/\ncaused by: Error: ENOENT/);
  });
});

describe('signals', () => {
  const cases = [
    { error: new MopError('interrupted', 'interrupted', { hint: 'again' }), code: 130 },
    { error: new MopError('terminated', 'terminated', { hint: 'again' }), code: 143 },
  ];

  it.each(cases)('$error.code ends the wait for standard input', async ({ error, code }) => {
    const controller = new AbortController();
    const stdin = new Readable({ read: () => controller.abort(error) });
    const world = { env: CREDENTIALS, stdin, signal: controller.signal };
    expectFailure(await mop(['sign', '-'], world), code, error.message, 'again');
    expect(stdin.destroyed).toBe(true);
  });

  it.each(cases)('$error.code ends the command before it reads input', async ({ error, code }) => {
    const signal = AbortSignal.abort(error);
    expectFailure(await mop(['sign', '-'], { env: CREDENTIALS, signal }), code, error.message);
  });

  it.each(cases)('$error.code ends a question', async ({ error, code }) => {
    const controller = new AbortController();
    const stdin = terminal();
    stdin.removeAllListeners('resume').once('resume', () => controller.abort(error));
    const { stderr, ...result } = await mop(['config', 'set', 'api_secret'], {
      stdin,
      signal: controller.signal,
    });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(stderr).toMatch(new RegExp(`\nmop: ${error.message}\nhint: again\n$`));
    expect(stdin.destroyed).toBe(true);
  });
});

describe('exit codes', () => {
  it('are those of the contract', () => {
    expect(EXIT_CODES).toMatchObject({
      failure: 1,
      usage: 2,
      config: 3,
      auth: 4,
      api: 5,
      network: 6,
      integrity: 7,
      'not-ready': 8,
      'no-bill': 9,
      risk: 10,
      unhealthy: 11,
      mixed: 12,
      io: 13,
      interrupted: 130,
      terminated: 143,
    });
  });

  it('are each used once', () => {
    const codes = Object.values(EXIT_CODES);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('--max-time', () => {
  it('ends the wait for standard input', async () => {
    const stdin = new PassThrough();
    const result = await mop(['sign', '-', '--max-time', '0.05'], { stdin });
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('--max-time');
  });

  it('ends a command that prints the secret', async () => {
    const env = { MOP_CONFIG_DIR: await temporaryDirectory(), MOP_API_KEY: 'k' };
    await mop(['config', 'set', 'api_secret_command', 'sleep 30'], { env });
    const result = await mop(['sign', '{}', '--max-time', '0.05'], { env });
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('--max-time');
  });
});
