import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { silentServer } from '../http/support.ts';
import { errorOf, temporaryDirectory } from '../support/cli.ts';
import {
  type Answer,
  pointAt,
  type ScriptedPlatform,
  scriptedPlatform,
} from '../support/platform.ts';
import {
  ENDS,
  expectFailure,
  expectStored,
  faultyPlatform,
  fetchInto,
  head,
  raw,
} from './support.ts';

const QUICK = ['--timeout', '0.1', '--retries', '0'];
const NO_ANSWER = /^127\.0\.0\.1:\d+ sent no answer within 0\.1 s \(time-out\)$/;
const STOPPED = /^127\.0\.0\.1:\d+ stopped sending for 0\.1 s \(time-out\)$/;

/** Endless interim responses. */
const processing: Answer = ({ socket }) => {
  const more = (): void => {
    socket?.write('HTTP/1.1 102 Processing\r\n\r\n', () => {
      if (!socket.destroyed) setImmediate(more);
    });
  };
  more();
};

// undici counts in half seconds, so each case takes one or two seconds. They run concurrently.
it('a stall at any point ends after --timeout', async () => {
  const length = (good: Buffer): string => head(`Content-Length: ${good.length}`);
  const stalls: [message: RegExp, fault: Answer][] = [
    [NO_ANSWER, () => {}],
    [NO_ANSWER, raw(() => ['HTTP/1.1 200 OK\r\nX-Ha'], 'stay')],
    [STOPPED, raw((good) => [length(good)], 'stay')],
    [STOPPED, raw((good) => [length(good), good.subarray(0, 20)], 'stay')],
    [STOPPED, raw((good) => [head('Transfer-Encoding: chunked'), 'fff\r\n', good], 'stay')],
    [NO_ANSWER, processing],
    // The gzip file is complete, but the body is not.
    [STOPPED, raw((good) => [head(`Content-Length: ${good.length + 1}`), good], 'stay')],
  ];
  const expected = { code: 6, hint: /timeout/, attempts: 1 };
  const atBothEnds = ENDS.flatMap((end) =>
    stalls.map(async ([message, fault]) => {
      const gets = end === 'download' ? 1 : 0;
      await expectFailure(await faultyPlatform(end, fault), { ...expected, message, gets }, QUICK);
    }),
  );

  // A server that accepts the connection and never answers.
  const silent = `http://${await silentServer()}`;
  const silentPlatform = { env: pointAt(silent) };
  const silentFiles = await scriptedPlatform({ descriptor: { download_url: `${silent}/file` } });
  const unanswered = [silentPlatform, silentFiles].map((platform) =>
    expectFailure(platform, { ...expected, message: NO_ANSWER, gets: 0 }, QUICK),
  );
  await Promise.all([...atBothEnds, ...unanswered]);
});

/** Fetches with a short --max-time. Asserts that no output and no file remain. */
async function expectOutOfTime({ env }: ScriptedPlatform): Promise<void> {
  const directory = await temporaryDirectory();
  const result = await fetchInto(directory, ['--max-time', '0.3'], { env });
  expect([result.code, result.stdout]).toEqual([6, '']);
  expect(errorOf(result)).toMatchObject({
    message: expect.stringContaining('--max-time'),
    hint: expect.stringMatching(/./),
  });
  expect(readdirSync(directory)).toEqual([]);
}

describe('a slow drip', () => {
  /** Sends the body in pieces, with pauses well below a second. */
  const drip: Answer = async (response, _number, _request, good) => {
    response.setHeader('Content-Length', good.length);
    const size = Math.ceil(good.length / 25);
    for (let at = 0; at < good.length && !response.destroyed; at += size) {
      response.write(good.subarray(at, at + size));
      await setTimeout(100);
    }
    response.end();
  };

  it('is not ended by --timeout, regardless of its duration', async () => {
    const args = ['--timeout', '1', '--retries', '0'];
    await Promise.all(ENDS.map(async (end) => expectStored(await faultyPlatform(end, drip), args)));
  });

  it('is ended by --max-time', async () => {
    await Promise.all(ENDS.map(async (end) => expectOutOfTime(await faultyPlatform(end, drip))));
  });
});

describe('an endless answer is ended by --max-time', () => {
  /** Writes the same text repeatedly, at the speed of the reader. */
  const forever =
    (begin: string, again: string): Answer =>
    ({ socket }) => {
      socket?.write(begin);
      const goOn = (): void => {
        if (socket?.writable) socket.write(again, () => setImmediate(goOn));
      };
      goOn();
    };

  it.each<[string, Answer]>([
    ['silence', () => {}],
    ['interim responses', forever('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['empty lines before the status', forever('', '\r\n')],
    ['the extension of a chunk', forever(`${head('Transfer-Encoding: chunked')}1`, ';a=b')],
    ['trailers', forever(`${head('Transfer-Encoding: chunked')}0\r\n`, 'X: y\r\n')],
  ])('%s', async (_, fault) => {
    await Promise.all(ENDS.map(async (end) => expectOutOfTime(await faultyPlatform(end, fault))));
  });
});
