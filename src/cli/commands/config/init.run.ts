import { MopError } from '../../../errors.ts';
import { addressSetting } from '../../../platform/address.ts';
import { configPath, type Profile } from '../../context/config-file.ts';
import { type Context, configOf, settingsOf } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';
import {
  profileOption,
  SECRET_KEYS,
  type SettingKey,
  Settings,
  settingFault,
} from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { examine } from '../doctor/examine.ts';
import { failureOf, printChecks } from '../doctor/print-checks.ts';
import { editableProfile, editProfile, withSettings } from './edit-config.ts';

export async function run({ context }: Call): Promise<void> {
  const { io, output } = context;
  if (!io.stdin.isTTY) {
    throw new MopError('usage', 'config init asks questions, and there is no terminal', {
      hint: 'in a script use: mop config set KEY VALUE, and mop config set api_secret < FILE',
    });
  }
  const values = await interview(storedValues(context), context);
  const profile = await editProfile(context, (stored) => withSettings(stored, values));
  output.note(`profile ${profile} is stored in ${configPath(io)}; testing it`);
  const isWell = await test(profile, context);
  const settings = settingsOf(context, profile);
  for (const key of Object.keys(values) as SettingKey[]) {
    if (settings.find(key)?.source === 'env') {
      output.warn(`${key} is set in the environment too, which wins over what is stored`);
    }
  }
  output.note(
    `${isWell ? 'It works' : 'It is stored; mind the warnings'}. Fetch yesterday's bill: mop bill fetch${profileOption(profile)}`,
  );
}

function storedValues(context: Context): Profile {
  const config = configOf(context);
  const name = editableProfile(context, config);
  context.output.note(`Profile ${name}. Enter takes what stands in parentheses.`);
  return (Object.hasOwn(config.profiles, name) && config.profiles[name]) || {};
}

/** The settings that a person gives; none of those that the sandbox has itself. */
async function interview(stored: Profile, context: Context): Promise<Profile> {
  const { globals, output } = context;
  const askFor = (key: SettingKey, question: string, fallback?: string) =>
    askSetting(key, question, fallback, context);
  const known = globals.env ?? stored.environment ?? 'production';
  const environment = await askFor(
    'environment',
    'environment: production, test or sandbox',
    known,
  );
  if (environment === 'sandbox') return { environment };

  const test = environment === 'test';
  const [bodyKey, headerKey] = [addressSetting('body', test), addressSetting('header', test)];
  const { [bodyKey]: storedBody, [headerKey]: storedHeader } = stored;
  const body = await askFor(bodyKey, 'address of the platform, without /open/v1', storedBody);
  output.note('Header signatures (protocol 2.0) may have their own address.');
  // An address that followed the other one goes on doing so.
  const own = storedHeader === storedBody ? undefined : storedHeader;
  const addressQuestion = 'address for header signatures, without /api/open';
  const header = await askFor(headerKey, addressQuestion, own ?? body);
  const key = await askFor('api_key', 'api_key', stored.api_key);
  const isStored = SECRET_KEYS.some((key) => key in stored);
  const secret = await askNewSecret(isStored, context);
  return {
    environment,
    [bodyKey]: body,
    [headerKey]: header,
    api_key: key,
    ...(secret && { api_secret: secret }),
  };
}

/** Asks until the answer is usable. */
async function askSetting(
  key: SettingKey,
  question: string,
  fallback: string | undefined,
  context: Context,
): Promise<string> {
  for (;;) {
    const answer = await ask(question, context, { ...(fallback && { fallback }) });
    const fault = settingFault(key, answer);
    if (!fault) return answer;
    context.output.line(`that cannot be the ${key}: ${fault}`);
  }
}

/** Asks until there is a secret; empty for the one that is stored. */
async function askNewSecret(isStored: boolean, context: Context): Promise<string> {
  const { output } = context;
  const question = isStored
    ? 'api secret (hidden; Enter keeps the stored one)'
    : 'api secret (hidden)';
  for (;;) {
    const secret = await ask(question, context, { hidden: true });
    if (secret) output.conceal(secret);
    if (secret || isStored) return secret;
    output.line('that cannot be the api_secret: it is empty');
  }
}

/**
 * Checks what is stored, by itself: flags and variables may say something else.
 *
 * @returns Whether there is nothing to warn of.
 * @throws {MopError} What the checks come to.
 */
async function test(profile: string, context: Context): Promise<boolean> {
  const { output } = context;
  const checks = await examine(context, (config) => new Settings({ profile }, {}, config));
  if (!output.json) await printChecks(checks, 'stderr', context);
  const failure = failureOf(checks);
  if (!failure) return checks.every(({ state }) => state !== 'warning');
  output.note(`It is stored all the same; test it again with: mop doctor${profileOption(profile)}`);
  throw failure;
}
