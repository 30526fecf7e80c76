import type { MopError } from '../../../errors.ts';
import { API_KEY_INVALID, AUTHENTICATION_ERROR } from '../../../protocol/result-codes.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';
import type { Check } from '../doctor/examine.ts';

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
  const suspects = suspectsOf(failure, keys);
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

/** A command in a hint that uses the stored values, with the words before it. */
const STORED_VALUES = /(?:.*\brun: )?\bmop (?:config|sign verify)\b[^;)]*/;

/** A check whose next step fits values that are not stored yet. */
export function withUnstoredFix(check: Check, keys: readonly string[]): Check {
  const suspects = check.error ? suspectsOf(check.error, keys) : [];
  if (suspects.length === 0) return check;
  const fix = check.fix?.replace(STORED_VALUES, `enter another ${suspects.join(' or ')}`);
  return { ...check, fix };
}

/** The settings among `keys` that may cause a failure. */
function suspectsOf(
  { code, details: { platformCode } }: MopError,
  keys: readonly string[],
): readonly string[] {
  return keys.filter((key) => {
    if (platformCode === AUTHENTICATION_ERROR) return key === 'api_secret';
    if (platformCode === API_KEY_INVALID) return key === 'api_key' || key === 'api_secret';
    // Without a result code, another server may have answered.
    const isAboutAddress = platformCode === undefined && (code === 'network' || code === 'api');
    return isAboutAddress && key.endsWith('base_url');
  });
}
