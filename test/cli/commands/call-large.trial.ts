import { describe, expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { pointAt } from '../../support/platform.ts';
import { checkRows } from '../../support/rows.ts';
import { serve } from '../../support/server.ts';
import { expectFailure } from '../support.ts';

/** A member that makes an answer exceed the memory limit. */
const PAD = `"pad":"${'x'.repeat(17 * 1024 ** 2)}"`;

const SECRET = 'a "secret" of canary-1234';

/** Runs `mop call`. The platform sends these parts, or breaks the connection before the last one. */
async function call(parts: readonly string[], args: readonly string[] = [], isCut = false) {
  const { url, requests } = await serve(async (_, response) => {
    for (const part of parts) await new Promise((sent) => response.write(part, sent));
    if (isCut) response.destroy();
    else response.end();
  });
  const env = { ...pointAt(url), MOP_API_SECRET: SECRET };
  return { ...(await mop(['call', 'x', ...args], { env })), requests };
}

describe('mop call with an answer of more than 16 MiB', () => {
  it('prints data with its digits, at any position in the envelope', () =>
    checkRows<[parts: string[], stdout: string]>(
      [
        [
          [`{"code":0,${PAD},"data": {"a" : [1.0, 12345678901234567890]}}`],
          '{"a":[1.0,12345678901234567890]}',
        ],
        [['{"code":0,"data":{"名":"\\u540d\\/"},', PAD, ',"message":"ok"}\n'], '{"名":"名/"}'],
        [['{"code":0,"data":null,', PAD, '}'], 'null'],
        [['{"code":0,', PAD, '}'], 'null'],
      ],
      async ([parts, expected]) => {
        const { code, stdout, stderr } = await call(parts);
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' });
      },
      ([, expected]) => expected,
    ));

  it('prints the whole envelope of a success and of a failure, once', async () => {
    for (const [result, exit] of [
      [0, 0],
      [1001, 5],
      [-1, 6],
    ]) {
      const text = `{"data":{"n":1},${PAD},"message":"m","code":${result}}`;
      const { code, stdout, requests } = await call([text], ['--envelope', '--retries', '2']);
      expect([code, stdout === `${text}\n`, requests.length]).toEqual([exit, true, 1]);
    }
  });

  it('redacts secrets', async () => {
    const descriptor = `"authorization":"canary-5678","download_url":"https://host/path?sign=canary"`;
    const echoed = JSON.stringify(`it is ${SECRET}.`).slice(1, -1);
    const long = `${'y'.repeat(70_000)}${echoed}`.repeat(5);
    const data = `{"a":{${descriptor}},"b":["${echoed}","\\u0061${echoed.slice(1)}"],"c":"${long}","d":{"${echoed}":1}}`;
    for (const args of [[], ['--envelope']]) {
      const { code, stdout } = await call([`{"code":0,"data":${data},${PAD}}`], args);
      expect(code).toBe(0);
      expect(stdout).not.toContain('canary');
      expect(JSON.stringify(JSON.parse(stdout)).slice(0, 300)).toContain(
        '{"authorization":"<redacted>","download_url":"https://host/path?<redacted>"}',
      );
    }
  });

  it('fails without printing anything', () =>
    checkRows<[parts: string[], code: number, message: string, hint?: string, args?: string[]]>(
      [
        [
          ['{"code":1001,"message":"bad",', PAD, ',"data":{}}'],
          5,
          'the platform answered 1001: bad',
        ],
        [['{"code":1002,"data":{"a":1},', PAD, '}'], 4, 'the platform answered 1002'],
        [['{"code":0,', PAD, ',"data":[1]}'], 5, 'data is not an object'],
        [['{', PAD, ',"data":{},"code":0}'], 5, 'code after its data', '--envelope'],
        [['{', PAD, '}'], 5, 'code is missing'],
        [['[', PAD, ']'], 5, 'not JSON: the document is not an object'],
        [
          ['{"code":0,', PAD, '}'],
          5,
          'more than 1000 bytes',
          '--max-response',
          ['--max-response', '1000'],
        ],
        [
          ['{"code":0,', PAD, '}'],
          5,
          'more than 16777217 bytes',
          '--max-response',
          ['--max-response', '16777217'],
        ],
      ],
      async ([parts, code, message, hint = '', args = []]) => {
        const result = await call(parts, args);
        expectFailure(result, code, message, hint);
        expect(result.stdout).toBe('');
        expect(result.stderr).not.toContain('incomplete');
      },
      ([, , message]) => message,
    ));

  it('reports that the printed part of an invalid answer is incomplete', () =>
    checkRows<[last: string, code: number, message: RegExp, isCut?: boolean]>(
      [
        ['}', 6, /broke: .*; the printed part is incomplete \(seq_id .*\)\n/, true],
        [
          '',
          5,
          /not JSON: the text ends early at character \d+; the printed part is incomplete \(seq_id .*\)\n/,
        ],
        ['}}', 5, /after the end of the document at character \d+; the printed part is inc/],
        [',"data":{}}', 5, /data occurs more than once; the printed part is incomplete/],
        [',"code":0}', 5, /code occurs 2 times/],
      ],
      async ([last, code, message, isCut]) => {
        const parts = ['{"code":0,"data":{"a":1},', PAD, last];
        const result = await call(parts, ['--retries', '2'], isCut);
        expect([result.code, result.requests.length]).toEqual([code, 1]);
        expect(result.stdout).toMatch(/^\{"a":1\}/);
        expect(result.stderr).toMatch(message);
      },
      ([last]) => last,
    ));

  it('is rejected by commands that load the whole answer, with the limit in the hint', async () => {
    const { url } = await serve((_, response) => response.end(`{"code":0,${PAD},"data":{}}`));
    const env = { ...pointAt(url), MOP_DETECT_URL: url };
    const message = 'answered with more than 16 MiB';
    for (const args of [
      ['decode', 'data', 'id'],
      ['detect', 'a text'],
    ]) {
      expectFailure(await mop(args, { env }), 5, message, 'request less data');
    }
    const batch = await mop(['call', 'x', '--batch', '-'], { env, stdin: '{}' });
    expect(batch.code).toBe(5);
    expect(batch.stderr).toContain(message);
    expect(batch.stderr).toContain('raise --max-response');
  });
});
