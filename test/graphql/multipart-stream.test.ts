import { describe, expect, it } from 'vitest';
import { multipartStream } from '../../src/graphql/result-stream.ts';
import { checkRows } from '../support/rows.ts';
import { failureOf, printed, streamOf, untilFailure } from './support.ts';

const REQUEST = { method: 'POST', url: new URL('https://h.example/graphql'), headers: [] } as const;
const TYPE = 'multipart/mixed; boundary="-"';

function partsIn(chunks: Iterable<string | Uint8Array>, type = TYPE, secrets: string[] = []) {
  const bytes = [...chunks].map((chunk) => Buffer.from(chunk));
  return multipartStream(streamOf(bytes, type), { ...REQUEST, secrets });
}

const A = '{"data":{"a":1.0,"city":"杭州 🚕"},"hasNext":true}';
const B = '{"incremental":[{"path":[],"data":{"b":"\\r\\n---"}}],"hasNext":false}';
const JSON_TYPE = 'Content-Type: application/json; charset=utf-8';

const length = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`;

/** The bodies of real servers. */
const BODIES = {
  yoga: `\r\n---\r\n${JSON_TYPE}\r\n${length(A)}\r\n\r\n${A}\r\n---\r\n${JSON_TYPE}\r\n${length(B)}\r\n\r\n${B}\r\n-----\r\n`,
  apollo: `\r\n---\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${A}\r\n---\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${B}\r\n-----\r\n`,
  helix: `---\r\n${JSON_TYPE}\r\n${length(A)}\r\n\r\n${A}\r\n\r\n---\r\n${JSON_TYPE}\r\n${length(B)}\r\n\r\n${B}\r\n\r\n-----\r\n`,
};

describe('the parts of a multipart response', () => {
  it('are read from the bodies of real servers, split at any byte', () =>
    checkRows(Object.entries(BODIES), async ([_, body]) => {
      const bytes = Buffer.from(body);
      for (let at = 0; at <= bytes.length; at++) {
        expect(await printed(partsIn([bytes.subarray(0, at), bytes.subarray(at)]))).toEqual([A, B]);
      }
      expect(await printed(partsIn([...bytes].map((byte) => Buffer.of(byte))))).toEqual([A, B]);
    }));

  it('are read in every form that the format allows', () =>
    checkRows<[name: string, type: string, body: string, parts: string[]]>(
      [
        ['no boundary', 'multipart/mixed', `---\r\n\r\n${A}\r\n-----`, [A]],
        [
          'a plain boundary',
          'multipart/mixed;boundary=abc;x=y',
          `--abc\r\n\r\n${A}\r\n--abc--`,
          [A],
        ],
        [
          'a boundary among parameters',
          'Multipart/Mixed; deferSpec=20220824; Boundary="a b"',
          `--a b\r\n\r\n${A}\r\n--a b--`,
          [A],
        ],
        [
          'a preamble and an epilogue',
          TYPE,
          `hello\r\n---\r\n\r\n${A}\r\n-----\r\nbye\r\n---\r\n`,
          [A],
        ],
        [
          'white space after a delimiter',
          TYPE,
          `--- \t\r\n\r\n${A}\r\n---  \r\nX: y\r\n\r\n${B}\r\n-----`,
          [A, B],
        ],
        [
          'an indented text',
          TYPE,
          `---\r\n\r\n{\r\n "data":\r\n {}\r\n}\r\n-----`,
          ['{"data":{}}'],
        ],
        [
          'a boundary after a parameter that contains one',
          'multipart/mixed ; x="; boundary=no\\"" ; BOUNDARY = "a\\b"',
          `--ab\r\n\r\n${A}\r\n--ab--`,
          [A],
        ],
        ['no parts', TYPE, '-----\r\n', []],
      ],
      async ([_, type, body, parts]) => {
        expect(await printed(partsIn([body], type))).toEqual(parts);
      },
    ));

  it('are yielded before the next bytes arrive', async () => {
    let resume = (): void => {};
    const more = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const body = async function* () {
      yield Buffer.from(`---\r\n\r\n${A}\r\n---`);
      await more;
      yield Buffer.from(`\r\n\r\n${B}\r\n-----`);
    };
    const parts = multipartStream({ ...streamOf([], TYPE), body: body() }, REQUEST);
    expect((await parts.next()).done).toBe(false);
    resume();
    expect(await printed(parts)).toEqual([B]);
  });

  it('that end too early are a network error, after the complete parts', () =>
    checkRows(Object.entries(BODIES), async ([_, body]) => {
      const end = body.lastIndexOf('-----');
      for (const at of [0, 1, 40, body.indexOf(B), end, end + 4]) {
        const { came, error } = await untilFailure(partsIn([body.slice(0, at)]));
        expect([error.code, error.message]).toEqual([
          'network',
          'h.example ended the response before its last part',
        ]);
        expect(came.length).toBe(at > end + 2 ? 2 : at > body.indexOf(B) - 1 ? 1 : 0);
      }
    }));

  it('that are not parts of a result are errors', () =>
    checkRows<[content: string | Uint8Array, message: string]>(
      [
        ['---\r\n\r\n{"a":"canary"}\r\n-----', 'a part that is not a GraphQL response'],
        ['---\r\n\r\n{"data":{"a"\r\n-----', 'a part that is not a GraphQL response'],
        ['---\r\n\r\n\r\n-----', 'an empty body'],
        [Buffer.from('---\r\n\r\n{"data":{"a":"\xff"}}\r\n-----', 'latin1'), 'not UTF-8'],
        [`---\r\nX: ${'y'.repeat(16_384)}\r\n\r\n${A}\r\n-----`, 'a header over 16 KiB'],
      ],
      async ([content, expected]) => {
        const { code, message } = await failureOf(() =>
          printed(partsIn([content], TYPE, ['canary'])),
        );
        expect([code, message]).toEqual(['api', expect.stringContaining(expected)]);
        expect(message).not.toContain('canary');
      },
    ));

  it('are discarded when the reader stops', async () => {
    const stream = streamOf([Buffer.from(BODIES.yoga)], TYPE);
    for await (const _ of multipartStream(stream, REQUEST)) break;
    expect(stream.discarded()).toBe(1);
  });
});
