import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { bodyFromFields } from '../../../src/cli/context/input.ts';
import type { Io } from '../../../src/cli/context/io.ts';
import { MopError } from '../../../src/errors.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../support/cli.ts';
import { CREDENTIALS, expectFailure, FIXED, file } from '../support.ts';

/** The body for these arguments, without the fields that signing adds. */
async function body(argv: readonly string[], world: CliWorld = {}): Promise<string> {
  const sign = ['sign', ...argv, ...FIXED, '--as', 'body'];
  const { code, stdout, stderr } = await mop(sign, { ...world, env: CREDENTIALS });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.replace(/,?"api_key":"key-of-the-test".*\n$/, '}');
}

const failing = (argv: readonly string[], world: CliWorld = {}) =>
  mop(['sign', ...argv], { ...world, env: CREDENTIALS });

const GBK = Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xba, 0xbc, 0x22, 0x7d);

describe('BODY', () => {
  it('is the text itself', async () => {
    expect(await body(['{"a": "杭州"}'])).toBe('{"a":"杭州"}');
  });

  it('is the content of @FILE', async () => {
    const path = await file('\ufeff{\n  "a": 1.0\n}\n', { name: 'a body.json' });
    expect(await body([`@${path}`])).toBe('{"a":1.0}');
  });

  it.each(['-', '@-'])('is standard input for %s', async (argument) => {
    expect(await body([argument], { stdin: ' {"a":"杭"}\r\n' })).toBe('{"a":"杭"}');
  });

  it('may arrive in chunks that split a character', async () => {
    const bytes = Buffer.from('{"a":"杭"}');
    const stdin = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);
    expect(await body(['-'], { stdin })).toBe('{"a":"杭"}');
  });

  it('does not read standard input unless requested', async () => {
    expect(await body(['{"a":1}'], { stdin: '{"b":2}' })).toBe('{"a":1}');
    expectFailure(await failing([], { stdin: '{"b":2}' }), 2, 'nothing to sign', '-F');
  });

  it('rejects a missing file, a directory and another encoding', async () => {
    const directory = await temporaryDirectory();
    expectFailure(await failing([`@${directory}/none`]), 2, 'there is no such file', 'name a file');
    expectFailure(await failing([`@${directory}`]), 2, 'it is a directory', 'name a file');
    const path = await file(GBK);
    expectFailure(await failing([`@${path}`]), 2, `${path} is not UTF-8 text`, 'iconv');
    expectFailure(await failing(['-'], { stdin: GBK }), 2, 'standard input is not UTF-8', 'iconv');
  });

  it.each([
    { text: '', message: 'the body is empty' },
    { text: 'bill_type=0', message: 'a urlencoded form' },
    { text: "{'a':1}", message: 'at line 1 column 2' },
    { text: '{"a":1,}', message: 'not JSON' },
    { text: '{"a":01}', message: 'not JSON' },
    { text: '{"a":NaN}', message: 'not JSON' },
    { text: '{"a":1} {"b":2}', message: 'contains several JSON documents' },
    { text: '[1]', message: 'not an object (it is an array)' },
    { text: '"text"', message: 'not an object (it is a string)' },
    { text: '0', message: 'not an object (it is a number)' },
    { text: 'null', message: 'not an object (it is null)' },
    { text: '{"a":1,"a":1}', message: 'the field "a" occurs twice' },
    { text: '{"a":1,"\\u0061":2}', message: 'the field "a" occurs twice' },
    { text: '{"a":"\\ud83d"}', message: 'half of a surrogate pair' },
  ])('cannot be $text', async ({ text, message }) => {
    for (const mode of ['body', 'header']) {
      expectFailure(await failing([text, '--mode', mode]), 2, message);
    }
  });
});

describe('-F', () => {
  it.each([
    { text: 'a=1', expected: '{"a":1}' },
    { text: 'a=1.0', expected: '{"a":1.0}' },
    { text: 'a=-0', expected: '{"a":-0}' },
    { text: 'a=1e2', expected: '{"a":1e2}' },
    { text: 'a=3791411052119578828', expected: '{"a":3791411052119578828}' },
    { text: 'a=true', expected: '{"a":true}' },
    { text: 'a=null', expected: '{"a":null}' },
    { text: 'a="1"', expected: '{"a":"1"}' },
    { text: 'a={"y":1, "x":[2.50]}', expected: '{"a":{"y":1,"x":[2.50]}}' },
    { text: 'a=', expected: '{"a":""}' },
    { text: 'a=text', expected: '{"a":"text"}' },
    { text: 'a=True', expected: '{"a":"True"}' },
    { text: 'a=007', expected: '{"a":"007"}' },
    { text: 'a=2026-11-19', expected: '{"a":"2026-11-19"}' },
    { text: 'a=b=c', expected: '{"a":"b=c"}' },
    { text: 'a={broken', expected: '{"a":"{broken"}' },
    { text: 'a= 1 ', expected: '{"a":1}' },
    { text: 'a= x ', expected: '{"a":" x "}' },
    { text: '__proto__=1', expected: '{"__proto__":1}' },
    { text: '城市=杭州', expected: '{"城市":"杭州"}' },
  ])('$text is $expected', async ({ text, expected }) => {
    expect(await body(['-F', text])).toBe(expected);
  });

  it('reads a file as a string, unchanged', async () => {
    const path = await file('{"x": 1}\n');
    expect(await body(['-F', `a=@${path}`])).toBe('{"a":"{\\"x\\": 1}\\n"}');
    expect(await body(['-F', 'a=@-'], { stdin: '12' })).toBe('{"a":"12"}');
  });
});

