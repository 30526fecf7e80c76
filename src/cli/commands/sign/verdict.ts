import { MopError } from '../../../errors.ts';
import type { Verdict } from '../../../signing/verify.ts';
import type { TheirString, Verification } from './verification.ts';

/** A verdict as `--json` shows it; its keys are stable. */
export function verdictDocument({ examination, warnings, theirs }: Verification): object {
  const { verdict } = examination;
  const { valid, mode, received, expected, canonical, diagnosis, candidates, clock } = verdict;
  return {
    valid,
    mode,
    received,
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
        canonical: theirs.canonical,
        signed: theirs.signed,
        same: theirs.comparison.offset === undefined,
        fields: theirs.comparison.pairs.map(({ name, theirs: value, ours }) => ({
          name,
          theirs: value ?? null,
          ours: ours ?? null,
        })),
      },
    }),
  };
}

/** The failure that a wrong signature is. */
export function verdictError({ examination, secrets, theirs }: Verification): MopError {
  const { verdict } = examination;
  const { diagnosis } = verdict;
  if (diagnosis.length > 0) {
    return new MopError(
      'auth',
      `the signature is wrong: ${diagnosis.map(({ id }) => id).join(', ')}`,
      {
        hint: diagnosis.map(({ fix }) => fix).join('; '),
      },
    );
  }
  return new MopError('auth', `the signature is wrong: ${unexplained(verdict)}`, {
    hint: whatIsLeft(verdict, secrets.length, theirs),
  });
}

/** In words, how far the search went. */
export function unexplained({ candidates, received }: Verdict): string {
  if (candidates === 0) {
    return `a signature of ${received.length} characters is no digest in a form that mop knows`;
  }
  return `none of ${candidates.toLocaleString('en')} ways to sign gives it`;
}

/** What to suspect when nothing explains a signature, and what to do next. */
export function whatIsLeft({ candidates }: Verdict, secrets: number, theirs?: TheirString): string {
  if (candidates === 0) return 'send the MD5 as 32 upper-case hex digits';
  const tried = secrets === 1 ? 'the one that was tried' : `the ${secrets} that were tried`;
  const left = `that leaves another secret than ${tried}, or a request that changed after it was signed (a second timestamp or nonce, for example)`;
  return theirs ? left : `${left}; --theirs compares with the string that the signer printed`;
}
