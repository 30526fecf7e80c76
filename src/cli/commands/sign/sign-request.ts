import { MopError } from '../../../errors.ts';
import type { FormField } from '../../../http/multipart.ts';
import type { JsonMember } from '../../../json/value.ts';
import { addressSetting, missingAddress, operationUrl } from '../../../platform/address.ts';
import { type OperationMode, operationMode, operationPath } from '../../../platform/operation.ts';
import { PROTOCOL_VERSION, type SignatureMode } from '../../../protocol/operations.ts';
import { type AllReadings, parseReadings, withDefaults } from '../../../protocol/readings.ts';
import { SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import { signBodyMembers } from '../../../signing/body-mode.ts';
import type { Entry, NullAs, Omitted } from '../../../signing/canonical.ts';
import { limitWarnings, typeWarnings } from '../../../signing/field-limits.ts';
import { type Header, signHeaderMembers, signHeaders } from '../../../signing/header-mode.ts';
import { asListed, asSent, type Spelling } from '../../../signing/header-name.ts';
import { portabilityWarnings } from '../../../signing/portability.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { readBody } from '../../../signing/value-text.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { withArgumentHint } from '../../context/input.ts';
import type { ContentOptions } from '../../context/request-content.ts';
import { parseHeader, requestContent } from '../../context/request-content.ts';
import { loadCredentials } from '../../context/secret.ts';
import { addressHint, preferredMode, type Settings } from '../../context/settings.ts';
import type { ModeOptions } from '../request-options.ts';
import { checkMode } from '../request-options.ts';

/** The options of `mop sign` and `mop sign explain`. */
export interface SignOptions extends ContentOptions, Omit<ModeOptions, 'nonce'> {
  readonly timestamp?: string;
  /** False for `--no-nonce`. */
  readonly nonce?: string | false;
  readonly seqId?: string;
  readonly url?: string;
  /** The path of an operation below the configured address. */
  readonly path?: string;
  /** Only `mop sign explain` has it. */
  readonly reading?: readonly string[];
}

/** The settings of a signature, from the options and the profile. */
export interface SigningPlan {
  readonly options: SignOptions;
  readonly settings: Settings;
  readonly mode: SignatureMode;
  readonly readings: AllReadings;
  readonly url: string | null;
}

/** A signed request, in either mode, with its warnings and notes. */
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
  /** Reasons for which the platform would refuse the request. */
  readonly warnings: readonly string[];
  /** Values that other languages may print differently. */
  readonly portability: () => readonly string[];
  readonly secretLength: number;
}

/**
 * Checks the options of a signature. `--mode` wins over the setting, and a setting over the
 * documented mode of `--path`.
 */
export function planSigning(options: SignOptions, context: Context): SigningPlan {
  const settings = settingsOf(context);
  const { path, nonce } = options;
  const mode = signingMode(path, preferredMode(settings));
  checkMode(mode, { ...options, nonce: nonce !== false });
  const readings = withDefaults(parseReadings(options.reading));
  return { options, settings, mode, readings, url: requestTarget(options, mode, settings) };
}

/** The mode of an operation; without a path, the body unless another mode is preferred. */
function signingMode(path: string | undefined, preferred: OperationMode): SignatureMode {
  if (path !== undefined) return operationMode({ path }, preferred);
  return preferred === 'documented' ? 'body' : preferred;
}

/** Signs one request. */
export async function signRequest(
  body: string | undefined,
  plan: SigningPlan,
  context: Context,
): Promise<SigningReport> {
  // Report errors in the body before errors in the configuration.
  const business = await readBusiness(body, plan, context);
  const credentials = await loadCredentials(plan.settings, context);
  return requestSigner(plan, context, credentials)(business);
}

