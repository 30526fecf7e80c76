import { embeddedIn, failureOf, readAnalysis } from '../../../detection/analysis.ts';
import { DETECTION_CONTRACT } from '../../../detection/answer.ts';
import type { Judgement } from '../../../detection/gate.ts';
import type { Detection } from '../../../detection/result.ts';
import type { MopError } from '../../../errors.ts';
import { contractViolation } from '../../../json/fields.ts';
import type { Context } from '../../context/context.ts';

/**
 * Warns of an unknown level in each text, and once of a failed model.
 */
export function warner({ output }: Context) {
  let hasModelFailed = false;
  return (detection: Detection, { warnings }: Judgement, place = ''): void => {
    for (const warning of warnings) output.warn(place + warning);
    const { aiAnalysis } = detection;
    const failure = failureOf(aiAnalysis);
    if (!aiAnalysis || failure === undefined || hasModelFailed) return;
    hasModelFailed = true;
    const instead = embeddedIn(readAnalysis(aiAnalysis))
      ? ', the embedded model was used instead'
      : '';
    output.warn(`${place}the model failed${instead}: ${failure}`);
  };
}

/** The failure of an answer without the requested rewrite; the failure of the gate takes precedence. */
export function missingRewrite({ failure }: Judgement): MopError {
  return failure ?? contractViolation(DETECTION_CONTRACT, 'safe_rewrite', 'is missing');
}
