import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { expect, test } from 'vitest';
import { scoreRange } from '../../src/detection/engine/score.ts';
import { MODEL_FAILURES } from '../../src/detection/engine/verdict.ts';
import {
  CATEGORIES,
  DETECT_PATH,
  DETECTION_VERSION,
  HEALTH_PATH,
  LEVELS,
  MAX_TEXT_LENGTH,
} from '../../src/protocol/detection.ts';
import { LANGUAGES } from '../../src/protocol/language.ts';
import description from '../../src/sandbox/detection/openapi.json' with { type: 'json' };
import { API_ERROR_CODES } from '../../src/sandbox/detection/routes.ts';
import { FAILED } from '../detection/support.ts';
import { type Reply, send, start } from './support.ts';

interface Example {
  readonly of: string;
  readonly schema: object;
  readonly value: unknown;
}

const OPENAPI = description as object as OpenApi.Document;

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(OPENAPI, 'openapi');

const EXAMPLES = examplesOf(OPENAPI);

test('is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(OPENAPI));
  expect([valid, errors]).toEqual([true, undefined]);
  expect(OPENAPI.openapi).toBe('3.1.0');
});

test('has the values of the protocol', () => {
  const { parameters, responses, schemas } = description.components;
  const { text } = schemas.DetectionRequest.properties;
  const { FamilyProbabilities, FailedAnalysis, Error: Refusal } = schemas;
  const ranges = LEVELS.map((level) => `${level} ${scoreRange(level)}`).join(', ');
  expect(description.info.version).toBe(DETECTION_VERSION);
  expect(Object.keys(description.paths).slice(0, 2)).toEqual([DETECT_PATH, HEALTH_PATH]);
  expect(text.maxLength).toBe(MAX_TEXT_LENGTH);
  expect(text.description).toContain(` ${MAX_TEXT_LENGTH.toLocaleString('en')} characters`);
  expect(schemas.Level.enum).toEqual(LEVELS);
  expect(schemas.Score.description).toContain(`: ${ranges}.`);
  expect(schemas.Category.enum).toEqual(CATEGORIES);
  expect(Object.keys(FamilyProbabilities.properties)).toEqual(CATEGORIES);
  expect(FamilyProbabilities.required).toEqual(CATEGORIES);
  expect(FailedAnalysis.properties.error.properties.code.enum).toEqual(MODEL_FAILURES);
  expect(Refusal.properties.error.properties.code.enum).toEqual(API_ERROR_CODES);
  expect(parameters.lang.schema.enum).toEqual(LANGUAGES);
  expect(responses.Page.headers['Content-Language'].schema.enum).toEqual(LANGUAGES);
});

test('requires every property of an object, because the service sends all of them', () => {
  const objects: OpenApi.SchemaObject[] = [];
  JSON.parse(JSON.stringify(description.components.schemas), (_, value) => {
    if (value?.type === 'object') objects.push(value);
    return value;
  });
  for (const { required, properties } of objects)
    expect(required).toEqual(Object.keys(properties ?? {}));
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
    const { content = {} } = responseOf(responses['200']);
    const answer = await send(url + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect([answer.headers['content-type']?.split(';')[0]]).toEqual(Object.keys(content));
    const other = await send(url + path, { method: 'DELETE' });
    const refusal = responseOf(responses['405']);
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

function responseOf(response: object = {}): OpenApi.ResponseObject {
  return '$ref' in response
    ? (resolved(`${response.$ref}`) as object as OpenApi.ResponseObject)
    : (response as OpenApi.ResponseObject);
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