describe('-f', () => {
  it.each([
    { text: 'a=1', expected: '{"a":"1"}' },
    { text: 'a=null', expected: '{"a":"null"}' },
    { text: 'a=@file', expected: '{"a":"@file"}' },
    { text: 'a=', expected: '{"a":""}' },
    { text: 'a= x ', expected: '{"a":" x "}' },
    { text: 'a=say "hi"\\', expected: '{"a":"say \\"hi\\"\\\\"}' },
  ])('$text is $expected', async ({ text, expected }) => {
    expect(await body(['-f', text])).toBe(expected);
  });
});

describe('-F and -f', () => {
  it('keep the order of the command line', async () => {
    const argv = ['-f', 'z=1', '-F', '10=2', '--raw-field', 'a=3', '--field', '2=4'];
    expect(await body(argv)).toBe('{"z":"1","10":2,"a":"3","2":4}');
  });

  it('may directly follow the command, with or without a space', async () => {
    expect(await body(['-Fa=1', '--field=b=2'])).toBe('{"a":1,"b":2}');
  });

  it.each([
    { argv: ['-F', 'a'], message: '-F takes key=value, not "a"', hint: '-F key=value' },
    { argv: ['-f', 'a'], message: '-f takes key=value, not "a"', hint: '-f key=value' },
    { argv: ['-F', '=1'], message: '-F takes key=value', hint: '-F key=value' },
    { argv: ['-F', ''], message: '-F takes key=value', hint: '-F key=value' },
    { argv: ['-F', 'a=1', '-f', 'a=1'], message: 'the field "a" occurs twice', hint: '' },
    {
      argv: ['-F', 'a=@/does/not/exist'],
      message: 'there is no such file',
      hint: 'name a file',
    },
    { argv: ['{}', '-F', 'a=1'], message: 'both as BODY and with -F or -f', hint: '' },
    { argv: ['-', '-f', 'a=1'], message: 'both as BODY and with -F or -f', hint: '' },
  ])('$argv is refused', async ({ argv, message, hint }) => {
    expectFailure(await failing(argv, { stdin: '{}' }), 2, message, hint);
  });

  it('must have distinct names', async () => {
    const field = { typed: false, text: 'a=1' };
    const io = {} as Io;
    expect(await bodyFromFields([field], io)).toBe('{"a":"1"}');
    await expect(bodyFromFields([field, field], io)).rejects.toThrow('the field "a" occurs twice');
  });

  it('reject a file in another encoding', async () => {
    expectFailure(await failing(['-F', `a=@${await file(GBK)}`]), 2, 'is not UTF-8 text');
  });
});

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  const pipe = async (): Promise<string> => {
    const path = join(await temporaryDirectory(), 'pipe');
    execFileSync('mkfifo', [path]);
    return path;
  };
  const env = CREDENTIALS;

  it('is read to its end, even if its writer opens it later', async () => {
    const path = await pipe();
    const signing = mop(['sign', `@${path}`], { env });
    await writeFile(path, '{"a":1.0}');
    expect((await signing).stdout).toMatch(/^\{"a":1\.0,/);
  });

  it('without data is no longer read after a signal', async () => {
    const path = await pipe();
    const controller = new AbortController();
    const signing = mop(['sign', `@${path}`], { env, signal: controller.signal });
    const error = new MopError('interrupted', 'interrupted', { hint: 'done' });
    setImmediate(() => controller.abort(error));
    expect((await signing).code).toBe(130);
  });
});

it('reads standard input once', async () => {
  const world = { env: CREDENTIALS, stdin: 'abc' };
  const result = await mop(['sign', '-F', 'a=@-', '-F', 'b=@-'], world);
  expectFailure(result, 2, 'standard input is used twice');
});

describe('the size of an input', () => {
  const MIB = 1024 ** 2;

  it.each([
    { argv: ['sign', '@FILE'], mib: 64 },
    { argv: ['sign', '-F', 'a=@FILE'], mib: 64 },
    { argv: ['sign', 'explain', '@FILE'], mib: 64 },
    { argv: ['sign', 'verify', '@FILE'], mib: 256 },
    { argv: ['sign', 'verify', '{}', '--theirs', '@FILE'], mib: 64 },
    { argv: ['call', '/x', '@FILE'], mib: 64 },
    { argv: ['decode', '@FILE', 'id'], mib: 64 },
    { argv: ['gql', '@FILE'], mib: 64 },
    { argv: ['gql', '{ a }', '--variables', '@FILE'], mib: 64 },
    { argv: ['gql', 'validate', 'FILE', '--schema', 'FILE'], mib: 64 },
    { argv: ['sandbox', 'encrypt', '@FILE'], mib: 64 },
  ])('is at most $mib MiB for $argv', async ({ argv, mib }) => {
    const path = await file('');
    // A sparse file, which uses no disk space.
    await truncate(path, mib * MIB + 1);
    const given = argv.map((word) => word.replace('FILE', path));
    expectFailure(
      await mop(given, { env: { ...CREDENTIALS, MOP_GQL_URL: 'http://127.0.0.1:9/graphql' } }),
      2,
      `${path} has more than ${mib} MiB`,
      mib === 64 ? 'right file' : 'Copy as cURL',
    );
  });

  it('is counted while reading', async () => {
    const stdin = Readable.from(Array.from({ length: 65 }, () => Buffer.alloc(MIB, ' ')));
    expectFailure(await failing(['-'], { stdin }), 2, 'standard input has more than 64 MiB');
  });

  it('is limited for a device without an end, as a secret file', async () => {
    const result = await failing(['{}', '--secret-file', '/dev/zero']);
    expectFailure(result, 3, '/dev/zero is too long for a secret', 'nothing else');
  });
});
