import { describe, expect, it } from 'vitest';
import { decryptParameters } from '../../../../src/sandbox/encryption.ts';
import { errorOf, mop, NOW } from '../../../support/cli.ts';
import { expectFailure, file } from '../../support.ts';

const TEXT = '{"openId":"o-1", "mobile":"13800000000","id":12345678901234567890}';

/** The plaintext of the two words of the output. */
function decrypted(line: string): string | undefined {
  const [encryptData = '', encryptId = ''] = line.split(' ');
  return decryptParameters({ encryptData, encryptId });
}

describe('mop sandbox encrypt', () => {
  it('prints the arguments of decode in one line', async () => {
    const { code, stdout, stderr } = await mop(['sandbox', 'encrypt', TEXT]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[A-Za-z\d+/]+={0,2} \d{18}\n$/);
    expect(decrypted(stdout.trimEnd())).toBe(TEXT);
    expect(stdout.split(' ')[1]).toMatch(new RegExp(`^${NOW}`));
  });

  it('prints a line of a batch with --json', async () => {
    const { code, stdout, stderr } = await mop(['sandbox', 'encrypt', TEXT, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { encrypt_data, encrypt_id, ...others } = JSON.parse(stdout);
    expect(others).toEqual({});
    expect(decrypted(`${encrypt_data} ${encrypt_id}`)).toBe(TEXT);
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it.each([
    ['\n', ''],
    ['\r\n', ''],
    ['\n\n', '\n'],
    [' \n', ' '],
    ['', ''],
  ])('takes one line end from a file and from standard input: %j', async (end, rest) => {
    const path = await file(TEXT + end);
    const fromFile = await mop(['sandbox', 'encrypt', `@${path}`]);
    expect(decrypted(fromFile.stdout.trimEnd())).toBe(TEXT + rest);
    const fromStdin = await mop(['sandbox', 'encrypt', '-'], { stdin: TEXT + end });
    expect(decrypted(fromStdin.stdout.trimEnd())).toBe(TEXT + rest);
  });

  it('uses text on the command line unchanged', async () => {
    const { stdout } = await mop(['sandbox', 'encrypt', ` ${TEXT}\n`]);
    expect(decrypted(stdout.trimEnd())).toBe(` ${TEXT}\n`);
  });

  it('ignores an unreadable configuration', async () => {
    const env = { MOP_CONFIG_DIR: await file('no directory') };
    expect((await mop(['sandbox', 'encrypt', '{}'], { env })).code).toBe(0);
  });

  it.each([
    ['[{}]', 'the parameters are not a JSON object but an array'],
    ['"text"', 'the parameters are not a JSON object but a string'],
    ['null', 'the parameters are not a JSON object but null'],
    [
      '',
      'the parameters are not JSON: the text ends where a value was expected at line 1 column 1',
    ],
    ["{'a':1}", 'the parameters are not JSON'],
    ['{"a":1}{}', 'the parameters are not JSON'],
  ])('refuses %j', async (json, message) => {
    expectFailure(await mop(['sandbox', 'encrypt', json]), 2, message, 'pass an object');
    const asJson = await mop(['sandbox', 'encrypt', json, '--json']);
    expect([asJson.code, asJson.stdout]).toEqual([2, '']);
    expect(errorOf(asJson)).toMatchObject({ code: 'usage', exit_code: 2 });
  });

  it('rejects a missing file', async () => {
    expectFailure(await mop(['sandbox', 'encrypt', '@/nowhere']), 2, 'cannot read "/nowhere"');
  });

  it.each([
    [['encrypt'], "missing required argument 'json'"],
    [['encrypt', '{}', '{}'], 'too many arguments'],
    [['encrypt', '{}', '--port', '0'], 'encrypt takes no --port'],
    [['--port', '0', 'encrypt', '{}'], 'encrypt takes no --port'],
    [['--log', 'encrypt', '{}'], 'encrypt takes no --log'],
    [['encrypt', '{}', '--bar'], "unknown option '--bar'"],
    [['foo'], "too many arguments for 'sandbox'"],
    [['--port', '0', 'foo'], "too many arguments for 'sandbox'"],
    [['encrypted', '{}'], "too many arguments for 'sandbox'"],
  ])('mop sandbox %j is bad usage', async (argv, message) => {
    expectFailure(await mop(['sandbox', ...argv]), 2, message);
  });
});

describe('mop sandbox', () => {
  it('serves with its options', async () => {
    const stop = new AbortController();
    const running = mop(['sandbox', '--port', '0', '--rows', '3', '--json'], {
      signal: stop.signal,
    });
    stop.abort(new Error('enough'));
    const { stdout } = await running;
    expect(JSON.parse(stdout)).toMatchObject({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: 'sandbox',
    });
  });
});
