import type { MopError } from '../../../errors.ts';
import { API_KEY_INVALID, AUTHENTICATION_ERROR } from '../../../protocol/result-codes.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';

/** The settings to enter again; undefined for all of them. */
type SettingsToEnter = readonly string[] | undefined;

/**
 * Asks for the next step after a failed test.
 *
 * @param keys The settings that were entered.
 * @returns The settings to enter again, or `store` and `quit`.
 */
export async function askNextStep(
  failure: MopError,
  keys: readonly string[],
  context: Context,
): Promise<SettingsToEnter | 'store' | 'quit'> {
  const { output } = context;
  // With --quiet or --json, the checks were not printed.
  if (output.quiet || output.json) output.failure(failure.message);
  const suspects = suspectsOf(failure).filter((key) => keys.includes(key));
  const canCorrect = suspects.length > 0;
  if (canCorrect) output.line(`[c]orrect ${suspects.join(' and ')}`);
  output.line('[e]nter everything again\n[s]tore it anyway\n[q]uit, and store nothing');
  const fallback = canCorrect ? 'c' : 'e';
  for (;;) {
    const answer = (await ask('next step', context, { fallback })).toLowerCase();
    if (canCorrect && /^c(?:orrect)?$/.test(answer)) return suspects;
    if (/^e(?:nter)?$/.test(answer)) return undefined;
    if (/^s(?:tore)?$/.test(answer)) return 'store';
    if (/^q(?:uit)?$/.test(answer)) return 'quit';
    // Do not print the answer: it may be a secret that was typed too early.
    output.line('answer with one of the letters in brackets');
  }
}

/** The settings that may cause a failure, in the order of the questions. */
function suspectsOf({ code, details: { platformCode } }: MopError): readonly string[] {
  if (platformCode === AUTHENTICATION_ERROR) return ['api_secret'];
  if (platformCode === API_KEY_INVALID) return ['api_key', 'api_secret'];
  if (code !== 'network') return [];
  return ['base_url', 'test_base_url', 'open_base_url', 'open_test_base_url'];
}
