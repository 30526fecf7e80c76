import type { NamedSecret } from '../diagnosis/mistake.ts';
import { maskSecret, SECRET_MARK } from '../mask-secret.ts';
import type { Examination } from './verify.ts';

/** Replaces the secret of another account. */
export const OTHER_MARK = '\ue001';

export interface StringsToSign {
  /** `src2` of D1 section 5: the canonical string and the secret. */
  readonly right: string;
  /** The string that the signer hashed; undefined when no mistake was found. */
  readonly signed: string | undefined;
  /** The part of `signed` before the secret. */
  readonly signedCanonical: string | undefined;
}

/** The secret of the request is the first one; `hide` replaces secrets in the request by the mark. */
export function stringsToSign(
  { verdict, signer }: Examination,
  secrets: readonly NamedSecret[],
  hide: (text: string) => string,
): StringsToSign {
  const own = secrets[0]?.secret ?? '';
  const masked = (secret: string): string =>
    maskSecret(secret, secret === own ? SECRET_MARK : OTHER_MARK);
  const wrong = signer?.with({ secret: masked(signer.steps.secret) });
  return {
    right: hide(verdict.canonical) + masked(own),
    signed: wrong && hide(wrong.message),
    signedCanonical: wrong && hide(wrong.canonical),
  };
}