/** The fields of the request that the command line names. */
export async function readBusiness(
  body: string | undefined,
  { options, readings }: SigningPlan,
  { io }: Context,
): Promise<Business> {
  const content = await requestContent(body, options, io);
  if (content === undefined) {
    throw new MopError('usage', 'nothing to sign', {
      hint: `pass the body as '{"bill_type":0}', @FILE or - for stdin, or fields with -F; '{}' is an empty body`,
    });
  }
  if (typeof content !== 'string') return content;
  return withArgumentHint(body, () => readMembers(content, readings));
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The fields of a JSON body, or those of a multipart form. */
type Business = readonly JsonMember[] | readonly FormField[];

/** Returns a function that signs requests with the same options and fresh generated fields. */
export function requestSigner(
  { options, mode, readings, url }: SigningPlan,
  context: Context,
  credentials: Credentials,
): (business: Business) => SigningReport {
  const source = { ...freshFields, now: context.io.now };
  const { timestamp, seqId, nonce, timestampUnit } = options;
  const common = { apiKey: context.globals.apiKey, timestamp, seqId };
  const bodyFields = { ...common, nonce: nonce === false ? undefined : nonce };
  const spell = spellingOf(readings);
  const given = options.header?.map(parseHeader) ?? [];
  const headerFields = {
    ...common,
    nonce,
    timestampUnit,
    nullAs: options.nullAs ?? nullAsRead(readings),
    headers: given.map(([name, value]): Header => [spell(name), value]),
  };
  const flags = new Map(
    Object.entries({ timestamp, nonce, seq_id: seqId, api_key: common.apiKey }),
  );
  const isKept = ({ name }: JsonMember): boolean => flags.get(name) === undefined;
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
        ...(mode === 'body' ? typeWarnings(members.filter(isKept), readings.types) : []),
        ...respelled,
      ],
      // Computed on demand: few forms of the output print them.
      portability: () => portabilityWarnings(members),
      secretLength,
    };
  };
}

/** The fields of a body; under `nested-json=as-sent`, objects and arrays keep their text. */
export function readMembers(body: string, readings: AllReadings): readonly JsonMember[] {
  return readBody(body, readings['nested-json'] === 'as-sent' ? 'as-written' : 'compact');
}

/** Whether the fields are those of a multipart form. */
export function isForm(business: Business): business is readonly FormField[] {
  const [first] = business;
  return first !== undefined && ('file' in first || typeof first.value === 'string');
}

/** The spelling in which headers of `-H` are sent and signed. */
export function spellingOf(readings: AllReadings): Spelling {
  return readings['header-names'] === 'as-sent' ? asSent : asListed;
}

function nullAsRead({ 'null-in-header': reading }: AllReadings): NullAs | undefined {
  return reading === 'any' ? undefined : reading;
}

/** A signed request as `--as json` shows it; its keys are stable. */
export function signedDocument(signed: SigningReport): Record<string, unknown> {
  const { mode, version, url, headers, body, entries, omitted, canonical, sign } = signed;
  const warnings = [...signed.warnings, ...signed.portability()];
  const method = 'POST';
  return { mode, version, method, url, headers, body, entries, omitted, canonical, sign, warnings };
}

/** The address of `mop sandbox` at its usual port. */
const SANDBOX_URL = `http://127.0.0.1:${SANDBOX_PORT}`;

/**
 * The address of a signed request: `--url`, or `--path` below the configured address. Null without
 * either option.
 */
function requestTarget(
  { path, url }: Pick<SignOptions, 'path' | 'url'>,
  mode: SignatureMode,
  settings: Settings,
): string | null {
  assertNoConflict([
    [path !== undefined && url !== undefined, '--path and --url both set the address'],
  ]);
  if (path !== undefined) {
    return operationUrl(addressOf(mode, settings), mode, operationPath(path)).href;
  }
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new MopError('usage', `--url ${JSON.stringify(url)} is not an http or https address`, {
    hint: 'give the full address, such as https://HOST/open/v1/trade/bill',
  });
}

function addressOf(mode: SignatureMode, settings: Settings): string {
  if (settings.environment === 'sandbox') return SANDBOX_URL;
  const setting = addressSetting(mode, settings.environment === 'test');
  const address = settings.get(setting);
  if (address !== undefined) return address;
  throw missingAddress(setting, '--path needs it', addressHint(settings, mode));
}
