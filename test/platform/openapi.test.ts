import { createHash } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { expect, it } from 'vitest';
import { platformOpenApi } from '../../src/platform/openapi/document.ts';
import { ADDRESS_PREFIX, SIGN_HEADERS, type SignatureMode } from '../../src/protocol/operations.ts';
import { AUTHENTICATION_ERROR, RESULT_CODES, SUCCESS } from '../../src/protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import type { BillService } from '../../src/sandbox/bill-operation.ts';
import { platformOperations } from '../../src/sandbox/operation-routes.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import {
  BILL,
  callForm,
  callHeaders,
  type Envelope,
  envelopeOf,
  filePart,
  formBody,
  post,
  postJson,
  SECONDS,
  send,
  start,
  textPart,
} from '../sandbox/support.ts';
import { testTable } from '../support/rows.ts';

const DOCUMENT = platformOpenApi({ server: 'http://127.0.0.1:7801', billDate: BILL.bill_date });

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(DOCUMENT, 'openapi');

type Fields = Readonly<Record<string, unknown>>;

interface Json {
  /** Both examples of body mode: unsigned and signed. */
  readonly schema: { readonly anyOf?: readonly AllOf[] };
  readonly examples: Readonly<Record<string, { readonly value: Fields }>>;
}

interface AllOf {
  readonly allOf: readonly { readonly $ref: string }[];
}

interface Content {
  readonly content: { readonly 'application/json': Json; readonly 'multipart/form-data'?: object };
}

interface PostObject {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly requestBody: Content;
  readonly responses: { readonly 200: Content };
}

type SignedExample = (typeof DOCUMENT)['x-body-signature']['example'];

/** The parts of the document, with types that need no checks. */
const { paths, components } = DOCUMENT as unknown as {
  readonly paths: Readonly<Record<string, { readonly post: PostObject }>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties: Readonly<Record<string, OpenApi.SchemaObject>> }>
    >;
    readonly securitySchemes: Readonly<
      Record<string, { readonly name: string; readonly 'x-example'?: SignedExample }>
    >;
  };
};

/** Each operation in each mode, with its examples and its schemas. */
const OPERATIONS = Object.entries(paths).map(([address, { post: operation }]) => {
  const mode: SignatureMode = address.startsWith(ADDRESS_PREFIX.body) ? 'body' : 'header';
  const pointer = `openapi#/paths/${address.replaceAll('/', '~1')}/post`;
  const schema = 'content/application~1json/schema';
  const { requestBody, responses } = operation;
  return {
    address,
    mode,
    path: address.slice(ADDRESS_PREFIX[mode].length),
    operation,
    requests: requestBody.content['application/json'].examples,
    answers: responses[200].content['application/json'].examples,
    fitsRequest: validator(`${pointer}/requestBody/${schema}${mode === 'body' ? '/anyOf/0' : ''}`),
    fitsAnswer: validator(`${pointer}/responses/200/${schema}`),
  };
});

const EXAMPLES = OPERATIONS.flatMap(({ requests, ...operation }) =>
  Object.entries(requests).map(([name, { value }]) => ({ ...operation, name, fields: value })),
);

it('is valid OpenAPI 3.1 and names its server', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(DOCUMENT));
  expect([valid, errors]).toEqual([true, undefined]);
  expect(DOCUMENT.servers).toMatchObject([{ url: 'http://127.0.0.1:7801' }]);
});

