import type { Profile } from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';
import type { SettingKey } from '../../context/setting-keys.ts';
import { usableValue } from './ask-setting.ts';

/** The settings of the two addresses (D1 4.0). */
export interface AddressKeys {
  readonly body: SettingKey;
  readonly header: SettingKey;
}

/**
 * Asks for the addresses of the platform. One of the two is enough.
 *
 * @param known The values so far.
 * @param isAsked Whether to ask for a setting.
 * @returns The addresses; a missing one is empty, and `mode` is then that of the other.
 */
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
      output.line('enter at least one of the two addresses');
      continue;
    }
    const value = usableValue(keys.header, answer, context);
    if (value !== undefined) return value;
  }
}

function isNone(answer: string): boolean {
  return answer === '' || answer === '-';
}
