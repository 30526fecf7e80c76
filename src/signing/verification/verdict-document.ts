import { MopError, quoted } from '../../errors.ts';
import { SECRET_MARK } from '../mask-secret.ts';
import type { TheirString } from './their-string.ts';
import { hasRightSignature, type Verdict } from './verify.ts';
import type { Verification } from './verify-request.ts';

/** A verdict as `--json` shows it; its keys are stable. */
export function verdictDocument(verification: Verification): object {
  const { examination, warnings, theirs, refused, call, hide } = verification;
  const { verdict } = examination;
  const { valid, mode, received, expected, diagnosis, candidates, clock } = verdict;
  const canonical = named(hide(verdict.canonical));
  return {
    ...(call && { call: call.document }),
    valid,
    ...(refused && { refused: { reason: refused.reason, fix: refused.fix } }),
    mode,
    received: named(hide(received)),
    expected,
    canonical,
    diagnosis,
    candidates,
    clock: {
      timestamp: clock.timestamp,
      now: clock.now,
      skew_seconds: clock.skewSeconds,
      within_limit: clock.withinLimit,
    },
    warnings,
    ...(theirs && {
      theirs: {
        canonical: named(theirs.canonical),
        signed: theirs.signed,
        same: theirs.comparison.offset === undefined,
        fields: theirs.comparison.pairs.map((pair) => ({
          name: named(pair.name),
          theirs: pair.theirs === undefined ? null : named(pair.theirs),
          ours: pair.ours === undefined ? null : named(pair.ours),
        })),
        ...(!valid && theirs.mistakes.length > 0 && { diagnosis: theirs.mistakes }),
      },
    }),
  };
}

export function named(text: string): string {
  return text.replaceAll(SECRET_MARK, '<secret>');
}

export function verdictError(verification: Verification): MopError {
  const { examination, theirs, refused } = verification;
  const { diagnosis, ...verdict } = examination.verdict;
  if (refused) {
    const { reason, fix: hint } = refused;
    return new MopError('auth', `the platform refuses the request: ${reason}`, { hint });
  }
  const isRight = hasRightSignature(verdict);
  const subject = isRight ? 'the platform refuses the request' : 'the signature is wrong';
  const ids = diagnosis.map(({ id }) => id).join(', ');
  const fixes = diagnosis.map(({ fix }) => fix);
  if (examination.isExplained) {
    return new MopError('auth', `${subject}: ${ids}`, { hint: fixes.join('; ') });
  }
  const others = ids === '' ? '' : `; other mistakes: ${ids}`;
  return new MopError('auth', `${subject}: ${unexplained(verdict, theirs)}${others}`, {
    hint: [remainingSuspects(verification), ...fixes].join('; '),
  });
}

export function unexplained(
  { candidates, received }: Pick<Verdict, 'candidates' | 'received'>,
  theirs: TheirString | undefined,
): string {
  if (theirs?.signed) return "the signer's string was signed, and it is not the right string";
  if (candidates === 0) {
    const length = received.length === 1 ? '1 character' : `${received.length} characters`;
    return `the signature has ${length} and is not a digest in a known form`;
  }
  return `${candidates.toLocaleString('en')} ways to sign were tried, and none gives this signature`;
}

const CAUSES =
  'possible causes: another secret that is not configured, a change after signing, a field that was signed and not sent, several mistakes at once';

/** The next step after an unexplained signature. */
export function remainingSuspects({ examination, theirs, moreEffort }: Verification): string {
  if (theirs?.signed) return 'correct the fields that differ from the right string';
  if (examination.verdict.candidates === 0) return 'send the MD5 as 32 upper-case hex digits';
  if (theirs && theirs.comparison.offset === undefined) {
    return 'the string is right: compare the secret that follows it, its charset (UTF-8), and the digest (MD5)';
  }
  const more = moreEffort ? [quoted`to try more, add --effort ${moreEffort}`] : [];
  const next = theirs
    ? 'correct the mistakes in the string of --theirs'
    : 'to compare the string that your program hashed, add --theirs @FILE';
  return [CAUSES, ...more, next].join('; ');
}
