import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import {
  MAX_API_KEY_LENGTH,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_SEQ_ID_LENGTH,
  SIGN_LENGTH,
} from '../../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  SYNC_PATH,
} from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { signBody } from '../../signing/body-mode.ts';
import { signHeaders } from '../../signing/header-mode.ts';

/** The fields of the signed examples. The sandbox accepts them only at their timestamp. */
const SIGNED_BODY = '{"slat":30.10,"slon":120.16}';
const SIGNED_FIELDS = {
  seqId: '9f1b8c52-6a0e-4f0f-9a55-0c7f0e1b2d3c',
  timestamp: 1_795_147_506,
  nonce: 'k3JxQ9mTzA',
};

const DIGEST = `Append the api secret to it without a separator. The MD5 of the result in UTF-8, as ${SIGN_LENGTH} upper-case hexadecimal digits, is the signature.`;

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

export interface BodySignature {
  readonly protocol: string;
  readonly field: string;
  readonly description: string;
  readonly example: SignedExample;
}

/** The signature of body mode (D1 5.1). OpenAPI has no security scheme for a field of the body. */
export function bodySignature(): BodySignature {
  const { body, canonical, sign } = signBody(SIGNED_BODY, SANDBOX_CREDENTIALS, SIGNED_FIELDS);
  return {
    protocol: PROTOCOL_VERSION.body,
    field: 'sign',
    description: `Leave out \`sign\` and every field whose value is null. Sort the fields by name in ascending lexicographic order, and join them as \`name=value\` with \`&\`. The value of an object or array is its JSON text. ${DIGEST}`,
    example: {
      path: ADDRESS_PREFIX.body + SYNC_PATH,
      secret: SANDBOX_CREDENTIALS.secret,
      string_to_sign: canonical,
      sign,
      body,
    },
  };
}

/**
 * The headers of header mode (D1 5.2). As parameters, tools would send values that the proxy keeps.
 */
export function headerSchemes() {
  const { canonical, sign, headers } = signHeaders(SIGNED_BODY, SANDBOX_CREDENTIALS, SIGNED_FIELDS);
  const example: SignedExample = {
    path: ADDRESS_PREFIX.header + SYNC_PATH,
    secret: SANDBOX_CREDENTIALS.secret,
    string_to_sign: canonical,
    sign,
    headers,
    body: SIGNED_BODY,
  };
  return {
    version: headerScheme(
      SIGN_HEADERS.version,
      `The version of the signature protocol: \`${PROTOCOL_VERSION.header}\`. The platform refuses a request without it.`,
    ),
    apiKey: headerScheme(
      SIGN_HEADERS.apiKey,
      `The identifier of the provider: up to ${MAX_API_KEY_LENGTH} characters.`,
    ),
    timestamp: headerScheme(
      SIGN_HEADERS.timestamp,
      `The send time as Unix time in seconds or milliseconds, within ${MAX_CLOCK_SKEW_SECONDS} s of the clock of the server.`,
    ),
    seqId: headerScheme(
      SIGN_HEADERS.seqId,
      `The unique serial number of the request: up to ${MAX_SEQ_ID_LENGTH} characters, a UUID by preference.`,
    ),
    nonce: headerScheme(SIGN_HEADERS.nonce, 'A random string against replays. It is optional.'),
    sign: {
      ...headerScheme(
        SIGN_HEADERS.sign,
        `The signature. Take all fields of the body, and all \`X-TMS-*\` headers but \`${SIGN_HEADERS.sign}\`, with their names unchanged. Of a multipart form, take the fields that are not files. Sort them by name in ascending lexicographic order, and join them as \`name=value\` with \`&\`. Include empty values. ${DIGEST}`,
      ),
      'x-example': example,
    },
  };
}

function headerScheme(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

/** None through `mop proxy`; otherwise all headers, with or without the nonce. */
export const HEADER_SECURITY: OpenApi.SecurityRequirementObject[] = [
  {},
  { version: [], apiKey: [], timestamp: [], seqId: [], sign: [] },
  { version: [], apiKey: [], timestamp: [], seqId: [], nonce: [], sign: [] },
];
