import type { MopError } from '../../../errors.ts';
import { correctedAddress } from '../../../http/address.ts';
import { API_KEY_INVALID, AUTHENTICATION_ERROR } from '../../../protocol/result-codes.ts';
import type { Profile } from '../../context/config-file.ts';
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
function usableValue(key: SettingKey, answer: string, { output }: Context): string | undefined {
  const value = key.endsWith('_url') ? correctedAddress(answer) : spelledSetting(key, answer);
  const fault = settingFault(key, value);
  if (fault) {
    output.say(`invalid ${key}: ${fault}`);
    return undefined;
  }
  if (value !== answer) output.note(`${key} is stored as ${value}`);
  return value;
}

/** The settings of the two addresses (D1 4.0). */
interface AddressKeys {
  readonly body: SettingKey;
  readonly header: SettingKey;
}

/** Asks for the addresses of the platform. One of the two is enough. */
export async function askAddresses(
  keys: AddressKeys,
  known: Profile,
  isAsked: (key: SettingKey) => boolean,
  context: Context,
): Promise<Profile> {
  const { [keys.body]: knownBody = '', [keys.header]: knownHeader = '' } = known;
  const first = isAsked(keys.body)
    ? await firstAddress(keys, knownBody, context)
    : { body: knownBody, header: undefined };
  const { body } = first;
  const isHeaderAsked = isAsked(keys.header) || (body === '' && knownHeader === '');
  const second = async (): Promise<string> =>
    isHeaderAsked
      ? secondAddress(keys, { ...known, [keys.body]: body }, knownBody, context)
      : knownHeader;
  const header = first.header ?? (await second());
  const addresses = { [keys.body]: body, [keys.header]: header };
  if (body !== '' && header !== '') return addresses;
  return { ...addresses, mode: body === '' ? 'header' : 'body' };
}

/** Asks for the address for body signatures. Recognises an address for header signatures. */
async function firstAddress(
  keys: AddressKeys,
  fallback: string,
  context: Context,
): Promise<{ readonly body: string; readonly header: string | undefined }> {
  const question = 'address of the platform, without /open/v1 (type - if it has only /api/open)';
  for (;;) {
    const answer = await ask(question, context, { fallback });
    if (isNone(answer)) return { body: '', header: undefined };
    const isHeader = /\/api\/open(?:\/|$)/.test(answer);
    const value = usableValue(isHeader ? keys.header : keys.body, answer, context);
    if (value !== undefined)
      return isHeader ? { body: '', header: value } : { body: value, header: undefined };
  }
}

/** Asks for the address for header signatures. Returns an empty text for none. */
async function secondAddress(
  keys: AddressKeys,
  known: Profile,
  bodyBefore: string,
  context: Context,
): Promise<string> {
  const { output } = context;
  const { [keys.body]: body = '', [keys.header]: header = '', mode } = known;
  output.note('Header signatures (protocol 2.0) may have their own address.');
  // If both addresses were the same, suggest the new body address for both.
  const own = header === bodyBefore ? '' : header;
  const hasNoHeaderAddress = header === '' && mode === 'body';
  const fallback = hasNoHeaderAddress ? '-' : own || body;
  const question = `address for header signatures, without /api/open${body && ' (type - for none)'}`;
  for (;;) {
    const answer = await ask(question, context, { fallback });
    if (isNone(answer) && body !== '') return '';
    if (isNone(answer)) {
      output.say('enter at least one of the two addresses');
      continue;
    }
    const value = usableValue(keys.header, answer, context);
    if (value !== undefined) return value;
  }
}

function isNone(answer: string): boolean {
  return answer === '' || answer === '-';
}

/** The settings to enter again; undefined for all of them. */
type SettingsToEnter = readonly string[] | undefined;

/** Asks for the next step after a failed test. */
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
  if (canCorrect) output.say(`[c]orrect ${suspects.join(' and ')}`);
  output.say('[e]nter everything again\n[s]tore it anyway\n[q]uit, and store nothing');
  const fallback = canCorrect ? 'c' : 'e';
  for (;;) {
    const answer = (await ask('next step', context, { fallback })).toLowerCase();
    if (canCorrect && /^c(?:orrect)?$/.test(answer)) return suspects;
    if (/^e(?:nter)?$/.test(answer)) return undefined;
    if (/^s(?:tore)?$/.test(answer)) return 'store';
    if (/^q(?:uit)?$/.test(answer)) return 'quit';
    // Do not print the answer: it may be a secret that was typed too early.
    output.say('answer with one of the letters in brackets');
  }
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
