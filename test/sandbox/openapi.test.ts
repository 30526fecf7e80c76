import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { expect, test } from 'vitest';
import {
  DETECT_PATH,
  DETECTION_VERSION,
  HEALTH_PATH,
  MAX_TEXT_LENGTH,
} from '../../src/protocol/detection.ts';
import { OPENAPI } from '../../src/sandbox/detection/openapi.ts';
import { FAILED } from '../detection/support.ts';
import { type Reply, send, start } from './support.ts';

interface Example {
  readonly of: string;
  readonly schema: object;
  readonly value: unknown;
}

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(OPENAPI, 'openapi');

const EXAMPLES = examplesOf(OPENAPI);

test('is valid OpenAPI 3.1, of the version of the service', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(OPENAPI));
  expect([valid, errors]).toEqual([true, undefined]);
  expect([OPENAPI.openapi, OPENAPI.info.version]).toEqual(['3.1.0', DETECTION_VERSION]);
});

test('describes the name, the authentication and the refusals of every operation', () => {
  const operations = Object.values(OPENAPI.paths ?? {}).flatMap((item) =>
    [item?.get, item?.post].flatMap((operation) => operation ?? []),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { operationId, security = OPENAPI.security, responses } of operations) {
    expect([operationId, security]).toEqual([expect.any(String), []]);
    expect(Object.keys(responses ?? {})).toContainEqual(expect.stringMatching(/^4/));
  }
});

test.each(EXAMPLES)('the example $of fits its schema', ({ schema, value }) => {
  expect(problems(schema, value)).toEqual([]);
});

test('a check may request a language', () => {
  const { parameters } = OPENAPI.paths?.[DETECT_PATH]?.post ?? {};
  expect(parameters).toHaveLength(2);
  const [, { $ref: reference }] = parameters as [unknown, OpenApi.ReferenceObject];
  expect(resolved(reference)).toMatchObject({
    name: 'Accept-Language',
    in: 'header',
    schema: { type: 'string', default: 'en' },
  });
  expect(resolved(reference)).not.toHaveProperty('required');
});

test('each error code has an example', () => {
  const error = resolved('#/components/schemas/Error/properties/error/properties/code');
  const codes = EXAMPLES.flatMap(
    ({ value }) => (value as { error?: { code: string } }).error?.code ?? [],
  );
  expect([...new Set(codes)].sort()).toEqual([...(error.enum ?? [])].sort());
});

test.each([
  { text: '' },
  { text: ' \n' },
  { text: 1 },
  {},
  [],
  'text',
  { text: 'x'.repeat(MAX_TEXT_LENGTH + 1) },
])('the schema of the request refuses the same values as the service', async (value) => {
  const schema = { $ref: 'openapi#/components/schemas/DetectionRequest' };
  expect(problems(schema, value)).not.toEqual([]);
  const { url } = await start();
  expect((await post(url, JSON.stringify(value))).status).toBe(400);
});

test('a text of the maximum length fits', () => {
  const schema = { $ref: 'openapi#/components/schemas/DetectionRequest' };
  expect(problems(schema, { text: '😀'.repeat(MAX_TEXT_LENGTH) })).toEqual([]);
});

test('every form of an analysis fits its own schema only', () => {
  const schema = { $ref: 'openapi#/components/schemas/AiAnalysis' };
  const { ai_analysis: embedded } = exampleOf(`${DETECT_PATH} post 200 application/json risky`) as {
    ai_analysis: object;
  };
  const external = { provider: 'external', model: 'judge', level: 'low', score: 7, reasons: ['a'] };
  const failed = { ...FAILED, embedded };
  for (const analysis of [embedded, { ...external, status: 'ok' }, failed]) {
    expect(problems(schema, analysis)).toEqual([]);
  }
  for (const other of [
    { ...failed, embedded: undefined },
    { ...external, status: 'off' },
  ]) {
    expect(problems(schema, other)).not.toEqual([]);
  }
});

