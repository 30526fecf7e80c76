import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runBatch } from '../../../src/cli/context/batch.ts';
import { createContext } from '../../../src/cli/context/context.ts';
import { MopError } from '../../../src/errors.ts';
import { outputStream } from '../../support/cli.ts';

describe('an interrupted batch', () => {
  it('prints the finished lines, and an error for each of the others', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const error = new MopError('interrupted', 'interrupted');
    const begun: string[] = [];
    const work = async (line: string) => {
      begun.push(line);
      if (line === '4') setImmediate(() => controller.abort(error));
      // The second line ends only with the signal; the lines after it are done immediately.
      if (line === '1') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
      return { json: line };
    };
    const stdout = outputStream(new PassThrough({ encoding: 'utf8' }));
    const stderr = outputStream(new PassThrough());
    const io = {
      ...{ env: {}, stdin: new PassThrough(), stdout, stderr, signal },
      now: Date.now,
      sleep: async () => {},
    };
    const text = Array.from({ length: 100 }, (_, index) => `${index}\n`).join('');
    const chunks = Readable.from([Buffer.from(text)]);
    const running = runBatch(chunks, { work, concurrency: 4 }, createContext(io, {}, []));
    await expect(running).rejects.toMatchObject({
      code: 'interrupted',
      message: 'interrupted: 4 lines done, 1 not finished',
    });
    expect(begun).toEqual(['0', '1', '2', '3', '4']);
    const [first, second, ...others] = stdout.read().trim().split('\n');
    expect([first, ...others]).toEqual(['0', '2', '3', '4']);
    expect(JSON.parse(second).error).toMatchObject({ code: 'interrupted', exit_code: 130 });
  });
});
