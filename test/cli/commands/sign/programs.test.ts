/** The output of `mop sign --as LANG`. test/trials/programs runs it. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROGRAM_LANGUAGES } from '../../../../src/signing/programs/languages.ts';
import { escapeInvisible, LITERALS } from '../../../../src/signing/programs/literals.ts';
import { CHARACTER } from '../../../support/character.ts';
import { errorOf, mop, temporaryDirectory } from '../../../support/cli.ts';
import { installed } from '../../../support/programs.ts';
import { CREDENTIALS, expectFailure, KEY, SECRET } from '../../support.ts';

const URL = 'https://h.example/open/v1/trade/bill';

const run = (...argv: string[]) => mop(['sign', ...argv, '--url', URL], { env: CREDENTIALS });

/** The node program of a request. */
async function program(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...argv, '--as', 'node');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The value of a constant of a node program. */
function constant(text: string, name: string): unknown {
  const [, literal] = new RegExp(`^const ${name} = (.*);$`, 'm').exec(text) ?? [];
  return new Function(`return ${literal}`)();
}

const HEADER = ['--mode', 'header'];

describe.each(PROGRAM_LANGUAGES)('--as %s', (language) => {
  it.each(['body', 'header'])('prints a program for %s mode without the secret', async (mode) => {
    const argv = ['{"bill_type":0}', '--mode', mode, '--as', language];
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(KEY);
    expect(stdout).toContain(URL);
    expect(stdout).toContain('bill_type');
    expect(stdout).not.toContain(SECRET);
    // No placeholder is left, and no line ends in white space.
    expect(stdout).not.toMatch(/\{\{[#/\w]+\}\}|[ \t]$/m);
    expect(stdout).not.toMatch(/\n\n\n\n/);
    expect(stdout.includes('X-TMS-')).toBe(mode === 'header');
  });

  it('needs no secret', async () => {
    const env = { MOP_API_KEY: KEY };
    const { code } = await mop(['sign', '{}', '--as', language, '--url', URL], { env });
    expect(code).toBe(0);
  });

  it('prints any text as a literal on one line', () => {
    const { text } = LITERALS[language];
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER }), (given) => {
        expect(text(given.replaceAll('\0', ''))).not.toMatch(/[\r\n\u2028\u2029]|\p{Cc}/u);
      }),
    );
  });
});

it('writes any text as a literal of JavaScript', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER }), (given) => {
      expect(new Function(`return ${LITERALS.node.text(given)}`)()).toBe(given);
    }),
  );
});

it('escapes the marks of variables in double-quoted literals of PHP and Ruby', () => {
  expect(LITERALS.php.text('$a\n{$b}')).toBe('"\\$a\\u{a}{\\$b}"');
  expect(LITERALS.ruby.text('#{a}\n#b')).toBe('"\\#{a}\\u{a}\\#b"');
});

it('shows every invisible character of a body as an escape', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER }), (given) => {
      const json = escapeInvisible(JSON.stringify(given));
      expect(JSON.parse(json)).toBe(given);
      expect(json).not.toMatch(/[\p{C}\u2028\u2029]/u);
    }),
  );
});

