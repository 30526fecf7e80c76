import { resultHint } from '../../../platform/envelope.ts';
import { AUTHENTICATION_ERROR, findResultCode } from '../../../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import { commonFieldText, signedContent } from '../../../signing/received-request.ts';
import { lastRefusal } from '../../clients/last-refusal.ts';
import type { Refusal } from '../../clients/refusal-har.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, configOf, settingsOf } from '../../context/context.ts';
import { profileSecrets } from '../../context/secret.ts';
import { profileOption, storedProfile } from '../../context/settings.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { type Verification, type VerifyCommandOptions, verifyCapture } from './verify-capture.ts';

/**
 * Verifies the request of the last call that the platform refused, with the profile, the environment
 * and the `--secret-file` of that call. Without `--now`, its timestamp is compared with the clock of
 * the platform at that call.
 *
 * @throws {MopError} `usage` without a refused call, or for options that describe another request;
 *   the errors of {@link verifyCapture}.
 */
export async function verifyLast(
  request: string | undefined,
  options: VerifyCommandOptions,
  context: Context,
): Promise<Verification> {
  assertNoConflict([
    [request !== undefined, '--last takes no REQUEST'],
    [options.header, '--last already has the headers of the request', 'leave out --header'],
    [options.entry, '--last has only one request', 'leave out --entry'],
  ]);
  const { refusal, har, ageSeconds } = await lastRefusal(context.io);
  const now = options.now ?? refusal.clock;
  const called = asCalled(context, refusal);
  const verification = await verifyCapture(har, { ...options, now }, called);
  return {
    ...verification,
    ...explainedRefusal(verification, refusal.code, called),
    call: callOf(refusal, ageSeconds),
  };
}

/** The line is such as `POST /open/v1/trade/bill, sent 12 s ago, refused with 1002`. */
function callOf(refusal: Refusal, seconds: number): Verification['call'] {
  const { method, url, sent_at, code, message, profile, environment } = refusal;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const age = seconds < 3600 ? `${seconds} s` : `${Math.floor(seconds / 3600)} h`;
  const reason = message === '' ? '' : `: ${message}`;
  return {
    line: visibleLine(`${method} ${path}, sent ${age} ago, refused with ${code}${reason}`),
    document: { method, url, sent_at, code, message, profile, environment },
  };
}

/**
 * The context with the profile, the environment and the `--secret-file` of the call. With another
 * `-p`, the environment and the secret of that profile apply.
 *
 * @throws {MopError} `config` when the profile of the call no longer exists.
 */
function asCalled(context: Context, refusal: Refusal): Context {
  const { globals } = context;
  const { profile, environment: env, secret_file: secretFile } = refusal;
  if (globals.profile !== undefined && globals.profile !== profile) return context;
  // Only for its error: the user may not have typed this profile.
  storedProfile(
    configOf(context),
    profile,
    'the refused call used this profile; to verify it with another one, add -p NAME',
  );
  return { ...context, globals: { env, secretFile, ...globals, profile } };
}

/**
 * The reason why the platform refused a right signature. With a code for the signature, the secret is
 * the reason, unless the signature is right only under one reading: then it is a warning.
 */
function explainedRefusal(
  verification: Verification,
  code: number,
  context: Context,
): Partial<Verification> {
  const { capture, examination, warnings, secrets, refused } = verification;
  if (!examination.verdict.valid) return {};
  const apiKey = commonFieldText(signedContent(capture), 'api_key');
  if (code !== AUTHENTICATION_ERROR) {
    const { meaning = 'not in the documents' } = findResultCode(code) ?? {};
    const reason = `the signature is right, but the platform answered ${code} (${meaning}) for api_key ${apiKey}`;
    return { refused: refused ?? { reason, fix: resultHint(code) } };
  }
  const [own] = secrets;
  const owners = [
    ...profileSecrets(context).map((each) => ({ ...each, name: `profile ${each.profile}` })),
    { ...SANDBOX_CREDENTIALS, name: 'the sandbox' },
  ];
  const others = owners
    .filter((owner) => owner.apiKey === apiKey && owner.name !== own?.name)
    .map(({ name }) => name);
  const also = others.length > 0 ? `compare it with the secret of ${others.join(' or ')}; ` : '';
  const reason = `the secret of ${own?.name} is not the one that the platform has for api_key ${apiKey}`;
  const fix = `${also}to store the issued secret, run: mop config set api_secret${profileOption(settingsOf(context).profile)}`;
  if (Object.keys(examination.content.assumed).length === 0) return { refused: { reason, fix } };
  const doubt = `the platform refused it with ${code}: it reads the request in another way, or ${reason}; ${fix}`;
  return { refused: undefined, warnings: [...warnings, doubt] };
}
