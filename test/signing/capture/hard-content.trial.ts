import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { readCapture, rightCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { hasRightSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import { times } from '../../trials/scale.ts';
import { fakeSource } from '../helpers.ts';

/** Values and names of a body that look like layers, responses or parts of a log. */
const PIECES = [
  '<em>',
  '</em>',
  '<b>',
  '=3D',
  '=E6=9D',
  'M-f',
  'M-^Y',
  '<E6>',
  '&quot;',
  '""',
  "''",
]
  .concat(['{"$numberLong":"4"}', '\\u676d', '\\n', '%E6%9D%AD', '+', ' ', 'eyJhIjoxfQ', '\u00a0'])
  .concat([
    'response: ',
    '{"code":0,"message":"x"}',
    'HTTP/1.1 200 OK',
    '--> POST',
    '[0xe6]',
    'sign',
  ])
  .concat(['> ', '杭', '"', '\\', '\n', '|', '```', '{', '}']);
const NAMES = [
  'a',
  'body',
  'data',
  'payload',
  'response',
  'code',
  'message',
  'params',
  'headers',
  'time',
];

const text = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 5 })
  .map((pieces) => pieces.join(''));
const inner = fc.dictionary(fc.constantFrom('x', 'body', 'data'), text, { maxKeys: 2 });
const body = fc
  .dictionary(fc.constantFrom(...NAMES), fc.oneof(text, fc.integer(), inner), {
    minKeys: 1,
    maxKeys: 4,
  })
  .map((value) => JSON.stringify(value));

const FORMS: readonly ((headers: string, body: string) => string)[] = [
  (headers, content) => `INFO ${headers} body=${content}`,
  (headers, content) => JSON.stringify({ level: 'info', headers, body: content }),
  (headers, content) => `POST /x HTTP/1.1\n${headers.replaceAll(', ', '\n')}\n\n${content}`,
  (headers, content) => `16:43 ${headers}\n16:43 ${content}\n16:44 {"code":0,"message":"ok"}`,
];
const form = fc.constantFrom(...FORMS);

async function expectRight(capture: string): Promise<void> {
  const { secret } = SANDBOX_CREDENTIALS;
  const request = await rightCapture(await readCapture(capture), secret, {});
  const right = hasRightSignature(verifySignature(request, secret, { effort: 0 }));
  expect({ capture, right }).toEqual({ capture, right: true });
}

const RUNS = { numRuns: times(800, 4000), seed: 20261128 };

it('a right body with any content is right in any text', () =>
  fc.assert(
    fc.asyncProperty(body, form, async (content, print) => {
      const signed = signBody(content, SANDBOX_CREDENTIALS, {}, fakeSource).body;
      await expectRight(signed);
      await expectRight(print('', signed));
    }),
    RUNS,
  ));

it('right headers are right beside any body', () =>
  fc.assert(
    fc.asyncProperty(body, form, async (content, print) => {
      const signed = signHeaders(content, SANDBOX_CREDENTIALS, {}, fakeSource);
      const headers = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
      await expectRight(print(headers.join(', '), signed.body ?? content));
    }),
    RUNS,
  ));