describe('the request', () => {
  it('has the given fields, and no signature', async () => {
    const text = await program('{"b":1.0,"api_key":null,"nonce":null,"x":null,"sign":"old"}');
    expect(constant(text, 'BODY')).toBe('{"b":1.0,"x":null}');
    expect(constant(text, 'API_KEY')).toBe(KEY);
  });

  it('keeps a common field of the body, unless a flag gives it', async () => {
    const body = '{"seq_id":"s","nonce":"abcdefghij","a":1}';
    expect(constant(await program(body), 'BODY')).toBe(body);
    const text = await program(body, '--seq-id', 't', '--api-key', 'other');
    expect(constant(text, 'BODY')).toBe('{"nonce":"abcdefghij","a":1,"seq_id":"t"}');
    expect(constant(text, 'API_KEY')).toBe('other');
  });

  it('has the given headers', async () => {
    const argv = ['-H', 'X-TMS-Trace: 1', '--seq-id', 's', '--nonce', 'n'];
    const text = await program('{"sign":"x","nonce":null}', ...HEADER, ...argv);
    expect(constant(text, 'BODY')).toBe('{"sign":"x","nonce":null}');
    expect(constant(text, 'HEADERS')).toEqual({
      'X-TMS-Seq-Id': 's',
      'X-TMS-Nonce': 'n',
      'X-TMS-Trace': '1',
    });
  });

  it.each([
    [[], "value === 'null' ? ''", 'newNonce()', 'Date.now() / 1000'],
    [['--null-as', 'text'], 'fields.map(([name, value]) => [name, textOf(value)])'],
    [['--null-as', 'omit'], "filter(([, value]) => value !== 'null')"],
    [['--timestamp-unit', 'ms'], 'String(Date.now())'],
  ])('is signed as %j says', async (argv, ...parts) => {
    const text = await program('{}', ...HEADER, ...argv);
    for (const part of parts) expect(text).toContain(part);
  });

  it('has no nonce after --no-nonce', async () => {
    expect(await program('{}', ...HEADER, '--no-nonce')).not.toMatch(/nonce/i);
  });

  it('goes to the sandbox with its credentials', async () => {
    const { stdout } = await mop([
      'sign',
      '{}',
      '--as',
      'node',
      '--env',
      'sandbox',
      '--path',
      '/x',
    ]);
    expect(constant(stdout, 'URL')).toBe('http://127.0.0.1:7800/open/v1/x');
    expect(constant(stdout, 'API_KEY')).toBe('sandbox');
    expect(stdout).toContain('MOP_API_SECRET=sandbox-secret');
  });
});

describe('warns about', () => {
  it('a missing address', async () => {
    const { stdout, stderr } = await mop(['sign', '{}', '--as', 'node'], { env: CREDENTIALS });
    expect(stderr).toContain('no --path or --url');
    expect(constant(stdout, 'URL')).toBe('https://HOST/open/v1/PATH');
  });

  it.each([
    ['{"timestamp":1795132800}'],
    ['{}', '--timestamp', '1795132800'],
    ['{}', ...HEADER, '-H', 'x-tms-timestamp: 1795132800'],
  ])('a timestamp that becomes old: %j', async (...argv) => {
    const { code, stderr } = await run(...argv, '--as', 'node');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/timestamp/) });
  });

  it('fields that the platform would refuse', async () => {
    const { stderr } = await run('{}', '--nonce', 'short', '--as', 'node');
    expect(stderr).toContain('the nonce has 5 characters');
  });
});

it.each([
  [['--form', 'a=1', ...HEADER], 'not a multipart form', '--as curl'],
  [['--batch', '-'], '--batch has many', 'leave out'],
  [['{"a":1,"a":2}'], 'occurs twice', ''],
  [['[]'], 'not an object', ''],
  [['{"X-TMS-Nonce":1}', ...HEADER], 'named like the signed header', ''],
  [['{}', ...HEADER, '-H', 'Accept: a'], 'not part of the signature', ''],
  [[], 'nothing to sign', ''],
])('refuses %j', async (argv, message, hint) => {
  expectFailure(await run(...argv, '--as', 'python'), 2, message, hint);
});

it('refuses --json', async () => {
  const result = await run('{}', '--json', '--as', 'python');
  expect(result.code).toBe(2);
  expect(errorOf(result)).toMatchObject({ message: expect.stringContaining('prints a program') });
});

it('needs an API key', async () => {
  expectFailure(await mop(['sign', '{}', '--as', 'go']), 3, 'no api_key');
});

describe('the program for bash', () => {
  const modes = installed('bash') ? ['body', 'header'] : [];

  it.each(modes)('sends nothing in %s mode when openssl fails', async (mode) => {
    const directory = await temporaryDirectory();
    const put = (name: string, script: string): Promise<void> =>
      writeFile(join(directory, name), script, { mode: 0o755 });
    await put('openssl', '#!/bin/sh\nexit 3\n');
    await put('curl', '#!/bin/sh\necho sent\n');
    const { stdout } = await run('{"a":1}', '--mode', mode, '--as', 'bash');
    const PATH = `${directory}:${process.env.PATH}`;
    const result = spawnSync('bash', ['-c', stdout], {
      env: { PATH, MOP_API_SECRET: SECRET },
      encoding: 'utf8',
      // A socket as standard input would make bash read the start-up files of the user.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(result.stderr).toMatch(/openssl cannot /);
    expect(result).toMatchObject({ status: 1, stdout: '' });
  });
});
