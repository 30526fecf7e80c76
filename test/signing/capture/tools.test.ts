import { describe, expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { readCapture, rightCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { hasRightSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import { fakeSource } from '../helpers.ts';
import { type SentRequest, sent } from './printers.ts';
import { TOOLS } from './tools.ts';

const BUSINESS =
  '{"city":"杭州","remark":"it\'s 5 > 3 & \\"now\\" \\\\ a/b 1+1 100% c\\nd","lat":30.25,"gone":null,"stops":[{"name":"西湖🚕","at":1.5}]}';
const signed = signHeaders(BUSINESS, SANDBOX_CREDENTIALS, {}, fakeSource);
const REQUESTS: readonly (readonly [mode: string, request: SentRequest])[] = [
  [
    'body',
    sent('/open/v1/user/sync', signBody(BUSINESS, SANDBOX_CREDENTIALS, {}, fakeSource).body),
  ],
  ['header', sent('/api/open/user/sync', signed.body ?? '', Object.entries(signed.headers))],
];

describe('a correctly signed request verifies in the text of', () => {
  const cases = TOOLS.flatMap(([tool, print]) =>
    REQUESTS.map(([mode, request]) => [tool, mode, print(request)] as const),
  );

  it.each(cases)('%s, %s mode', async (_, mode, text) => {
    const read = await readCapture(text);
    const request = await rightCapture(read, SANDBOX_CREDENTIALS.secret, {});
    const verdict = verifySignature(request, SANDBOX_CREDENTIALS.secret, { effort: 0 });
    expect({ mode: verdict.mode, right: hasRightSignature(verdict), body: request.body }).toMatchObject({ mode, right: true }); // biome-ignore format: a line
  });
});
