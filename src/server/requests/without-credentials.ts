import type { FormField } from '../../http/multipart.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import {
  CREDENTIAL_FIELDS,
  credentialsIn,
  credentialsInText,
  queryOf,
  querySecrets,
  secretsIn,
} from '../../redaction/credentials.ts';
import { REDACTED, redactFields, redactHeader, redactUrl } from '../../redaction/redact.ts';
import { secretReplacer } from '../../redaction/secrets.ts';
import { type Header, sameName } from '../../signing/header-mode.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';
import type { Layers } from '../../signing/verification/layers.ts';
import type { Vector } from '../../signing/verification/vector.ts';
import type { Exchange } from './history.ts';

/**
 * An exchange without the api secret, authorizations and the queries of links. `hide` replaces the
 * secrets of the server. Signatures stay: the page exists to show them.
 */
export function withoutCredentials<Shown extends Exchange & { readonly layers: Layers | null }>(
  exchange: Shown,
  hide: (text: string) => string,
): Shown {
  const hideGiven = secretReplacer(credentialsOf(exchange), REDACTED);
  const clean = (text: string): string => hideGiven(hide(text));
  const cleanJson = (json: string): string => clean(redactFields(json, CREDENTIAL_FIELDS));
  const { request, answer, layers, ...rest } = exchange;
  const body = request?.body;
  return {
    ...mapTexts(rest, clean),
    request: request && {
      ...mapTexts(request, clean),
      ...(request.url !== undefined && { url: clean(redactUrl(request.url)) }),
      headers: cleanHeaders(request.headers ?? [], clean),
      ...(typeof body === 'string' && { body: cleanJson(body) }),
    },
    answer: answer && {
      ...answer,
      headers: cleanHeaders(answer.headers, clean),
      body: answer.body && cleanJson(answer.body),
    },
    layers: layers && cleanLayers(layers, clean, cleanJson),
  } as Shown;
}

type Clean = (text: string) => string;

function cleanLayers(layers: Layers, clean: Clean, cleanJson: Clean): Layers {
  const shown = mapTexts(layers, clean);
  const vector = layers.vector?.vectors[0];
  return {
    ...shown,
    // The signed string may contain an altered credential, which no replacement would find.
    ...(shown.right !== layers.right && { signed: null, difference: [] }),
    vector: vector && holdsCredential(vector, cleanJson) ? null : layers.vector,
  };
}

function holdsCredential({ request }: Vector, cleanJson: Clean): boolean {
  const body = Buffer.from(request.body, 'base64').toString();
  const headers = JSON.stringify(request.headers);
  return [body, headers].some((text) => cleanJson(text) !== text);
}

function cleanHeaders(headers: readonly Header[], clean: Clean): readonly Header[] {
  return headers.map(([name, value]) => [clean(name), clean(shownValue(name, value))]);
}

function shownValue(name: string, value: string): string {
  return sameName(name, SIGN_HEADERS.sign) ? value : redactHeader(name, value);
}

/** A copy of plain data with each text replaced. */
export function mapTexts<T>(value: T, clean: Clean): T {
  if (typeof value === 'string') return clean(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, clean)) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, mapTexts(each, clean)]);
  return Object.fromEntries(entries) as T;
}

/** The credentials in an exchange: other parts of it may repeat them. */
function credentialsOf({ request, answer }: Exchange): readonly string[] {
  return [
    ...(request ? credentialsOfRequest(request) : []),
    ...credentialsOfHeaders(answer?.headers),
    ...credentialsInText(answer?.body ?? ''),
  ];
}

/** The credentials in a request, without its signature. */
export function credentialsOfRequest({ headers, url, body }: ReceivedRequest): readonly string[] {
  return [
    ...credentialsOfHeaders(headers),
    ...querySecrets(queryOf(url ?? '')),
    ...(typeof body === 'string' ? credentialsInText(body) : body.flatMap(credentialsInField)),
  ];
}

function credentialsOfHeaders(headers: readonly Header[] = []): readonly string[] {
  return headers
    .filter(([name, value]) => shownValue(name, value) === REDACTED)
    .flatMap((header) => credentialsIn([header]));
}

/** The credentials in a field of a form: the whole value, or those in a text such as JSON. */
function credentialsInField(field: FormField): readonly string[] {
  if ('file' in field) return [];
  const name = field.name.toLowerCase();
  return CREDENTIAL_FIELDS.includes(name)
    ? secretsIn(name, field.value)
    : credentialsInText(field.value);
}
