import { MopError } from '../../errors.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { CapturedRequest } from '../../signing/capture/captured-request.ts';
import { readComparison } from '../../signing/capture/read-comparison.ts';
import { alignCanonical } from '../../signing/compare.ts';
import type { KnownSecret } from '../../signing/diagnosis/mistake.ts';
import { secretHider } from '../../signing/mask-secret.ts';
import { programsFor } from '../../signing/programs/captured-program.ts';
import { layersOf } from '../../signing/verification/layers.ts';
import { verdictError } from '../../signing/verification/verdict-document.ts';
import {
  distinct,
  isAccepted,
  type RunSearch,
  type SecretSource,
  type Verification,
  verifyRequest,
} from '../../signing/verification/verify-request.ts';
import { mapTexts } from '../requests/without-credentials.ts';
import type { Explanation, Question } from './page-data.ts';

/**
 * Explains a signature as `mop sign verify` does (contract sections 3 and 7). `now` is in Unix
 * seconds.
 */
export async function explain(
  { request, theirs, entry, secret, sentAt, effort }: Question,
  now: number,
  run: RunSearch,
): Promise<Explanation> {
  const pasted = theirs === '' ? undefined : theirs;
  const known = [secret, SANDBOX.secret].filter((each) => each !== '');
  const hide = secretHider(known, '<secret>');
  try {
    const read = await readComparison(request, pasted, { entry }, async () => known);
    const options = { now, sentAt, effort, readings: {} };
    const source = secretSource(secret);
    const verification = await verifyRequest(read.capture, read.pasted, options, source, run);
    const { programs, ...explanation } = explained(verification, spacesOf(secret));
    return { ...mapTexts(explanation, hide), programs };
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    const { message, code, details } = error;
    const hint = details.hint && hide(details.hint);
    throw new MopError(code, hide(message), { ...details, hint });
  }
}

const SANDBOX: KnownSecret = { name: 'the sandbox', ...SANDBOX_CREDENTIALS };

/** The typed secret, and that of the sandbox. */
function secretSource(secret: string): SecretSource {
  return {
    async first(apiKey) {
      if (secret === SANDBOX.secret) return [SANDBOX];
      if (secret !== '') return distinct([{ name: 'this page', apiKey, secret }, SANDBOX]);
      if (apiKey === SANDBOX.apiKey) return [SANDBOX];
      throw new MopError('config', 'the secret is missing', {
        hint: 'enter the api secret that belongs to the api_key of the request',
      });
    },
  };
}

function spacesOf(secret: string): readonly string[] {
  const hasSpaces = secret !== secret.trim();
  return hasSpaces ? ['the secret begins or ends with white space, which is not removed'] : [];
}

function explained(verification: Verification, secretWarnings: readonly string[]): Explanation {
  const { capture, examination, secrets, theirs, refused, warnings, hide } = verification;
  const ok = isAccepted(verification);
  const error = ok ? undefined : verdictError(verification);
  const { hint = '' } = error?.details ?? {};
  const { canonical, diagnosis } = examination.verdict;
  return {
    outcome: ok ? 'right' : refused ? 'refused' : 'wrong',
    message: error?.message ?? '',
    hint: hint === diagnosis.map(({ fix }) => fix).join('; ') ? '' : hint,
    diagnosis,
    warnings: [...secretWarnings, ...warnings],
    layers: layersOf(capture, examination, secrets, hide),
    theirs: theirs && {
      signed: theirs.signed,
      difference: alignCanonical(theirs.canonical, hide(canonical)),
      mistakes: theirs.mistakes,
    },
    programs: programsOf(capture, hide),
  };
}

/** The programs for a request; undefined if it contains a secret, which a program would repeat. */
function programsOf(capture: CapturedRequest, hide: (text: string) => string) {
  const isHarmless = typeof capture.body === 'string' && hide(capture.body) === capture.body;
  return isHarmless ? programsFor(capture) : undefined;
}
