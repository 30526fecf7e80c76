import { expect, it } from 'vitest';
import { accepts, expectBothOutcomes, mutated } from './hostile.ts';
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

it('throws only usage errors for logs with errors in them', () =>
  expectBothOutcomes(mutated(SAMPLES, PIECES)));
