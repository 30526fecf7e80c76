import { expect, test } from 'vitest';
import { encryptParameters } from '../../src/sandbox/encryption.ts';
import { call, callHeaders, NOW, start } from './support.ts';

const PATH = '/param/decode';

function encrypted(text: string): { encrypt_data: string; encrypt_id: string } {
  const { encryptData, encryptId } = encryptParameters(text, NOW);
  return { encrypt_data: encryptData, encrypt_id: encryptId };
}

test.each([
  '{"openId":"o-1","mobile":"13800000000"}',
  '{ "id": 12345678901234567890, "x": 1.0 ,\n "name":"杭州 🚕\\u0000/\\/" }',
  '{}',
])('%s comes back character by character, in both modes', async (text) => {
  const sandbox = await start();
  const answer = { code: 0, message: 'Success', data: { json_string: text } };
  expect(await call(sandbox, encrypted(text), {}, PATH)).toEqual(answer);
  expect(await callHeaders(sandbox, encrypted(text), {}, undefined, PATH)).toEqual(answer);
});

const GOOD = encrypted('{"openId":"o-1"}');
const UNREADABLE = 'encrypt_data cannot be decrypted with this encrypt_id';

test.each([
  [{ encrypt_data: undefined }, 'encrypt_data is missing'],
  [{ encrypt_data: null }, 'encrypt_data is missing'],
  [{ encrypt_data: '' }, 'encrypt_data is missing'],
  [{ encrypt_data: 5 }, 'encrypt_data is a number, not a string'],
  [{ encrypt_id: undefined }, 'encrypt_id is missing'],
  [{ encrypt_id: '' }, 'encrypt_id is missing'],
  [{ encrypt_id: 123456 }, 'encrypt_id is a number, not a string'],
  [{ encrypt_id: '1'.repeat(19) }, 'encrypt_id has more than 18 characters'],
  [{ encrypt_id: '1'.repeat(18) }, UNREADABLE],
  [{ encrypt_data: 'nonsense' }, UNREADABLE],
  [{ encrypt_data: encrypted('{}').encrypt_data }, UNREADABLE],
])('%j is 1001', async (change, message) => {
  const answer = { code: 1001, message, data: {} };
  expect(await call(await start(), { ...GOOD, ...change }, {}, PATH)).toEqual(answer);
});
