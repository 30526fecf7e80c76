import { MopError } from '../../../errors.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import { digest } from '../../../signing/canonical.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import { readCapture } from '../../../signing/capture/read-capture.ts';
import { type Comparison, compareCanonical, pastedCanonical } from '../../../signing/compare.ts';
import type { NamedSecret } from '../../../signing/diagnosis/mistake.ts';
import { explainContent } from '../../../signing/explain.ts';
import type { Header } from '../../../signing/header-mode.ts';
import { claimed, type SignedContent, signedContent } from '../../../signing/received-request.ts';
import { type Examination, examineSignature, type Verdict } from '../../../signing/verify.ts';
import { type Context, settingsOf } from '../../context.ts';
import { readBytes, readInputFile, readText } from '../../input.ts';
import { loadCredentials, loadProfileSecrets, secretSource } from '../../secret.ts';
import type { Settings } from '../../settings.ts';

export interface VerifyOptions {
  readonly headers?: readonly Header[] | undefined;
  readonly entry?: number;
  readonly now?: number;
  readonly maxSkew?: number;
  readonly theirs?: string;
}

/** A verdict with all that it rests on, and all there is to say besides. */
export interface Verification {
  readonly capture: CapturedRequest;
  /** First the one that belongs to the request. */
  readonly secrets: readonly NamedSecret[];
  readonly examination: Examination;
  /** All that a person should know besides. */
  readonly warnings: readonly string[];
  readonly theirs: TheirString | undefined;
}

/** The canonical string of another program. */
export interface TheirString {
  readonly canonical: string;
  /** Whether it gives the signature that was received, with one of the secrets. */
  readonly signed: boolean;
  readonly comparison: Comparison;
}

/**
 * Verifies a captured request with every secret that there is.
 *
 * @param request The capture as text, `@FILE`, or `-`.
 * @throws {MopError} `usage` for a capture that cannot be read, `config` without any secret.
 */
export async function verifyCapture(
  request: string,
  options: VerifyOptions,
  context: Context,
): Promise<Verification> {
  const { io } = context;
  const capture = await readCapture(await readBytes(request, io), {
    entry: options.entry,
    headers: options.headers,
    readFile: readInputFile,
  });
  const theirs = options.theirs === undefined ? undefined : await readText(options.theirs, io);
  const settings = settingsOf(context);
  const content = signedContent(capture);
  const secrets = await secretsFor(content, settings, context);
  const examination = examineSignature(capture, secrets, {
    now: options.now ?? Math.floor(io.now() / 1000),
    maxSkewSeconds: options.maxSkew,
  });
  const { verdict } = examination;
  return {
    capture,
    secrets,
    examination,
    warnings: [
      ...capture.notes,
      ...verdict.warnings,
      ...keyWarnings(content, secrets),
      ...addressWarnings(capture, verdict, settings),
      ...verdict.alternatives.map((id) => `with this request, ${id} gives the same bytes`),
      ...(verdict.complete ? [] : ['the request is so large that not all ways to sign were tried']),
    ],
    theirs: theirs === undefined ? undefined : theirString(theirs, verdict, secrets),
  };
}

/** A secret that may have been used, and the api_key that it belongs to. */
interface KnownSecret extends NamedSecret {
  readonly apiKey: string | undefined;
}

/** The secret that belongs to the request's api_key, then all others. */
async function secretsFor(
  content: SignedContent,
  settings: Settings,
  context: Context,
): Promise<readonly KnownSecret[]> {
  const sandbox = { name: 'the sandbox', ...SANDBOX_CREDENTIALS };
  if (settings.environment === 'sandbox') return [sandbox];

  const isOwn = ({ apiKey }: KnownSecret): boolean => apiKey === claimed(content, 'api_key');
  const credentials = await loadCredentials(settings, context).catch(asMissing);
  const inForce =
    credentials instanceof MopError ? [] : [{ name: secretSource(settings), ...credentials }];
  // Other profiles may keep theirs behind a command: they are asked only when it takes them.
  const fits = inForce.filter(
    (known) =>
      isOwn(known) && explainContent(content, known.secret).signature === content.signature,
  );
  if (fits.length > 0) return fits;

  const others = await loadProfileSecrets(context);
  const known: readonly KnownSecret[] = [
    ...inForce,
    ...others.map(({ profile, ...rest }) => ({ name: `profile ${profile}`, ...rest })),
  ];
  if (known.length === 0 && credentials instanceof MopError) throw credentials;
  const ordered = [...known.filter(isOwn), ...known.filter((one) => !isOwn(one)), sandbox];
  const seen = new Set<string>();
  return ordered.filter(({ secret }) => !seen.has(secret) && seen.add(secret));
}

/** Without credentials in force, those of another profile may do. */
function asMissing(error: unknown): MopError {
  if (error instanceof MopError && error.code === 'config') return error;
  throw error;
}

/** What is wrong when the secret is not that of the request's api_key. */
function keyWarnings(content: SignedContent, secrets: readonly KnownSecret[]): readonly string[] {
  const apiKey = claimed(content, 'api_key');
  const [own] = secrets;
  if (apiKey === undefined || own === undefined || own.apiKey === apiKey) return [];
  return [
    `the request's api_key is ${apiKey}, to which no known secret belongs; that of ${own.name} was taken`,
  ];
}

/** Whether the request went to an address of another environment. */
function addressWarnings(
  { url }: CapturedRequest,
  { mode }: Verdict,
  settings: Settings,
): readonly string[] {
  const keys = {
    production: mode === 'body' ? 'base_url' : 'open_base_url',
    test: mode === 'body' ? 'test_base_url' : 'open_test_base_url',
  } as const;
  return (['production', 'test'] as const).flatMap((environment) => {
    const address = settings.find(keys[environment])?.value;
    const isOther = environment !== settings.environment;
    return isOther && address !== undefined && url?.startsWith(address)
      ? [`the request went to ${keys[environment]}, but the environment is ${settings.environment}`]
      : [];
  });
}

function theirString(
  pasted: string,
  { canonical, received }: Verdict,
  secrets: readonly NamedSecret[],
): TheirString {
  const known = secrets.map(({ secret }) => secret);
  const theirs = pastedCanonical(pasted, canonical, known);
  return {
    canonical: theirs,
    signed: known.some((secret) => digest(theirs, secret) === received.toUpperCase()),
    comparison: compareCanonical(theirs, canonical),
  };
}
