import { basename, resolve } from 'node:path';
import type { Exchange } from '../../platform/operation-client.ts';
import type { SignedRequest } from '../../platform/signed-request.ts';
import { isSignedHeaderName } from '../../protocol/operations.ts';
import { redactUrl, redactValues } from '../../redaction/redact.ts';
import { VERSION } from '../../version.ts';
import type { Caller } from './caller.ts';
import type { RefusalCause } from './refusal-cause.ts';

/** A signed call that the platform refused, stored for `mop sign verify --last`. */
export interface Refusal {
  readonly profile: string;
  readonly environment: string;
  readonly method: string;
  readonly url: string;
  /** Unix seconds, by the clock of this machine. */
  readonly sent_at: number;
  /** Unix seconds, by the clock of the platform where its answer has a `Date`. */
  readonly clock: number;
  readonly code: number;
  readonly message: string;
  /** The configuration may change before `mop sign verify --last`, so the cause is stored too. */
  readonly cause?: RefusalCause;
  /** The absolute path of `--secret-file`, if the call had this option. */
  readonly secret_file?: string;
  /** Why the file does not contain the request. */
  readonly not_kept?: string;
}

/** The limit of body, headers and form together. A larger request is not stored. */
export const MAX_CONTENT_BYTES = 1024 ** 2;
const MAX_MESSAGE_LENGTH = 500;

/** A refused call without its request, and without secrets. */
export function refusalOf(
  { request, answer, sentAt, serverTime = sentAt }: Exchange,
  cause: RefusalCause | undefined,
  { profile, environment, secretFile }: Caller,
): Refusal {
  const fault = faultOf(request);
  // The cause names the api_key, which may be the secret by mistake.
  const clean = (text: string): string => redactValues(text, request.secrets ?? []);
  return {
    profile,
    environment,
    method: request.method,
    url: redactUrl(request.url.href),
    sent_at: Math.floor(sentAt / 1000),
    clock: Math.floor(serverTime / 1000),
    code: answer.code,
    message: answer.message.slice(0, MAX_MESSAGE_LENGTH),
    ...(cause && { cause: { ...cause, reason: clean(cause.reason), fix: clean(cause.fix) } }),
    ...(secretFile !== undefined && { secret_file: resolve(secretFile) }),
    ...(fault !== undefined && { not_kept: fault }),
  };
}

/**
 * A refused call as a HAR file with one entry, for `mop sign verify`. It contains neither the
 * secret nor the content of files. A request that must not be stored is omitted.
 */
export function refusalHar(refusal: Refusal, request: SignedRequest): string {
  const entry = {
    startedDateTime: new Date(refusal.sent_at * 1000).toISOString(),
    request: {
      method: refusal.method,
      url: refusal.url,
      httpVersion: 'HTTP/1.1',
      headers: storedHeaders(request).map(([name, value]) => ({ name, value })),
      postData: postDataOf(request),
    },
  };
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'mop', version: VERSION },
      entries: refusal.not_kept === undefined ? [entry] : [],
      _mop: refusal,
    },
  });
}

/** The reason why a request must not be stored, or undefined. */
function faultOf(request: SignedRequest): string | undefined {
  const { body, form = [], sign, secrets = [] } = request;
  const texts = [
    body ?? '',
    ...storedHeaders(request).map(([, value]) => value),
    ...form.flatMap((field) => [field.name, 'file' in field ? field.file : field.value]),
  ];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_CONTENT_BYTES) return 'it is larger than 1 MiB';
  // The signature may be stored: the diagnosis needs it, and it expires after a minute.
  const hidden = secrets.filter((secret) => secret !== sign);
  const containsSecret = texts.some((text) => redactValues(text, hidden) !== text);
  return containsSecret ? 'it contains the api secret or another credential' : undefined;
}

function storedHeaders({ headers }: SignedRequest): SignedRequest['headers'] {
  return headers.filter(([name]) => isSignedHeaderName(name) || /^content-type$/i.test(name));
}

/** The content of files is not signed, and is not stored. */
function postDataOf({ body, form }: SignedRequest): object {
  if (form === undefined) return { mimeType: 'application/json', text: body ?? '' };
  const params = form.map((field) =>
    'file' in field
      ? { name: field.name, fileName: basename(field.file) }
      : { name: field.name, value: field.value },
  );
  return { mimeType: 'multipart/form-data', params };
}

/** The refusal in a HAR file that {@link refusalHar} made; undefined in any other text. */
export function refusalIn(text: string): Refusal | undefined {
  try {
    const { _mop: refusal } = JSON.parse(text).log;
    const isWhole = FIELDS.every(([name, type]) => typeof refusal[name] === type);
    return isWhole ? refusal : undefined;
  } catch {
    return undefined;
  }
}

const FIELDS: readonly (readonly [name: keyof Refusal, type: 'string' | 'number'])[] = [
  ['profile', 'string'],
  ['environment', 'string'],
  ['method', 'string'],
  ['url', 'string'],
  ['sent_at', 'number'],
  ['clock', 'number'],
  ['code', 'number'],
  ['message', 'string'],
];
