import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { call, postJson, SECONDS, start } from './support.ts';

const PATH = '/user/sync';

test('the business fields come back as they were sent, in both modes', async () => {
  const { url } = await start();
  const business =
    '{"openId":"o-1","slon":120.10,"slat":-0,"10":12345678901234567890,"2":1.10,"exp":1E+2,' +
    '"nested":{"b":[1.0,null,true],"a":"杭州/🚕"},"remark":null,"mobile":"13800000000"}';
  const answer = `{"code":0,"message":"Success","data":${business}}`;

  const { body } = signBody(business, SANDBOX_CREDENTIALS, { timestamp: SECONDS });
  const bodyMode = await postJson(`${url}/open/v1${PATH}`, body);
  expect(bodyMode.body.toString()).toBe(answer);

  const { headers } = signHeaders(business, SANDBOX_CREDENTIALS, { timestamp: SECONDS });
  const headerMode = await postJson(`${url}/api/open${PATH}`, business, headers);
  expect(headerMode.body.toString()).toBe(answer);
});

test('in header mode a field named like a common one is a business field', async () => {
  const { url } = await start();
  const body = '{"sign":"x","api_key":5,"timestamp":1}';
  const { headers } = signHeaders(body, SANDBOX_CREDENTIALS, { timestamp: SECONDS });
  const reply = await postJson(`${url}/api/open${PATH}`, body, headers);
  expect(reply.body.toString()).toBe(`{"code":0,"message":"Success","data":${body}}`);
});

test.each([
  [{ slat: 90.5 }, 1001, 'slat is not in -90 to 90'],
  [{ slat: '30.27' }, 1001, 'slat is a string, not a number'],
  [{ slon: -180.5 }, 1001, 'slon is not in -180 to 180'],
  [{ slon: {} }, 1001, 'slon is an object, not a number'],
  [{ openId: '' }, 1001, 'openId is empty'],
  [{ openId: 5 }, 1001, 'openId is a number, not a string'],
  [{ mobile: '' }, 1004, 'Mobile number invalid'],
  [{ mobile: '1380000000' }, 1004, 'Mobile number invalid'],
  [{ mobile: '138000000000' }, 1004, 'Mobile number invalid'],
  [{ mobile: '12800000000' }, 1004, 'Mobile number invalid'],
  [{ mobile: '+8613800000000' }, 1004, 'Mobile number invalid'],
  [{ mobile: true }, 1004, 'Mobile number invalid'],
])('%j is %i', async (fields, code, message) => {
  expect(await call(await start(), fields, {}, PATH)).toEqual({ code, message, data: {} });
});

test.each([
  {},
  { openId: null, slat: null, slon: null, mobile: null },
  { mobile: 13800000000 },
  { mobile: '19900000000' },
])('%j passes', async (fields) => {
  expect(await call(await start(), fields, {}, PATH)).toEqual({
    code: 0,
    message: 'Success',
    data: fields,
  });
});
