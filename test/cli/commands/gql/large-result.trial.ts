import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GqlOptions } from '../../../../src/cli/commands/gql/gql-options.ts';
import { readingOf } from '../../../../src/cli/commands/gql/large-result.ts';
import { printResult } from '../../../../src/cli/commands/gql/print-result.ts';
import type { Context } from '../../../../src/cli/context/context.ts';
import type { Io } from '../../../../src/cli/context/io.ts';
import { Output } from '../../../../src/cli/context/output.ts';
import { MopError } from '../../../../src/errors.ts';
import { Transport } from '../../../../src/http/transport.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure } from '../../support.ts';
import { service } from './support.ts';

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: MopError | undefined;
}

/** Prints a response as if it were too large to be held in memory. */
async function printed(
  chunks: readonly (string | Uint8Array | Error)[],
  options: GqlOptions = {},
  header: Record<string, string> = {},
): Promise<Printed> {
  const reported = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof reported) => ({
    write: (data: string, done?: () => void) => {
      reported[name] += data;
      done?.();
    },
  });
  const signal = new AbortController().signal;
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  const io = { ...streams, signal, env: {} } as unknown as Io;
  const context = { io, output: new Output(io, {}) } as unknown as Context;
  const body = (async function* () {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk as Uint8Array);
    }
  })();
  const response = { status: 200, header: (name: string) => header[name], body, discard: () => {} };
  const request = { method: 'POST', url: new URL('http://host.test/'), headers: [] } as const;
  const transport = new Transport();
  onTestFinished(() => transport.close());
  const print = async (): Promise<void> => {
    const { limit, streamed } = readingOf(options, context);
    const reading = { limit, streamed: streamed && { ...streamed, over: 0 } };
    const result = await transport.read(request, response, reading, () => expect.fail('held'));
    await printResult(result, 'document', options, context);
  };
  const error = await print().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error !== undefined) expect(error).toBeInstanceOf(MopError);
  return { ...reported, error: error as MopError | undefined };
}

const DATA = '{"n":12345678901234567890,"p":1.0,"name":"名"}';
const ERRORS = '[{"message":"late","path":["a",1]}]';
const RAW = { raw: true };

