import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withDefaults } from '../../../src/protocol/readings.ts';
import { layersInSteps } from '../../../src/server/diagnosis/search-job.ts';
import type { Exchange } from '../../../src/server/requests/history.ts';
import type { ShownExchange } from '../../../src/server/requests/page-data.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { runSearch } from '../../../src/signing/diagnosis/diagnose.ts';
import { type Header, signHeaders } from '../../../src/signing/header-mode.ts';
import { SECRET_MARK, secretHider } from '../../../src/signing/mask-secret.ts';
import type { ReceivedRequest } from '../../../src/signing/received-request.ts';
import { send } from '../../sandbox/support.ts';
import { EXCHANGE, servePages } from './support.ts';

const CREDENTIALS = { apiKey: 'my-key', secret: 'swordfish"of the+operator' };

/** The answer of `/requests/1` for an exchange, as text and parsed. */
async function shown(
  exchange: Partial<Exchange>,
): Promise<{ text: string; parsed: ShownExchange }> {
  const secrets = [{ name: 'mine', secret: CREDENTIALS.secret }];
  const { url, history } = await servePages({
    layers: async (request) =>
      runSearch(layersInSteps({ request, readings: withDefaults(), secrets })),
    hide: secretHider([CREDENTIALS.secret], SECRET_MARK),
  });
  history.add({ ...EXCHANGE, signature: 'wrong', ...exchange });
  const body = `${(await send(`${url}/requests/1`)).body}`;
  return { text: body, parsed: JSON.parse(body) as ShownExchange };
}

/** A request whose signature has spaces in nested values. */
function wronglySigned(fields: object): ReceivedRequest {
  const { sign: _, ...sent } = JSON.parse(signBody(JSON.stringify(fields), CREDENTIALS).body);
  const text = (value: unknown): string =>
    typeof value === 'object' ? JSON.stringify(value).replace(/([:,])/g, '$1 ') : String(value);
  const canonical = Object.keys(sent)
    .sort()
    .map((name) => `${name}=${text(sent[name])}`)
    .join('&');
  const digest = createHash('md5').update(canonical + CREDENTIALS.secret);
  return { body: JSON.stringify({ ...sent, sign: digest.digest('hex').toUpperCase() }) };
}

test('the difference of a request without credentials is shown', async () => {
  const { parsed } = await shown({ request: wronglySigned({ a: { b: 1 } }) });
  const { difference = [], signed, right, vector } = parsed.layers ?? {};
  expect(difference.map(({ theirs }) => theirs).join('')).toBe(signed);
  expect(difference.map(({ ours }) => ours).join('')).toBe(right);
  expect(vector).toMatchObject({ mode: 'body' });
});

test.each([
  ['a field', { authorization: 'CANARY', a: { b: 1 } }],
  ['a field in another case', { Authorization: 'Basic CANARY', a: { b: 1 } }],
  ['a nested field', { a: { authorization: 'CANARY', b: [1, 2] } }],
  ['JSON in a text', { a: { b: 1 }, c: '{"authorization":"CANARY"}' }],
  ['a link', { a: { b: 1 }, download_url: 'https://files.example/b?token=CANARY' }],
  ['the api_secret', { a: { b: 1 }, api_secret: 'CANARY' }],
])('a credential in the request is hidden in every layer: %s', async (_, fields) => {
  const { text, parsed } = await shown({ request: wronglySigned(fields) });
  expect(text).not.toContain('CANARY');
  expect(parsed.layers).toMatchObject({ signed: null, difference: [], vector: null });
  expect(JSON.parse(text).layers.diagnosis).toMatchObject([{ id: 'nested-spacing' }]);
});

test('a credential in a finding is hidden', async () => {
  const fix = 'send CANARY';
  const { text } = await shown({
    request: wronglySigned({ authorization: 'Bearer CANARY' }),
    diagnosis: [{ id: 'version', title: 'signed as Bearer+CANARY', fields: ['CANARY'], fix }],
    warnings: ['Bearer CANARY'],
  });
  expect(text).not.toContain('CANARY');
});

