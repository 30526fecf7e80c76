import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import type { DiagnosisId, NamedSecret } from '../../../src/signing/diagnosis/mistake.ts';
import type { ReceivedRequest } from '../../../src/signing/received-request.ts';
import { type Vector, vectorOf } from '../../../src/signing/verification/vector.ts';
import { examineSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import {
  bareRequest,
  caseOf,
  headerRequest,
  RICH_BODY,
  RICH_FORM,
  RICH_HEADERS,
  variantsOf,
} from '../diagnosis/support.ts';
import { credentials } from '../helpers.ts';

const schema = JSON.parse(
  await readFile(new URL('../../vectors/vector.schema.json', import.meta.url), 'utf8'),
) as object;
const validate = new Ajv2020({ formats: {}, strict: false }).compile(schema);

const OWN = { name: 'own', secret: credentials.secret.replace('0', 'z') };
const OTHER = { name: 'other', secret: 'hidden-elsewhere' };

/** The request with another signature. */
function resigned(request: ReceivedRequest, signature: string): ReceivedRequest {
  const [[, old] = ['', '']] = (request.headers ?? []).filter(([name]) => name === 'X-TMS-Sign');
  const own = old === '' ? /"sign":"(\w+)"/.exec(String(request.body))?.[1] : old;
  if (own === undefined) throw new Error('the request has no signature');
  return {
    ...request,
    headers: request.headers?.map(([name, value]) => [name, value === own ? signature : value]),
    body: typeof request.body === 'string' ? request.body.replace(own, signature) : request.body,
  };
}

/** The vector of the request, signed with {@link OWN} and one mistake. */
function vectorFor(request: ReceivedRequest, id?: DiagnosisId, title = '') {
  const { evidence, right } = caseOf(request, undefined, [OTHER]);
  const own = right.with({ secret: OWN.secret });
  const variant =
    id && variantsOf(id, evidence).find((candidate) => candidate.title.includes(title));
  const wrong = resigned(request, (variant ? variant.change(own) : own).signature);
  return vectorFrom(wrong, [OWN, OTHER]);
}

function vectorFrom(request: ReceivedRequest, secrets: readonly NamedSecret[]) {
  const examination = examineSignature(request, secrets, { now: 0 });
  return { examination, vector: vectorOf(request, examination, secrets) };
}

/** The verdict on a vector. */
async function verdictOn({ request, secret, other_secrets = [] }: Vector) {
  const head = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bytes = Buffer.from(request.body, 'base64');
  const capture = await readCapture(
    Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${head}\r\n`), bytes]),
  );
  const secrets = [secret, ...other_secrets].map((text, index) => ({
    name: `${index}`,
    secret: text,
  }));
  return verifySignature(capture, secrets, { now: 0 });
}

describe('a vector', () => {
  // The trials save a vector of every mistake.
  it.each<[string, ReceivedRequest, DiagnosisId | undefined, string]>([
    ['signed right', RICH_BODY, undefined, ''],
    ['signed right in header mode', RICH_HEADERS, undefined, ''],
    ['signed right with files', RICH_FORM, undefined, ''],
    ['of a secret with a line end', RICH_BODY, 'secret-whitespace', 'line end'],
    ['of another secret', RICH_HEADERS, 'secret-other-profile', ''],
    ['of a secret sorted in', RICH_BODY, 'secret-sorted-in', ''],
    ['of header names', RICH_HEADERS, 'header-name-case', 'lower case'],
    ['of a file', RICH_FORM, 'multipart-file-included', 'with their content'],
  ])('%s matches the schema, and has the same verdict', async (_, request, id, title) => {
    const { vector, examination } = vectorFor(request, id, title);
    if (!vector) throw new Error('no vector');
    const { mode, diagnosis, valid } = examination.verdict;
    expect(diagnosis.map((mistake) => mistake.id)).toEqual(id === undefined ? [] : [id]);
    expect(validate({ mode, vectors: [vector] }), validate.errors?.[0]?.message).toBe(true);
    expect(vector.result).toBe(valid ? 'valid' : 'invalid');
    const again = await verdictOn(vector);
    expect(again.diagnosis.map(({ id, fields }) => ({ id, fields }))).toEqual(vector.diagnosis);
    expect(again.valid).toBe(valid);
    expect(again.canonical).toBe(vector.stages.canonical);
    expect(again.expected).toBe(vector.signature);
  });

  it('does not contain the secrets', () => {
    for (const id of [undefined, 'secret-sorted-in', 'secret-other-profile'] as const) {
      const { vector } = vectorFor(RICH_BODY, id);
      const text =
        JSON.stringify(vector) + Buffer.from(vector?.request.body ?? '', 'base64').toString();
      expect(text).toContain('0123456789abcdef0123456789abcdef');
      expect(text).not.toContain(OWN.secret);
      expect(text).not.toContain(OTHER.secret);
      expect(text.includes('fedcba98')).toBe(id === 'secret-other-profile');
    }
  });

  it('keeps the white space and the quotes that belong to the secret', () => {
    const padded = { name: 'own', secret: `"${OWN.secret}"\n` };
    const { right } = caseOf(RICH_BODY);
    const signed = resigned(RICH_BODY, right.with({ secret: padded.secret }).signature);
    const { vector } = vectorFrom(signed, [padded]);
    expect(vector?.secret).toBe('"0123456789abcdef0123456789abcdef"\n');
    expect(vector?.result).toBe('valid');
  });

  it('is named after the mistakes', () => {
    expect(vectorFor(RICH_BODY).vector).toMatchObject({ id: 'valid', comment: 'signed right' });
    expect(vectorFor(RICH_BODY, 'secret-joined', '&key=').vector).toMatchObject({
      id: 'secret-joined',
      comment: 'the api secret was appended after "&key=" instead of directly',
      diagnosis: [{ id: 'secret-joined', fields: [] }],
    });
  });

  it('is missing when nothing explains the signature', () => {
    const wrong = resigned(bareRequest('{"a":"1"}'), 'F'.repeat(32));
    expect(vectorFrom(wrong, [OWN]).vector).toBeUndefined();
  });

  it.each<[string, Partial<ReceivedRequest>, DiagnosisId, string]>([
    ['the address', { url: 'http://127.0.0.1/open/v1/x' }, 'pairs-joined', 'preceded by "/x"'],
    ['the method', { method: 'PUT' }, 'pairs-joined', 'preceded by "PUT"'],
    ['a header', { headers: [['User-Agent', 'x']] }, 'field-extra', 'User-Agent=x'],
  ])('is missing when the mistake is in %s, which a vector lacks', (_, parts, id, title) => {
    const { vector, examination } = vectorFor({ ...bareRequest('{"a":1}'), ...parts }, id, title);
    expect(examination.verdict.diagnosis.map((mistake) => mistake.id)).toEqual([id]);
    expect(vector).toBeUndefined();
  });

  it('keeps only the headers of the signature and Content-Type', () => {
    const { body, headers = [] } = headerRequest('{"a":1}');
    const noisy: ReceivedRequest = {
      body,
      headers: [['Cookie', 'private'], ['content-type', 'application/json; x'], ...headers],
    };
    const { vector } = vectorFrom(noisy, [{ name: 'own', secret: credentials.secret }]);
    expect(vector?.request.headers.map(([name]) => name)).toEqual([
      'content-type',
      ...headers.map(([name]) => name),
    ]);
  });
});

describe('the body of a vector', () => {
  const own = [{ name: 'own', secret: credentials.secret }];
  const bodyOf = (body: string): string | undefined => {
    const { vector } = vectorFrom({ body }, own);
    return vector && Buffer.from(vector.request.body, 'base64').toString();
  };
  const { right } = caseOf(bareRequest('{"a":1.0,"n":{"sign":"x"}}'));
  const { signature } = right;

  it.each([
    ['white space', `{ "a" : 1.0,\n "sign" :  "${signature}", "n": {"sign":"x"} }\n`],
    ['escapes', `{"a":1.0,"n":{"s\\u0069gn":"x"},"sign":"${signature}"}`],
    ['an escape in its name', `{ "a":1.0, "n":{"sign":"x"}, "s\\u0069gn":"${signature}"}`],
  ])('keeps %s', (_, body) => {
    // The dummy secret is the secret of this test, so the signature stays the same.
    expect(bodyOf(body)).toBe(body);
  });

  it('is printed again when its signature has an escape', () => {
    const escaped = `\\u00${signature.charCodeAt(0).toString(16)}${signature.slice(1)}`;
    expect(bodyOf(`{ "a":1.0, "n":{"sign":"x"}, "sign":"${escaped}"}`)).toBe(
      `{"a":1.0,"n":{"sign":"x"},"sign":"${signature}"}`,
    );
  });

  it('replaces the signature of the body, not a nested field sign', () => {
    const inner = bareRequest('{"n":{"sign":"ABC"}}');
    const sign = caseOf(inner).right.signature;
    const lower = sign.toLowerCase();
    const body = bodyOf(String(inner.body).replace(sign, lower));
    expect(body).toBe(`{"n":{"sign":"ABC"},"sign":"${lower}"}`);
  });
});
