import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts, mutated } from './hostile.ts';
import {
  apacheWire,
  BODY_MODE,
  curlTrace,
  HEADER_MODE,
  jsonEscaped,
  nginxEscaped,
  okHttp,
  pythonSend,
} from './printers.ts';

const PREFIX = () => '11-22 10:00:00.123 D OkHttp: ';
const SAMPLES = [
  apacheWire(BODY_MODE, PREFIX),
  okHttp(HEADER_MODE, PREFIX),
  pythonSend(BODY_MODE),
  curlTrace(BODY_MODE, true),
  curlTrace({ ...BODY_MODE, headers: [], body: '{"a": 1,\n"sign":"AB"}' }, false),
  `< POST /x HTTP/1.1\n< Host: a\n< \n< ${BODY_MODE.body}\n> HTTP/1.1 200 OK`,
  `:method: POST\n:path: /x\nhost: a\n\n${BODY_MODE.body}`,
  `:method\nPOST\n:path\n/x\nhost\na\n\n${BODY_MODE.body}`,
  `INFO "POST /x HTTP/1.1" ${nginxEscaped(BODY_MODE.body)}`,
  `INFO {X-TMS-Sign=AB} "${jsonEscaped(HEADER_MODE.body)}"`,
  JSON.stringify({ level: 30, headers: { 'x-tms-sign': 'A' }, body: HEADER_MODE.body }),
];
const PIECES = [
  ...'\'"\\{}[]<>=:.-',
  '>> "',
  '[\\r][\\n]',
  '[0xe6]',
  '--> POST https://a/b h2',
].concat(
  ['--> END', "send: b'", '\\x', '\\u', '=> Send data, 9 bytes (0x9)', '0000: ', '\n\n', '\\\\"'],
  ['{"sign":"A"}', 'X-TMS-Sign=', '(9-byte body)', '> POST /x HTTP/1.1'],
);

it.each(SAMPLES)('reads %s', async (sample) => {
  expect(await accepts(sample)).toBe(true);
});

it('throws only usage errors for logs with errors in them', async () => {
  let accepted = 0;
  const runs = 2000;
  await fc.assert(
    fc.asyncProperty(mutated(SAMPLES, PIECES), fc.boolean(), async (text, asBytes) => {
      if (await accepts(asBytes ? Buffer.from(text, 'latin1') : text)) accepted++;
    }),
    { seed: 20261122, numRuns: runs },
  );
  // Both outcomes must be common for the test to be meaningful.
  expect(accepted).toBeGreaterThan(runs / 20);
  expect(accepted).toBeLessThan(runs - runs / 20);
});

describe('1 MiB of junk takes linear time:', () => {
  const fill = (piece: string) => piece.repeat(Math.ceil((1024 * 1024) / piece.length));

  it.each<[subject: string, start: string, piece: string]>([
    ['wire lines', '', '>> "POST /x HTTP/1.1[\\r][\\n]"\n'],
    ['wire marks', '>> "POST /x HTTP/1.1[\\r][\\n]"\n', '>> "'],
    ['wire bytes', '>> "POST /x HTTP/1.1[\\r][\\n]"\n>> "', '[0xe6]"'],
    ['headers', 'headers - >> POST /x HTTP/1.1\n', 'headers - >> POST '],
    ['arrows', '', '--> POST https://a/b '],
    ['requests of OkHttp', '', '--> POST https://a/b h2\n\n{}\n'],
    ['lines of a body', 'x --> POST https://a/b h2\nx \n', 'x {"sign":\n'],
    ['digits in a prefix', `${'1 '.repeat(150)}--> POST https://a/b h2\n`, '1 '],
    ['sends', "send: b'POST /x HTTP/1.1\\r\\n\\r\\n'\n", "send: b'{}' "],
    ['escapes of Python', "send: b'POST /x HTTP/1.1\\r\\n\\r\\n", '\\xe6\\\\'],
    ['open literals', '', "send: b'POST /x "],
    ['pieces of a trace', '', '=> Send data, 9 bytes (0x9)\n'],
    ['lines of a trace', '=> Send header, 9 bytes (0x9)\n', '0000: 61 62 63\n'],
    ['marked lines', '> POST /x HTTP/1.1\n', '> a: b\n'],
    ['marked requests', '', '> POST /x HTTP/1.1\n> \n> {}\n'],
    ['pseudo-headers', '', ':method: POST\n'],
    ['names of headers', ':method: POST\n', 'a:  '],
    ['lines of a log', '', 'INFO {"sign":"A"}\n'],
    ['objects in one line', 'INFO ', '{"sign":"A"} '],
    ['other objects', 'INFO X-TMS-Sign=A ', '{"X-TMS-A":1}\n'],
    ['open braces', 'sign ', '{"a":'],
    ['braces that are not JSON', 'sign ', '{"a"={}} '],
    ['nested braces that are not JSON', `sign ${'{"a"='.repeat(100_000)}`, '}'],
    ['escaped quotes', 'sign ', '{\\"a'],
    ['backslashes', 'sign {', '\\'],
    ['escapes of nginx', 'sign ', '{\\x22'],
    ['layers', 'sign {\\"', '\\\\\\\\"{\\"'],
    ['headers in a line', 'sign {"', 'X-TMS-A: '],
    ['spaces behind a header', 'sign {"a":1}', 'X-TMS-A     = '],
    ['changing headers', 'sign {"a":1}\n', '{"a":1} X-TMS-A=1\n'],
    ['methods', 'sign {"sign":"a"}', 'POST '],
    ['lines of JSON', '', '{"level":30,"body":"{\\"sign\\":\\"A\\"}"}\n'],
    ['strings in JSON', '{"level":30,"body":"', '{\\"'],
    ['members', '{"level":30', ',"x-tms-sign":"A"'],
  ])('%s', async (_, start, piece) => {
    await accepts(start + fill(piece));
    // A slower algorithm exceeds the time-out of the test.
  });
});