test('credentials of headers are hidden everywhere', async () => {
  const credentials: readonly Header[] = [
    ['Authorization', 'Bearer CANARY-1'],
    ['proxy-authorization', 'Basic CANARY-2'],
    ['Cookie', 'session=CANARY-3'],
  ];
  const { text, parsed } = await shown({
    request: { headers: credentials, body: JSON.stringify({ echo: 'CANARY-1', sign: 'x' }) },
    answer: {
      headers: [
        ['Set-Cookie', 'CANARY-4=1'],
        ['Location', 'https://user:CANARY-5@files.example/b?token=CANARY-6'],
        ['Set-Cookie', 'session=CANARY-7; Path=/'],
      ],
      body: '{"echo":"Bearer CANARY-1","id":"CANARY-7"}',
      isTruncated: false,
    },
  });
  expect(text).not.toContain('CANARY');
  expect(parsed.answer?.headers[1]).toEqual(['Location', 'https://files.example/b?<redacted>']);
});

test.each([
  [
    'complete',
    '{"code":0,"data":{"authorization":"CANARY","download_url":"https://f/b?q=CANARY"}}',
  ],
  ['truncated', '{"code":0,"data":{"download_url":"https://f/b?q=CANARY","authorization":"CANA'],
  ['in a text', JSON.stringify({ data: '{"authorization":"CANARY"}' })],
  ['in XML', '<data><authorization>CANARY</authorization><other>CANARY</other></data>'],
  ['in an attribute', "<data authorization='CANARY' other='CANARY'/>"],
  ['in HTML', '<td>authorization</td><td>CANARY</td><p>CANARY</p>'],
  ['in JSONP', 'show({authorization: "CANARY", other: "CANARY"})'],
  ['in UTF-16', [...'{"authorization":"CANARY","other":"CANARY"}'].join('\0')],
  ['under another name', '{"authorization":"Basic CANARY","ticket":"CANARY"}'],
])('an answer shows no credential: %s', async (_, body) => {
  const headers: readonly Header[] = [['X-Echo', 'for CANARY']];
  const { text } = await shown({ answer: { headers, body, isTruncated: true } });
  expect(text.replaceAll('\\u0000', '')).not.toContain('CANA');
});

test.each([
  ['a form as text', 'a=1&authorization=CANARY&download_url=https%3A%2F%2Ff%2Fb%3Fq%3DCANARY'],
  ['truncated JSON', '{"a":1,"authorization":"CANARY'],
  ['a text that is not JSON', '{authorization: \'x\', "api_secret" : "CANARY"}'],
])('a body that cannot be read shows no credential: %s', async (_, body) => {
  expect((await shown({ request: { body } })).text).not.toContain('CANARY');
});

test('a form shows no credential', async () => {
  const form = [
    { name: 'authorization', value: 'CANARY' },
    { name: 'download_url', value: 'https://files.example/b?q=CANARY' },
    { name: 'place', value: 'Hangzhou' },
  ];
  const { headers } = signHeaders(form, CREDENTIALS);
  const lower = Object.entries(headers).map(
    ([name, value]): Header => [name, name === 'X-TMS-Sign' ? value.toLowerCase() : value],
  );
  const { text, parsed } = await shown({ request: { headers: lower, body: form } });
  expect(text).not.toContain('CANARY');
  expect(parsed.layers?.right).toContain('place=Hangzhou');
});

test('the query of the address is hidden', async () => {
  const url = 'https://u:CANARY@platform.example/open/v1/trade/bill?a=CANARY#CANARY';
  const { text, parsed } = await shown({ request: { url, body: '{}' } });
  expect(text).not.toContain('CANARY');
  expect(parsed.request?.url).toBe('https://platform.example/open/v1/trade/bill?<redacted>');
});

test('signatures are not hidden', async () => {
  const { body } = signBody('{"a":1}', CREDENTIALS);
  const { sign } = JSON.parse(body);
  const { parsed } = await shown({ request: { headers: [['X-Tms-Other', '1']], body } });
  expect(parsed.request?.body).toBe(body);
  expect(parsed.layers).toMatchObject({ received: sign, expected: sign });
  const { headers } = signHeaders('{"a":1}', CREDENTIALS);
  const request = { headers: Object.entries(headers), body: '{"a":1}' };
  expect((await shown({ request })).parsed.request?.headers).toEqual(Object.entries(headers));
});
