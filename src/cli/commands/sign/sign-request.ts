import { MopError } from '../../../errors.ts';
import { trimmedAddress } from '../../../http/address.ts';
import type { FormField } from '../../../http/multipart.ts';
import type { JsonMember } from '../../../json/value.ts';
import { addressSetting } from '../../../platform/address.ts';
import { operationPath } from '../../../platform/operation.ts';
import { MAX_SEQ_ID_LENGTH } from '../../../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  COMMON_FIELDS,
  type CommonField,
  HEADER_OF_FIELD,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../../protocol/operations.ts';
import { parseReadings, type Readings } from '../../../protocol/readings.ts';
import { SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import { signBodyMembers } from '../../../signing/body-mode.ts';
import type { Entry, Omitted } from '../../../signing/canonical.ts';
import { nonceWarning, TIMESTAMP_TEXT, timestampWarning } from '../../../signing/field-limits.ts';
import {
  type Header,
  type NullAs,
  sameName,
  signHeaderMembers,
  signHeaders,
} from '../../../signing/header-mode.ts';
import { asListed, asSent } from '../../../signing/header-name.ts';
import { portabilityWarnings } from '../../../signing/portability.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { readBody, readBodyAsWritten } from '../../../signing/value-text.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { parseHeader, requestContent } from '../../context/request-content.ts';
import { loadCredentials } from '../../context/secret.ts';
import { profileOption, type Settings } from '../../context/settings.ts';
import { checkMode } from '../request-options.ts';
import type { SignOptions } from './sign-options.ts';

const SANDBOX_URL = `http://127.0.0.1:${SANDBOX_PORT}`;

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
 * Signs the request that the options describe.
 *
 * @throws {MopError} `usage` for a body or an option that does not fit, `config` without credentials
 *   or, with `--path`, without an address.
 */
export async function signRequest(
  body: string | undefined,
  options: SignOptions,
  context: Context,
): Promise<SigningReport> {
  const { readings } = checkOptions(options);
  const content = await requestContent(body, options, context.io);
  if (content === undefined) {
    throw new MopError('usage', 'nothing to sign', {
      hint: `pass the body: mop sign '{"bill_type":0}', @FILE or - for stdin, or fields with -F; '{}' has none`,
    });
  }
  // Faults of the body are reported before those of the configuration.
  const business = typeof content === 'string' ? readMembers(content, readings) : content;
  const sign = await requestSigner(options, context);
  return sign(business);
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The fields of a JSON body, or those of a multipart form. */
type Business = readonly JsonMember[] | readonly FormField[];

/**
 * A function that signs one request after another with the same options; generated fields are fresh
 * for each.
 *
 * @throws {MopError} As {@link signRequest}.
 */
export async function requestSigner(
  options: SignOptions,
  context: Context,
): Promise<(business: Business) => SigningReport> {
  const { mode, readings } = checkOptions(options);
  const settings = settingsOf(context);
  const url =
    options.path === undefined ? checkUrl(options.url) : addressOf(options.path, mode, settings);
  const credentials = await loadCredentials(settings, context);
  const source = { ...freshFields, now: context.io.now };
  const { timestamp, seqId, nonce, timestampUnit } = options;
  const common = { apiKey: context.globals.apiKey, timestamp, seqId };
  const bodyFields = { ...common, nonce: nonce === false ? undefined : nonce };
  const spell = readings['header-names'] === 'as-sent' ? asSent : asListed;
  const given = options.header?.map(parseHeader) ?? [];
  const headerFields = {
    ...common,
    nonce,
    timestampUnit,
    nullAs: options.nullAs ?? nullAsRead(readings),
    headers: given.map(([name, value]): Header => [spell(name), value]),
  };
  const secretLength = [...credentials.secret].length;
  const respelled = given
    .filter(([name]) => spell(name) !== name)
    .map(([name]) => `the header ${name} is sent and signed as ${spell(name)}`);
  return (business) => {
    const form = isForm(business) ? business : [];
    const members = isForm(business) ? [] : business;
    const signed =
      mode === 'body'
        ? signBodyMembers(members, credentials, bodyFields, source)
        : form.length > 0
          ? signHeaders(form, credentials, headerFields, source)
          : signHeaderMembers(members, credentials, headerFields, source);
    const { body, entries, omitted, canonical, sign } = signed;
    return {
      mode,
      version: PROTOCOL_VERSION[mode],
      url,
      // For a form the sender adds its own Content-Type, with the boundary.
      headers: {
        ...(form.length === 0 ? JSON_TYPE : {}),
        ...('headers' in signed ? signed.headers : {}),
      },
      body,
      form,
      entries,
      omitted,
      canonical,
      sign,
      warnings: [
        ...limitWarnings(mode, entries, credentials, readings),
        ...(mode === 'body' && readings.types !== 'lenient' ? typeWarnings(members, options) : []),
        ...respelled,
      ],
      portability: portabilityWarnings(members),
      secretLength,
    };
  };
}

/** @throws {MopError} `usage` for options that do not fit together. */
function checkOptions(options: SignOptions): {
  readonly mode: SignatureMode;
  readonly readings: Readings;
} {
  const mode = options.mode ?? 'body';
  checkMode(mode, options);
  assertNoConflict([
    [options.path !== undefined && options.url !== undefined, '--path and --url both say where'],
  ]);
  checkUrl(options.url);
  if (options.path !== undefined) operationPath(options.path);
  return { mode, readings: parseReadings(options.reading) };
}

/** The fields of a body; under `nested-json=as-sent`, objects and arrays keep their text. */
export function readMembers(body: string, readings: Readings = {}): readonly JsonMember[] {
  return (readings['nested-json'] === 'as-sent' ? readBodyAsWritten : readBody)(body);
}

function isForm(business: Business): business is readonly FormField[] {
  const [first] = business;
  return first !== undefined && ('file' in first || typeof first.value === 'string');
}

function nullAsRead({ 'null-in-header': reading = 'any' }: Readings): NullAs | undefined {
  return reading === 'any' ? undefined : reading;
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

/** The address of an operation: the configured one, or that of `mop sandbox` at its usual port. */
function addressOf(path: string, mode: SignatureMode, settings: Settings): string {
  const setting = addressSetting(mode, settings.environment === 'test');
  const address = settings.environment === 'sandbox' ? SANDBOX_URL : settings.get(setting);
  if (address === undefined) {
    const profile = profileOption(settings.profile);
    throw new MopError('config', `no address for --path: ${setting} is not set`, {
      hint: `set it: mop config set ${setting} https://HOST${profile}, or mop config init; or give --url`,
    });
  }
  return trimmedAddress(address) + ADDRESS_PREFIX[mode] + operationPath(path);
}

function typeWarnings(members: readonly JsonMember[], { timestamp }: SignOptions): string[] {
  const own = members.find(({ name }) => name === 'timestamp')?.value;
  return timestamp === undefined && own?.kind === 'string' ? [TIMESTAMP_TEXT] : [];
}

function limitWarnings(
  mode: SignatureMode,
  entries: readonly Entry[],
  { apiKey }: Credentials,
  readings: Readings,
): string[] {
  const nameOf = (field: CommonField): string => (mode === 'body' ? field : HEADER_OF_FIELD[field]);
  const find = (wanted: string): string | undefined =>
    entries.find(({ name, source }) => source !== 'business' && sameName(name, wanted))?.value;
  const [key, seqId, timestamp, nonce] = COMMON_FIELDS.map((field) => find(nameOf(field)));
  const version = find(SIGN_HEADERS.version);
  return [
    nonceWarning(nonce, mode, readings.nonce),
    seqId !== undefined && seqId.length > MAX_SEQ_ID_LENGTH
      ? `the serial number has ${seqId.length} characters; the platform takes ${MAX_SEQ_ID_LENGTH}`
      : undefined,
    timestampWarning(timestamp, mode),
    version !== undefined && version !== PROTOCOL_VERSION.header
      ? `${SIGN_HEADERS.version} is ${version}; the platform takes ${PROTOCOL_VERSION.header} only`
      : undefined,
    key !== undefined && key !== apiKey
      ? `the request's api_key is ${key}, but the secret belongs to ${apiKey}`
      : undefined,
  ].filter((warning) => warning !== undefined);
}