describe('a response that is too large for memory', () => {
  it('takes linear time for many members', async () => {
    const errors = `[${Array(10_000).fill('{"message":"late"}').join(',')}]`;
    const members = Array.from({ length: 20_000 }, (_, index) => `"m${index}":0`);
    // Minutes, if each member read the errors again.
    const { stdout } = await printed([`{"errors":${errors},${members.join(',')},"data":{}}`]);
    expect(stdout).toHaveLength(errors.length + members.join(',').length + 23);
  });

  it('is printed in one line, with all digits', async () => {
    const text = `{"data":${DATA},"extensions":{"cost":1e2}}`;
    const spaced = `\ufeff${text.replace(/[{,]/g, '$& \n')}\n`;
    const bytes = Buffer.from(spaced);
    for (const chunks of [[spaced], Array.from(bytes, (byte) => Buffer.of(byte))]) {
      expect(await printed(chunks)).toEqual({ stdout: `${text}\n`, stderr: '', error: undefined });
      const raw = await printed(chunks, RAW);
      expect(raw).toEqual({ stdout: `${DATA}\n`, stderr: '', error: undefined });
    }
  });

  it('reports its errors at the end, before or after data', () =>
    checkRows(
      [`{"data":${DATA},"errors":${ERRORS}}`, `{"errors":${ERRORS},"data":${DATA}}`],
      async (text) => {
        for (const [options, stdout] of [
          [{}, text],
          [RAW, DATA],
        ] as const) {
          const failed = await printed([text], options);
          expect([failed.stdout, failed.stderr]).toEqual([`${stdout}\n`, '']);
          expect(failed.error?.code).toBe('graphql');
          expect(failed.error?.message).toBe('the response has an error: a.1: late');

          const allowed = await printed([text], { ...options, allowPartial: true });
          expect(allowed).toEqual({
            stdout: `${stdout}\n`,
            stderr: 'mop: warning: a.1: late\n',
            error: undefined,
          });
        }
        const several = text.replace(ERRORS, `[${ERRORS.slice(1, -1)},"second"]`);
        expect(await printed([several])).toMatchObject({
          stderr: 'mop: a.1: late\nmop: second\n',
          error: { message: 'the response has 2 errors, first: a.1: late' },
        });
      },
    ));

  it('may lack data if it has errors', async () => {
    const text = `{"errors":${ERRORS},"data":null}`;
    const options = { allowPartial: true };
    expect(await printed([text], options)).toMatchObject({
      stdout: `${text}\n`,
      error: { code: 'graphql' },
    });
    expect(await printed([`{"errors":${ERRORS}}`], RAW)).toMatchObject({
      stdout: '',
      error: { code: 'graphql' },
    });
  });

  it('that is invalid is an error, which reports a partial output', () =>
    checkRows<
      [chunks: (string | Uint8Array | Error)[], code: string, message: RegExp, options?: GqlOptions]
    >(
      [
        [['<html>'], 'api', /^host\.test answered with a body that is not JSON: [^;]+$/],
        [['{"data":[1]}'], 'api', /is not a GraphQL response$/],
        [['{"a":1}'], 'api', /is not a GraphQL response$/, RAW],
        [['{"data":{"a":', '1]}'], 'api', /not JSON: .*; the printed part is incomplete$/],
        [['{"data":{"a":1}', ''], 'api', /the text ends early at character 16; the printed part/],
        [['{"data":{"a":"', Buffer.of(0xff), '"}}'], 'api', /not UTF-8; the printed part/],
        [['{"data":{"a":"', Buffer.of(0xe5)], 'api', /not UTF-8; the printed part/],
        [
          ['{"data":{"a":1', new MopError('network', 'it broke')],
          'network',
          /^it broke; the printed/,
        ],
        [['{"errors":1,"data":{}}'], 'api', /is not a GraphQL response/],
      ],
      async ([chunks, code, message, options]) => {
        const { stdout, error } = await printed(chunks, options);
        expect([error?.code, error?.message]).toEqual([code, expect.stringMatching(message)]);
        expect(error?.message.includes('incomplete')).toBe(
          stdout !== '' && error?.details.transient === false,
        );
      },
      ([, , message]) => String(message),
    ));

  it('is rejected beyond --max-response', async () => {
    const maxResponse = 65 * 1024 ** 2;
    const block = `"${'x'.repeat(1024 ** 2)}",`;
    const chunks = ['{"data":{"a":[', ...Array.from({ length: 66 }, () => block), '1]}}'];
    const { error, stdout } = await printed(chunks, { maxResponse });
    expect(error?.message).toBe(
      'host.test answered with more than 65 MiB; the printed part is incomplete',
    );
    expect(error?.details.hint).toBe('raise --max-response if an answer can be that large');
    expect(stdout.length).toBeLessThan(maxResponse);

    const announced = await printed(chunks, { maxResponse }, { 'content-length': '200000000' });
    expect(announced.stdout).toBe('');
    expect(announced.error?.message).toBe('host.test answered with more than 65 MiB');
  });
});

describe('a response of more than 64 MiB', () => {
  const pad = `"pad":"${'x'.repeat(65 * 1024 ** 2)}"`;
  const large = () =>
    service((_, response) => {
      Readable.from([`{"extensions":{${pad}},`, `"data":${DATA},"errors":${ERRORS}}`]).pipe(
        response,
      );
    });

  it('is printed as it arrives', async () => {
    const { gql } = await large();
    const result = await gql(['{ a }', '--raw']);
    expect([result.code, result.stdout]).toEqual([14, `${DATA}\n`]);
    expect(result.stderr).toMatch(/^mop: the response has an error: a\.1: late\nhint: /);
  });

  it('is an error when more parts should follow', async () => {
    const { gql } = await service((_, response) =>
      response.end(`{"data":{${pad}},"hasNext":true}`),
    );
    const { code, stderr } = await gql(['{ a }']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('announced more parts')]);
  });

  it('needs --max-response when it is compressed', async () => {
    const { gql } = await service((_, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(`{"data":{${pad}}}`));
    });
    const { code, stderr } = await gql(['{ a }', '--raw']);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/more than 64 MiB.*\n.*--max-response/),
    ]);
    expect((await gql(['{ a }', '--raw', '--max-response', '70000000'])).code).toBe(0);
  });

  it('is rejected with --max-response, and for pages', async () => {
    const { gql } = await large();
    const raise = 'raise --max-response if an answer can be that large';
    expectFailure(await gql(['{ a }', '--max-response', '1000']), 5, 'more than 1000 bytes', raise);
    const paged =
      'query ($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';
    expectFailure(await gql([paged, '--paginate']), 5, 'more than 64 MiB', raise);
    const stream = await gql(['{ a }', '--transport', 'sse', '--max-response', '1000']);
    expectFailure(stream, 2, '--max-response limits whole responses', '');
  });
});
