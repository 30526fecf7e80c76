import { MopError } from '../../errors.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import { readComparison } from '../../signing/capture/read-comparison.ts';
import { alignCanonical } from '../../signing/compare.ts';
import type { KnownSecret } from '../../signing/diagnosis/mistake.ts';
import { programsFor } from '../../signing/programs/captured-program.ts';
import { layersOf } from '../../signing/verification/layers.ts';
import {
  named,
  verdictDocument,
  verdictError,
} from '../../signing/verification/verdict-document.ts';
import {
  distinct,
  isAccepted,
  type RunSearch,
  type SecretSource,
  type Verification,
  verifyRequest,
} from '../../signing/verification/verify-request.ts';
import type { Explanation, Question } from './page-data.ts';

/**
 * Explains the signature of a request as `mop sign verify` does (contract sections 3 and 7).
 *
 * @param now Unix seconds.
 * @throws {MopError} `usage` for a request that cannot be read, `config` without a secret.
 */
export async function explain(
  { request, theirs, entry, secret, sentAt, effort }: Question,
  now: number,
  run: RunSearch,
): Promise<Explanation> {
  const pasted = theirs === '' ? undefined : theirs;
  const loadSecrets = async () => [secret, SANDBOX.secret].filter((each) => each !== '');
  const read = await readComparison(request, pasted, { entry }, loadSecrets);
  const options = { now, sentAt, effort, readings: {} };
  return explained(
    await verifyRequest(read.capture, read.pasted, options, secretSource(secret), run),
  );
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

function explained(verification: Verification): Explanation {
  const { capture, examination, secrets, theirs, refused, warnings, hide } = verification;
  const ok = isAccepted(verification);
  const error = ok ? undefined : verdictError(verification);
  const { canonical, diagnosis } = examination.verdict;
  return {
    outcome: ok ? 'right' : refused ? 'refused' : 'wrong',
    message: error?.message ?? '',
    hint: error?.details.hint ?? '',
    diagnosis,
    warnings: warnings.map((warning) => named(hide(warning))),
    layers: layersOf(capture, examination, secrets, hide),
    theirs: theirs && {
      signed: theirs.signed,
      difference: alignCanonical(theirs.canonical, hide(canonical)),
      mistakes: theirs.mistakes,
    },
    programs: programsFor(capture),
    document: verdictDocument(verification),
  };
}
