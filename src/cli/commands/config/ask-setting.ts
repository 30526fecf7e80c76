import { correctedAddress } from '../../../http/address.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';
import { type SettingKey, settingFault, spelledSetting } from '../../context/setting-keys.ts';

/** Asks until the answer is usable. */
export async function askSetting(
  key: SettingKey,
  question: string,
  fallback: string | undefined,
  context: Context,
): Promise<string> {
  for (;;) {
    const answer = await ask(question, context, { ...(fallback && { fallback }) });
    const value = usableValue(key, answer, context);
    if (value !== undefined) return value;
  }
}

/** The value to store for an answer; for an invalid answer, prints the reason and returns undefined. */
export function usableValue(
  key: SettingKey,
  answer: string,
  { output }: Context,
): string | undefined {
  const value = key.endsWith('_url') ? correctedAddress(answer) : spelledSetting(key, answer);
  const fault = settingFault(key, value);
  if (fault) {
    output.line(`invalid ${key}: ${fault}`);
    return undefined;
  }
  if (value !== answer) output.note(`${key} is stored as ${value}`);
  return value;
}
