import { expect, it } from 'vitest';
import { requestText } from '../../../src/server/debugger/typed-fields.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { verifySignature } from '../../../src/signing/verification/verify.ts';

const CREDENTIALS = { apiKey: 'key "1"', secret: 'a-secret-of-typed-fields' };
const COMMON = { seqId: 'seq-1', timestamp: '1795769010', nonce: 'abcdefghij' };
const FIELDS: Readonly<Record<string, string>> = {
  api_key: CREDENTIALS.apiKey,
  seq_id: COMMON.seqId,
  timestamp: COMMON.timestamp,
  nonce: COMMON.nonce,
  version: '2.0',
};
const BUSINESS = '{ "amount": 1.50, "10": "李", "2": {"b": 1} }';

it.each(['body', 'header'])('typed fields are a right request: %s', async (mode) => {
  const { sign } =
    mode === 'body'
      ? signBody(BUSINESS, CREDENTIALS, COMMON)
      : signHeaders(BUSINESS, CREDENTIALS, COMMON);
  const text = requestText(mode, BUSINESS, { ...FIELDS, sign });
  const request = await readCapture(text ?? '');
  expect(verifySignature(request, CREDENTIALS.secret, { effort: 0 })).toMatchObject({
    valid: true,
  });
});

it('empty fields are left out', () => {
  const fields = { ...FIELDS, nonce: '', version: '', timestamp: 'soon', sign: 'AB' };
  const start = '"api_key":"key \\"1\\"","seq_id":"seq-1","timestamp":"soon"';
  expect(requestText('body', ' {} ', fields)).toBe(`{${start},"sign":"AB"}`);
  expect(requestText('header', '', fields)).not.toMatch(/Nonce|Sign-Ver/);
});

it('a timestamp is a JSON number, a JSON string, or text', () => {
  const timestampIn = (timestamp: string) =>
    JSON.parse(requestText('body', '', { timestamp }) ?? '').timestamp;
  expect(['17', '"17"', '017', '-1'].map(timestampIn)).toEqual([17, '17', '017', -1]);
});

it.each(['[]', 'null', '{', '"a"'])('%j is not an object of business fields', (business) => {
  expect(requestText('body', business, FIELDS)).toBeUndefined();
});