it('contains exactly the operations of the sandbox, in both modes', () => {
  const served = [...platformOperations({} as BillService).keys()];
  expect(Object.keys(paths).sort()).toEqual(
    Object.values(ADDRESS_PREFIX)
      .flatMap((prefix) => served.map((path) => prefix + path))
      .sort(),
  );
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('contains every result code, with its meaning and action', () => {
  const documented = components.schemas.Envelope?.properties.code;
  expect(documented?.enum).toEqual(RESULT_CODES.map(({ code }) => code));
  for (const { code, meaning, action } of RESULT_CODES) {
    const end = code === SUCCESS ? '\n' : `. ${action}`;
    expect(documented?.description).toContain(`- \`${code}\`: ${meaning}${end}`);
  }
});

it.each(OPERATIONS)('$address: the first example succeeds', ({ requests, answers }) => {
  expect(Object.keys(requests)).toEqual(Object.keys(answers));
  expect(Object.values(answers)[0]?.value).toMatchObject({ code: SUCCESS });
});

it.each(EXAMPLES)(
  '$address: the sandbox answers the example $name as documented',
  async ({ mode, path, name, fields, answers, fitsRequest, fitsAnswer }) => {
    expect(fitsRequest(fields)).toBe(true);
    const documented = answers[name]?.value as unknown as Envelope;
    expect(fitsAnswer(documented)).toBe(true);

    const answer = await callOperation(mode, path, fields);
    expect(fitsAnswer(answer)).toBe(true);
    expect(answer.code).toBe(documented.code);
    // The descriptor of a bill has a link to the running sandbox.
    if (path === '/trade/bill') {
      expect(Object.keys(answer.data)).toEqual(Object.keys(documented.data));
    } else {
      expect(answer.data).toEqual(documented.data);
    }
  },
);

/** The operations in body mode, each with the name of the schema of its business fields. */
const IN_BODY = OPERATIONS.filter(({ mode }) => mode === 'body').map(
  ({ path, requests, operation: { requestBody } }) => {
    const [unsigned] = requestBody.content['application/json'].schema.anyOf ?? [];
    return { path, requests, schema: unsigned?.allOf[0]?.$ref.split('/').at(-1) ?? '' };
  },
);

testTable(
  'the sandbox enforces the limits of the fields of requests',
  [
    ...IN_BODY,
    ...IN_BODY.slice(0, 1).map((operation) => ({ ...operation, schema: 'CommonFields' })),
  ].flatMap((row) =>
    Object.entries(components.schemas[row.schema]?.properties ?? {}).flatMap(([field, limits]) =>
      violations(limits).map((value) => ({ ...row, field, value })),
    ),
  ),
  ({ schema, field, value }) => `${schema} ${field} ${JSON.stringify(value)}`,
  async ({ path, requests, schema, field, value }) => {
    const [example] = Object.values(requests);
    const fields = { ...example?.value, [field]: value };
    const fits = validator(`openapi#/components/schemas/${schema}/properties/${field}`);
    expect(fits(value)).toBe(false);
    const { code } = await callOperation('body', path, fields);
    expect(code).not.toBe(SUCCESS);
    // The request has a valid signature, unless the signature is the tested field.
    if (field !== 'sign') expect(code).not.toBe(AUTHENTICATION_ERROR);
  },
);

it('the sandbox accepts the signed examples at their timestamps', async () => {
  const inBody = DOCUMENT['x-body-signature'].example;
  const inHeaders = components.securitySchemes.sign?.['x-example'];
  expect(validator('openapi#/components/schemas/CommonFields')(JSON.parse(inBody.body))).toBe(true);
  for (const example of [inBody, inHeaders]) {
    const { path, secret, string_to_sign: text, sign, headers, body } = example as SignedExample;
    const digest = createHash('md5').update(text + secret);
    expect(digest.digest('hex').toUpperCase()).toBe(sign);
    const [, seconds] = /imestamp=(\d+)/.exec(text) ?? [];
    const { url } = await start({ now: () => Number(seconds) * 1000 });
    expect(envelopeOf(await postJson(url + path, body, headers)).code).toBe(SUCCESS);
  }
});

it('describes the signature headers, which are optional for clients of the proxy', () => {
  const names = Object.values(components.securitySchemes).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.values(SIGN_HEADERS).sort());
  for (const { operation } of OPERATIONS) expect(operation.security?.[0]).toEqual({});
});

it('a form with a file is accepted by the documented operations', async () => {
  const sandbox = await start();
  const operations = OPERATIONS.filter(
    ({ operation }) => 'multipart/form-data' in operation.requestBody.content,
  );
  expect(operations).not.toEqual([]);
  for (const { mode, path } of operations) {
    expect(mode).toBe('header');
    const form = formBody([textPart('openId', 'o-1'), filePart('photo', 'a.jpg', 'content')]);
    expect((await callForm(sandbox, { openId: 'o-1' }, form, { path })).code).toBe(SUCCESS);
  }
});

it('the sandbox serves the document with its own address and the newest bill', async () => {
  const { url } = await start();
  const reply = await send(`${url}/platform/openapi.json`);
  expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    200,
    'application/json',
    'no-cache',
  ]);
  const served = { server: url, billDate: BILL.bill_date };
  expect(JSON.parse(reply.body.toString())).toEqual(platformOpenApi(served));

  const head = await send(`${url}/platform/openapi.json`, { method: 'HEAD' });
  expect([head.status, head.body.length]).toEqual([200, 0]);
  const other = await send(`${url}/platform/openapi.json`, { method: 'POST' });
  expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD']);
});

/** Calls an operation with a valid signature. A common field among the fields is sent unchanged. */
async function callOperation(mode: SignatureMode, path: string, fields: Fields): Promise<Envelope> {
  const sandbox = await start();
  if (mode === 'header') return callHeaders(sandbox, fields, {}, undefined, path);
  const { sign, ...others }: Fields = { timestamp: SECONDS, ...fields };
  const { body } = signBody(JSON.stringify(others), SANDBOX_CREDENTIALS);
  const sent = sign === undefined ? body : JSON.stringify({ ...JSON.parse(body), sign });
  return post(sandbox, sent, ADDRESS_PREFIX.body + path);
}

function validator(pointer: string): (value: unknown) => boolean {
  return ajv.compile({ $ref: pointer }) as (value: unknown) => boolean;
}

/** Values just outside each limit of a schema, and a value of another type. */
function violations(limits: OpenApi.SchemaObject): unknown[] {
  const { type, minLength = 0, maxLength, pattern, minimum, maximum, enum: members } = limits;
  return [
    type === 'string' ? 1 : 'text',
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength !== undefined ? ['x'.repeat(maxLength + 1)] : []),
    ...(pattern !== undefined ? ['-'] : []),
    ...(minimum !== undefined ? [minimum - 1] : []),
    ...(maximum !== undefined ? [maximum + 1] : []),
    ...(members !== undefined ? [members.length] : []),
  ];
}