test('the examples equal the answers of the service', async () => {
  const { url } = await start();
  for (const name of ['risky', 'safe']) {
    const request = exampleOf(`${DETECT_PATH} post requestBody application/json ${name}`);
    const answer = read(await post(url, JSON.stringify(request)));
    const example = exampleOf(`${DETECT_PATH} post 200 application/json ${name}`) as object;
    // Every training gives other figures; the schema holds for all of them.
    expect({ ...answer, ai_analysis: 0 }).toEqual({ ...example, ai_analysis: 0 });
  }
  const wrong: Readonly<Record<string, string>> = {
    bad_json: '{"text": ',
    bad_body: '[]',
    missing_text: '{}',
    bad_text: '{"text": 1}',
    empty_text: '{"text": " "}',
    text_too_long: JSON.stringify({ text: 'x'.repeat(MAX_TEXT_LENGTH + 1) }),
  };
  for (const [code, body] of Object.entries(wrong)) {
    const answer = await post(url, body);
    expect(answer.status).toBe(400);
    expect(read(answer)).toEqual(exampleOf(`${DETECT_PATH} post 400 application/json ${code}`));
  }
  const foreign = await post(url, '{}', { Origin: 'https://other.example' });
  expect(foreign.status).toBe(403);
  expect(read(foreign)).toEqual(exampleOf(`${DETECT_PATH} post 403 application/json cross_site`));

  const { rules, ...health } = read(await send(url + HEALTH_PATH));
  expect(rules).toBeGreaterThan(0);
  expect(exampleOf(`${HEALTH_PATH} get 200 application/json healthy`)).toMatchObject(health);

  for (const [path, method, other] of [
    [DETECT_PATH, 'post', 'GET'],
    [HEALTH_PATH, 'get', 'POST'],
  ] as const) {
    const answer = await send(url + path, { method: other });
    expect([answer.status, answer.headers.allow]).toEqual([405, expect.any(String)]);
    const documented = exampleOf(`${path} ${method} 405 application/json method_not_allowed`);
    expect(read(answer)).toEqual(documented);
  }
});

test('every described path is served with the described type', async () => {
  const { url } = await start();
  for (const [path, item] of Object.entries(OPENAPI.paths ?? {})) {
    const { responses = {} } = item?.get ?? {};
    if (!item?.get) continue;
    const { content = {} } = responses['200'] as OpenApi.ResponseObject;
    const answer = await send(url + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect([answer.headers['content-type']?.split(';')[0]]).toEqual(Object.keys(content));
    const other = await send(url + path, { method: 'DELETE' });
    const refusal = responses['405'] as OpenApi.ResponseObject;
    expect([path, other.status, other.headers.allow]).toEqual([path, 405, expect.any(String)]);
    const type = other.headers['content-type']?.split(';')[0];
    expect([type]).toEqual(Object.keys(refusal.content ?? {}));
  }
});

/** Every example of the description, with its schema and its path. */
function examplesOf(document: OpenApi.Document): Example[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item?.[method];
      const { requestBody, responses = {} } = operation ?? {};
      const contents = [
        ['requestBody', requestBody],
        ...Object.entries(responses),
      ] as unknown as readonly [string, OpenApi.ResponseObject | undefined][];
      return contents.flatMap(([where, part]) =>
        Object.entries(part?.content ?? {}).flatMap(([type, { schema, examples = {} }]) =>
          Object.entries(examples).map(([name, example]) => ({
            of: [path, method, where, type, name].join(' '),
            schema: absolute(schema),
            value: (example as OpenApi.ExampleObject).value,
          })),
        ),
      );
    }),
  );
}

/** A schema whose references also work outside the document. */
function absolute(schema: object = {}): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
}

function resolved(pointer: string): OpenApi.SchemaObject {
  return ajv.getSchema(`openapi${pointer}`)?.schema as OpenApi.SchemaObject;
}

function problems(schema: object, value: unknown): unknown[] {
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}

function exampleOf(name: string): unknown {
  return EXAMPLES.find(({ of }) => of === name)?.value;
}

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(url + DETECT_PATH, { method: 'POST', body, headers });
}

function read({ body }: Reply): Record<string, unknown> {
  return JSON.parse(body.toString()) as Record<string, unknown>;
}
