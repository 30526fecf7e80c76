import { MopError } from '../../../errors.ts';
import type { FormField } from '../../../http/multipart.ts';
import { MAX_SEQ_ID_LENGTH, NONCE_LENGTH } from '../../../protocol/limits.ts';
import {
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../../protocol/operations.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import { signBodyMembers } from '../../../signing/body-mode.ts';
import type { Entry, Omitted } from '../../../signing/canonical.ts';
import { type Header, signHeaderMembers, signHeaders } from '../../../signing/header-mode.ts';
import { asListed, asSent } from '../../../signing/header-name.ts';
import { portabilityWarnings } from '../../../signing/portability.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { readBody } from '../../../signing/value-text.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { parseHeader, requestContent } from '../../context/request-content.ts';
import { loadCredentials } from '../../context/secret.ts';
import { checkMode } from '../request-options.ts';
import type { SignOptions } from './sign-options.ts';

/** A signed request, in either mode, with everything that can be told about it. */
export interface SigningReport {
  readonly mode: SignatureMode;
  readonly version: string;
  readonly url: string | null;
  /** All headers to send. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON to send; null for a multipart form. */
  readonly body: string | null;
  readonly form: readonly FormField[];
  readonly entries: readonly Entry[];
  readonly omitted: readonly Omitted[];
  readonly canonical: string;
  readonly sign: string;
  /** What the platform would refuse. */
  readonly warnings: readonly string[];
  /** What other languages may write differently. */
  readonly portability: readonly string[];
  readonly secretLength: number;
}

/**
 * Signs what the options describe.
 *
 * @throws {MopError} `usage` for a body or an option that does not fit, `config` without credentials.
 */
export async function signRequest(
  body: string | undefined,
  options: SignOptions,
  context: Context,
): Promise<SigningReport> {
  const mode = options.mode ?? 'body';
  checkMode(mode, options);
  const readings = parseReadings(options.reading);
  const url = checkUrl(options.url);
  const content = await requestContent(body, options, context.io);
  if (content === undefined) {
    throw new MopError('usage', 'nothing to sign', {
      hint: `pass the body: mop sign '{"bill_type":0}', @FILE or - for stdin, or fields with -F; '{}' has none`,
    });
  }

  // Faults of the body are reported before those of the configuration.
  const members = typeof content === 'string' ? readBody(content) : [];
  const form = typeof content === 'string' ? [] : content;
  const credentials = await loadCredentials(settingsOf(context), context);
  const source = { ...freshFields, now: context.io.now };
  const { timestamp, seqId, nonce, timestampUnit, nullAs } = options;
  const common = { apiKey: context.globals.apiKey, timestamp, seqId };
  const spell = readings['header-names'] === 'as-sent' ? asSent : asListed;
  const given = options.header?.map(parseHeader) ?? [];
  const headerFields = {
    ...common,
    nonce,
    timestampUnit,
    nullAs,
    headers: given.map(([name, value]): Header => [spell(name), value]),
  };
  const signed =
    mode === 'body'
      ? signBodyMembers(
          members,
          credentials,
          { ...common, nonce: nonce === false ? undefined : nonce },
          source,
        )
      : form.length > 0
        ? signHeaders(form, credentials, headerFields, source)
        : signHeaderMembers(members, credentials, headerFields, source);
  return {
    ...signed,
    mode,
    version: PROTOCOL_VERSION[mode],
    url,
    headers: {
      // For a form the sender adds its own, with the boundary.
      ...(form.length === 0 && { 'Content-Type': 'application/json' }),
      ...('headers' in signed && signed.headers),
    },
    form,
    warnings: [
      ...limitWarnings(signed.entries, credentials),
      ...given
        .filter(([name]) => spell(name) !== name)
        .map(([name]) => `the header ${name} is sent and signed as ${spell(name)}`),
    ],
    portability: portabilityWarnings(members),
    secretLength: [...credentials.secret].length,
  };
}

/** A signed request as `--as json` shows it; its keys are stable. */
export function signedDocument(signed: SigningReport): Record<string, unknown> {
  const { mode, version, url, headers, body, entries, omitted, canonical, sign } = signed;
  const warnings = [...signed.warnings, ...signed.portability];
  const method = 'POST';
  return { mode, version, method, url, headers, body, entries, omitted, canonical, sign, warnings };
}

function checkUrl(url: string | undefined): string | null {
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new MopError('usage', `--url ${JSON.stringify(url)} is not an http or https address`, {
    hint: 'write it whole, such as https://HOST/open/v1/trade/bill',
  });
}

function limitWarnings(entries: readonly Entry[], { apiKey }: Credentials): string[] {
  const common = entries.filter(({ source }) => source !== 'business');
  const valueNamed = (name: string, header: string): string | undefined =>
    common.find((entry) => entry.name === name || entry.name.toLowerCase() === header.toLowerCase())
      ?.value;
  const nonce = valueNamed('nonce', SIGN_HEADERS.nonce);
  const seqId = valueNamed('seq_id', SIGN_HEADERS.seqId);
  const key = valueNamed('api_key', SIGN_HEADERS.apiKey);
  return [
    nonce !== undefined && [...nonce].length !== NONCE_LENGTH
      ? `the nonce has ${[...nonce].length} characters; the platform wants ${NONCE_LENGTH}`
      : '',
    seqId !== undefined && seqId.length > MAX_SEQ_ID_LENGTH
      ? `the serial number has ${seqId.length} characters; the platform takes ${MAX_SEQ_ID_LENGTH}`
      : '',
    key !== undefined && key !== apiKey
      ? `the request's api_key is ${key}, but the secret belongs to ${apiKey}`
      : '',
  ].filter((warning) => warning !== '');
}
