import { describe, expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { pointAt } from '../../support/platform.ts';
import { startMop } from '../../support/process.ts';
import { checkRows } from '../../support/rows.ts';
import { serve } from '../../support/server.ts';
import { expectFailure } from '../support.ts';

const MIB = 1024 ** 2;

/** Makes an answer so large that its rows stay text: more than 1 MiB. */
const PAD = `"pad":"${'x. '.repeat(MIB)}"`;

const SECRET = 'a "secret" of canary-1234';

/** Runs `mop call`, which receives this answer. */
async function call(answer: string, args: readonly string[] = []) {
  const { url, requests } = await serve((_, response) => response.end(answer));
  const env = { ...pointAt(url), MOP_API_SECRET: SECRET };
  return { ...(await mop(['call', 'x', ...args], { env })), requests };
}

describe('mop call with a large answer', () => {
  it('prints the whole envelope of a success and of a failure, once', async () => {
    for (const [result, exit] of [
      [0, 0],
      [1001, 5],
    ]) {
      const text = `{"data":{"n":1.0},${PAD},"message":"m","code":${result}}`;
      const { code, stdout, requests } = await call(text, ['--envelope', '--retries', '2']);
      expect([code, stdout === `${text}\n`, requests.length]).toEqual([exit, true, 1]);
    }
  });

  it('redacts secrets', async () => {
    const descriptor = `"authorization":"canary-5678","download_url":"https://host/path?sign=canary"`;
    const echoed = JSON.stringify(`it is ${SECRET}.`).slice(1, -1);
    const long = `${'y'.repeat(70_000)}${echoed}`.repeat(5);
    const data = `{"a":{${descriptor}},"b":["${echoed}","\\u0061${echoed.slice(1)}"],"c":"${long}","d":{"${echoed}":1}}`;
    for (const args of [[], ['--envelope']]) {
      const { code, stdout } = await call(`{"code":0,"data":${data},${PAD}}`, args);
      expect(code).toBe(0);
      expect(stdout).not.toContain('canary');
      expect(JSON.stringify(JSON.parse(stdout)).slice(0, 300)).toContain(
        '{"authorization":"<redacted>","download_url":"https://host/path?<redacted>"}',
      );
    }
  });

  it('prints nothing for an answer that is not a success', () =>
    checkRows<[answer: string, code: number, message: string, hint?: string, args?: string[]]>(
      [
        [`{"code":1001,${PAD},"data":{}}`, 5, 'the platform answered 1001'],
        [`{"code":0,${PAD},"data":[1]}`, 5, 'data is not an object'],
        [`{"code":0,${PAD}`, 5, 'is not a JSON envelope'],
        [
          `{"code":0,${PAD}}`,
          5,
          'more than 2097153 bytes',
          '--max-response',
          ['--max-response', '2097153'],
        ],
      ],
      async ([answer, code, message, hint = '', args = []]) => {
        expectFailure(await call(answer, args), code, message, hint);
      },
      ([, , message]) => message,
    ));

  it('prints 24 MiB of rows with a small heap', async () => {
    const rows = '{"id":1,"amount":1.0,"driver":{"name":"Li Lei"}},'.repeat(520_000);
    const { url } = await serve((_, response) =>
      response.end(`{"code":0,"data":{"rows":[${rows}null]}}`),
    );
    const env = { ...pointAt(url), MOP_API_SECRET: SECRET };
    // Parsed, the rows would take more than 1 GiB.
    const { ended } = startMop(['call', 'x'], env, { node: ['--max-old-space-size=256'] });
    const { code, stdout } = await ended;
    expect([code, stdout === `{"rows":[${rows}null]}\n`]).toEqual([0, true]);
  });

  it('refuses more than 16 MiB for other commands and for a batch', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(17 * MIB)));
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
