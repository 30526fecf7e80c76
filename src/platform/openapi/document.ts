import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import * as LIMITS from '../../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  documentedMode,
  SIGNATURE_MODES,
  type SignatureMode,
  SYNC_PATH,
} from '../../protocol/operations.ts';
import { findResultCode, RESULT_CODES, SUCCESS } from '../../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { signBody } from '../../signing/body-mode.ts';
import { signHeaders } from '../../signing/header-mode.ts';
import { VERSION } from '../../version.ts';
import DOCUMENT from './document.json' with { type: 'json' };
import { type DocumentedOperation, documentedOperations, filled } from './operations.ts';

export interface PlatformOpenApiOptions {
  /** The address under which operations are called, without a trailing slash. */
  readonly server: string;
  /** The day of the bill in the examples, `YYYY-MM-DD`. */
  readonly billDate: string;
}

/** A signed request, with its string to sign. */
interface SignedExample {
  readonly path: string;
  readonly secret: string;
  readonly string_to_sign: string;
  readonly sign: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text to send. */
  readonly body: string;
}

/** OpenAPI has no place for a signature in the body. */
export type PlatformOpenApi = OpenApi.Document & {
  readonly 'x-body-signature': { readonly example: SignedExample };
};

interface ModeDescription {
  /** The end of each `operationId`. */
  readonly id: string;
  readonly tag: string;
  readonly signature: string;
  readonly security: OpenApi.SecurityRequirementObject[];
}

const MODES: Readonly<Record<SignatureMode, ModeDescription>> = {
  body: {
    id: 'InBodyMode',
    tag: 'Body mode',
    signature: 'The signature is the field `sign` of the body: see `x-body-signature`.',
    security: [{}],
  },
  header: {
    id: 'InHeaderMode',
    tag: 'Header mode',
    signature: 'The empty alternative in `security` is for requests through `mop proxy`.',
    security: [
      {},
      { version: [], apiKey: [], timestamp: [], seqId: [], sign: [] },
      { version: [], apiKey: [], timestamp: [], seqId: [], nonce: [], sign: [] },
    ],
  },
};

/** The operations of the platform in both signature modes (D1), in OpenAPI 3.1. */
export function platformOpenApi({ server, billDate }: PlatformOpenApiOptions): PlatformOpenApi {
  const operations = documentedOperations(billDate);
  const values = { ...LIMITS, ...SANDBOX_CREDENTIALS, VERSION, server, resultCode: resultCode() };
  const document = filled(DOCUMENT, values);
  const paths = SIGNATURE_MODES.flatMap((mode) =>
    operations.map((operation) => [
      ADDRESS_PREFIX[mode] + operation.path,
      { post: operationObject(operation, mode) },
    ]),
  );
  const { 'x-body-signature': signature, components } = document;
  const { securitySchemes } = components;
  const sign = { ...securitySchemes.sign, 'x-example': signedExample('header') };
  return {
    ...document,
    components: { ...components, securitySchemes: { ...securitySchemes, sign } },
    paths: Object.fromEntries(paths),
    'x-body-signature': { ...signature, example: signedExample('body') },
    // The types of openapi-types also demand the schemas of OpenAPI 3.0.
  } as unknown as PlatformOpenApi;
}

/** The schema of `code`. The description lists the meanings in Markdown. */
function resultCode(): OpenApi.SchemaObject {
  const meanings = RESULT_CODES.map(({ code, meaning, action }) =>
    code === SUCCESS ? `- \`${code}\`: ${meaning}` : `- \`${code}\`: ${meaning}. ${action}`,
  );
  return {
    type: 'integer',
    enum: RESULT_CODES.map(({ code }) => code),
    description: `The result code, with the action of the provider.\n\n${meanings.join('\n')}`,
  };
}

/** The sandbox accepts the signed examples only at their timestamp. */
function signedExample(mode: SignatureMode): SignedExample {
  const sign = mode === 'body' ? signBody : signHeaders;
  const given = '{"slat":30.10,"slon":120.16}';
  const signed = sign(given, SANDBOX_CREDENTIALS, {
    seqId: '9f1b8c52-6a0e-4f0f-9a55-0c7f0e1b2d3c',
    timestamp: 1_795_147_506,
    nonce: 'k3JxQ9mTzA',
  });
  return {
    path: ADDRESS_PREFIX[mode] + SYNC_PATH,
    secret: SANDBOX_CREDENTIALS.secret,
    string_to_sign: signed.canonical,
    sign: signed.sign,
    ...('headers' in signed && { headers: signed.headers }),
    body: signed.body ?? given,
  };
}

function operationObject(
  operation: DocumentedOperation,
  mode: SignatureMode,
): OpenApi.OperationObject {
  const { id, summary, description, path } = operation;
  const { id: end, tag, signature, security } = MODES[mode];
  const documented = documentedMode(path);
  // D1 forbids neither mode.
  const note =
    documented === undefined || documented === mode
      ? []
      : [
          `The documents of the platform describe this operation in ${documented} mode. The sandbox accepts it in ${mode} mode too, unless it runs with \`--reading modes=documented\`.`,
        ];
  return {
    tags: [tag],
    operationId: id + end,
    summary,
    description: [description, ...note, signature].join(' '),
    security,
    requestBody: { required: true, content: requestContent(operation, mode) },
    responses: {
      200: successResponse(operation),
      '4XX': ref('responses', 'refused'),
      '5XX': ref('responses', 'failed'),
    },
  };
}

function requestContent(
  { request, file, examples }: DocumentedOperation,
  mode: SignatureMode,
): OpenApi.RequestBodyObject['content'] {
  const business = ref('schemas', request);
  // Unsigned first: tools generate a request from the first alternative.
  const inBody = {
    anyOf: [
      { title: 'Unsigned, through mop proxy', allOf: [business] },
      { title: 'Signed', allOf: [business, ref('schemas', 'CommonFields')] },
    ],
  };
  const fileField = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'A file. Its content is not signed.',
  } as OpenApi.SchemaObject;
  const form: OpenApi.SchemaObject = {
    type: 'object',
    properties: file === undefined ? {} : { [file]: fileField },
    additionalProperties: { type: 'string' },
  };
  return {
    'application/json': {
      schema: mode === 'body' ? inBody : business,
      examples: Object.fromEntries(
        examples.map(({ name, summary, fields }) => [name, { summary, value: fields }]),
      ),
    },
    ...(file !== undefined && mode === 'header' && { 'multipart/form-data': { schema: form } }),
  };
}

function successResponse({ data, examples }: DocumentedOperation): OpenApi.ResponseObject {
  const envelope = ref('schemas', 'Envelope');
  return {
    description:
      'The answer of the platform. `code` 0 means success. To 1002 the sandbox adds the mistakes of the signer in `data`.',
    headers: {
      'X-Mop-Diagnosis': ref('headers', 'diagnosis'),
      'X-Mop-Warning': ref('headers', 'warning'),
    },
    content: {
      'application/json': {
        schema: data
          ? { allOf: [envelope, { type: 'object', properties: { data: ref('schemas', data) } }] }
          : envelope,
        examples: Object.fromEntries(
          examples.map(({ name, summary, code, data: value = {} }) => [
            name,
            { summary, value: { code, message: findResultCode(code)?.meaning, data: value } },
          ]),
        ),
      },
    },
  };
}

/** A reference to a component of the document. */
function ref(kind: 'schemas' | 'responses' | 'headers', name: string): OpenApi.ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
}
