import type { Verification } from '../../../signing/verification/verify-request.ts';
import { lastRefusal } from '../../clients/last-refusal.ts';
import type { Refusal } from '../../clients/refusal-har.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, configOf } from '../../context/context.ts';
import { storedProfile } from '../../context/settings.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { type VerifyCommandOptions, verifyCapture } from './verify-capture.ts';

/**
 * Verifies the request of the last call that the platform refused, with the profile, the
 * environment and the `--secret-file` of that call. Without `--now`, its timestamp is compared with
 * the clock of the platform at that call.
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
  // mop signed by the rules, so a long search would not explain a difference.
  const search = { effort: 'low', now: refusal.clock, ...options } as const;
  const verification = await verifyCapture(har, search, asCalled(context, refusal));
  return {
    ...verification,
    ...explainedRefusal(verification, refusal),
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
 * The cause that was found at the call, unless the signature has a mistake. A doubtful cause is
 * only a warning.
 */
function explainedRefusal(
  { examination, warnings, secrets: [own] }: Verification,
  { cause, code }: Refusal,
): Partial<Verification> {
  const { valid } = examination.verdict;
  if (cause === undefined || (examination.isExplained && !valid)) return {};
  const { reason, fix } = cause;
  if (cause.isDoubtful) {
    const doubt = `the platform refused it with ${code}; likely cause: ${reason}; ${fix}`;
    return { refused: undefined, warnings: [...warnings, doubt] };
  }
  const changed = `the call was signed with another secret than that of ${own?.name} now`;
  return { refused: { reason, fix }, warnings: valid ? warnings : [...warnings, changed] };
}
