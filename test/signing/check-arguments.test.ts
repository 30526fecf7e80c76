import { expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { explainSignature } from '../../src/signing/explain.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { verifySignature } from '../../src/signing/verification/verify.ts';
import { credentials, usageError } from './helpers.ts';

const { secret } = credentials;
const { body } = signBody('{"a":1}', credentials);

/** A call as a program without types may make it. */
const call = (run: (...args: never[]) => unknown, ...args: readonly unknown[]) =>
  (run as (...args: readonly unknown[]) => unknown)(...args);

it.each<[title: string, run: () => unknown, message: string]>([
  ['no body', () => call(signBody, undefined, credentials), 'the body is missing'],
  ['a parsed body', () => call(signBody, { a: 1 }, credentials), 'of type object'],
  ['bytes', () => call(signBody, Buffer.from('{}'), credentials), 'the body is bytes'],
  ['a form in body mode', () => call(signBody, [], credentials), 'the body is a list'],
  ['no credentials', () => call(signBody, '{}'), 'the secret is missing'],
  ['no api key', () => call(signBody, '{}', { secret }), 'the api key is missing'],
  [
    'a parsed body in header mode',
    () => call(signHeaders, { a: 1 }, credentials),
    'of type object',
  ],
  [
    'a secret instead of credentials',
    () => call(signHeaders, '{}', secret),
    'the secret is missing',
  ],
  ['no secret', () => call(verifySignature, { body }), 'the secret is missing'],
  ['a secret in bytes', () => call(explainSignature, { body }, Buffer.from('s')), 'is bytes'],
  [
    'one secret that is missing',
    () => call(verifySignature, { body }, [secret, undefined]),
    'missing',
  ],
  ['a body instead of a request', () => call(verifySignature, body, secret), 'the body is missing'],
  ['no request', () => call(verifySignature, undefined, secret), 'the body is missing'],
  [
    'an address as a URL',
    () => call(verifySignature, { body, url: new URL('http://h') }, secret),
    'the url is of type object, not text',
  ],
  ['null for options', () => call(verifySignature, { body }, secret, null), 'options are missing'],
  [
    'null for readings',
    () => call(verifySignature, { body }, secret, { readings: null }),
    'the readings are missing',
  ],
  ['null for fields', () => call(signBody, '{}', credentials, null), 'the fields are missing'],
  [
    'null for fields in header mode',
    () => call(signHeaders, '{}', credentials, null),
    'the fields are missing',
  ],
  [
    'headers as an object',
    () => call(verifySignature, { body, headers: { 'X-TMS-Sign': 'A' } }, secret),
    'not a list of [name, value] pairs',
  ],
  [
    'a form field without a value',
    () => call(verifySignature, { body: [{ name: 'a' }] }, secret),
    'the body is neither text nor form fields',
  ],
  [
    'a file of a form without its path',
    () => call(signHeaders, [{ name: 'a', file: undefined }], credentials),
    'the body is neither text nor form fields',
  ],
  [
    'an unknown reading',
    () => call(verifySignature, { body }, secret, { readings: { 'header-name': 'as-sent' } }),
    'unknown reading "header-name"',
  ],
  [
    'an unknown value of a reading',
    () => call(explainSignature, { body }, secret, { 'header-names': 'x' }),
    'the unknown value "x"',
  ],
  [
    'more headers as an object',
    () => call(signHeaders, '{}', credentials, { headers: { a: 'b' } }),
    'not a list of [name, value] pairs',
  ],
])('%s is a usage error, not a TypeError', (_, run, message) => {
  expect(run).toThrow(usageError(message));
});

it('secrets may be a list of texts, and the second one is named in the diagnosis', () => {
  expect(verifySignature({ body }, [secret]).valid).toBe(true);
  expect(verifySignature({ body }, ['another secret', secret]).diagnosis).toMatchObject([
    { id: 'secret-other-profile', title: expect.stringContaining('secret 2') },
  ]);
});
