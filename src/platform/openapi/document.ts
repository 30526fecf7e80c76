import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import {
  ADDRESS_PREFIX,
  documentedMode,
  SIGNATURE_MODES,
  type SignatureMode,
} from '../../protocol/operations.ts';
import { findResultCode } from '../../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { VERSION } from '../../version.ts';
import { ref, string } from './build.ts';
import { type DocumentedOperation, documentedOperations } from './operations.ts';
import { SCHEMAS } from './schemas.ts';
import { type BodySignature, bodySignature, HEADER_SECURITY, headerSchemes } from './signature.ts';

export interface PlatformOpenApiOptions {
  /** The address under which operations are called, without a trailing slash. */
  readonly server: string;
  /** The day of the bill in the examples, `YYYY-MM-DD`. */
  readonly billDate: string;
}

/** OpenAPI has no place for a signature in the body. */
export type PlatformOpenApi = OpenApi.Document & { readonly 'x-body-signature': BodySignature };

interface ModeDescription {
  readonly tag: OpenApi.TagObject;
  /** The end of each `operationId`. */
  readonly id: string;
  readonly signature: string;
  readonly security: OpenApi.SecurityRequirementObject[];
}

const MODES: Readonly<Record<SignatureMode, ModeDescription>> = {
  body: {
    tag: {
      name: 'Body mode',
      description: 'Protocol 1.0: the common fields and the signature are fields of the body.',
    },
    id: 'InBodyMode',
    signature: 'The signature is the field `sign` of the body: see `x-body-signature`.',
    security: [{}],
  },
  header: {
    tag: {
      name: 'Header mode',
      description: 'Protocol 2.0: the common fields and the signature are headers.',
    },
    id: 'InHeaderMode',
    signature: 'The empty alternative in `security` is for requests through `mop proxy`.',
    security: HEADER_SECURITY,
  },
};

/** The operations of the platform in both signature modes (D1), in OpenAPI 3.1. */
export function platformOpenApi({ server, billDate }: PlatformOpenApiOptions): PlatformOpenApi {
  const operations = documentedOperations(billDate);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mobility Open Platform',
      version: VERSION,
      description: `The signed operations of a mobility service. The platform takes signed requests only. \`mop proxy\` signs: through it, send the examples without common fields, signature headers and signature. The examples are made for the sandbox (\`mop sandbox\`, key \`${SANDBOX_CREDENTIALS.apiKey}\`, secret \`${SANDBOX_CREDENTIALS.secret}\`).`,
    },
    servers: [{ url: server, description: 'The server that sent this document.' }],
    tags: SIGNATURE_MODES.map((mode) => MODES[mode].tag),
    paths: Object.fromEntries(
      SIGNATURE_MODES.flatMap((mode) =>
        operations.map((operation) => [
          ADDRESS_PREFIX[mode] + operation.path,
          { post: operationObject(operation, mode) },
        ]),
      ),
      // The type of a path in openapi-types also demands the schemas of OpenAPI 3.0.
    ) as OpenApi.PathsObject,
    components: {
      schemas: { ...SCHEMAS },
      securitySchemes: headerSchemes(),
      headers: {
        diagnosis: {
          description:
            'Sent by `mop proxy` when the request was already signed: `ok`, the ids of the mistakes separated by commas, `unexplained` for a wrong signature without a known mistake, or `unreadable`.',
          schema: { type: 'string' },
        },
        warning: {
          description:
            'Sent by `mop sandbox` and `mop proxy` when the request depends on an open point of the documents: the readings that accept it, such as `nested-json=as-sent`, and a note in parentheses. `mop help readings` explains them.',
          schema: { type: 'string' },
        },
      },
      responses: PROXY_ERRORS,
    },
    'x-body-signature': bodySignature(),
  };
}

function operationObject(
  operation: DocumentedOperation,
  mode: SignatureMode,
): OpenApi.OperationObject {
  const { id, summary, description, path } = operation;
  const { tag, signature, security } = MODES[mode];
  return {
    tags: [tag.name],
    operationId: id + MODES[mode].id,
    summary,
    description: [description, ...availability(path, mode), signature].join(' '),
    security,
    requestBody: { required: true, content: requestContent(operation, mode) },
    responses: {
      200: successResponse(operation),
      '4XX': ref('responses', 'refused'),
      '5XX': ref('responses', 'failed'),
    },
  };
}

/** A note for an operation that D1 documents in the other mode only; D1 forbids neither mode. */
function availability(path: string, mode: SignatureMode): string[] {
  const documented = documentedMode(path);
  if (documented === undefined || documented === mode) return [];
  return [
    `The documents of the platform describe this operation in ${documented} mode. The sandbox accepts it in ${mode} mode too, unless it runs with \`--reading modes=documented\`.`,
  ];
}

function requestContent(
  { request, file, examples }: DocumentedOperation,
  mode: SignatureMode,
): OpenApi.RequestBodyObject['content'] {
  const business = ref('schemas', request);
  return {
    'application/json': {
      schema: mode === 'body' ? unsignedOrSigned(business) : business,
      examples: Object.fromEntries(
        examples.map(({ name, summary, fields }) => [name, { summary, value: fields }]),
      ),
    },
    ...(file !== undefined &&
      mode === 'header' && {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { [file]: string('A file. Its content is not signed.', BINARY) },
            additionalProperties: { type: 'string' },
          },
        },
      }),
  };
}

/** Unsigned first: tools generate a request from the first alternative. */
function unsignedOrSigned(business: OpenApi.ReferenceObject): OpenApi.SchemaObject {
  return {
    anyOf: [
      { title: 'Unsigned, through mop proxy', allOf: [business] },
      { title: 'Signed', allOf: [business, ref('schemas', 'CommonFields')] },
    ],
  };
}

const BINARY = { contentMediaType: 'application/octet-stream' } as OpenApi.SchemaObject;

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

const PROXY_ERRORS = {
  refused: proxyError(
    'From `mop proxy`, which did not forward the request: 400 for a body that cannot be signed, 413 for a body that is too large; 403 for a page whose origin is not allowed, 404 for another path, 405 for another method.',
  ),
  failed: proxyError(
    'From `mop proxy`: 502 when the platform is unreachable, 504 when it does not answer.',
  ),
};

function proxyError(description: string): OpenApi.ResponseObject {
  return {
    description,
    content: { 'application/json': { schema: ref('schemas', 'ProxyError') } },
  };
}
