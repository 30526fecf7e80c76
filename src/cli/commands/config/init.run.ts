import { MopError, own, quoted, withDetails } from '../../../errors.ts';
import { addressSetting } from '../../../platform/address.ts';
import { configPath, type Profile } from '../../context/config-file.ts';
import { type Context, configOf } from '../../context/context.ts';
import { ask } from '../../context/prompt.ts';
import { SECRET_KEYS, type SettingKey } from '../../context/setting-keys.ts';
import { Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { examine } from '../doctor/examine.ts';
import { failureOf, printChecks } from '../doctor/print-checks.ts';
import {
  assertCanEdit,
  currentProfileName,
  editProfile,
  warnOfOverrides,
  withSettings,
} from './edit-config.ts';
import { askAddresses, askNextStep, askSetting } from './questions.ts';

export async function run({ context }: Call): Promise<void> {
  const { io, output } = context;
  if (!io.stdin.isTTY) {
    throw new MopError('usage', 'config init asks questions and needs a terminal', {
      hint: 'in a script use: mop config set SETTING VALUE, and mop config set api_secret < FILE',
    });
  }
  assertCanEdit(context);
  const { name, stored } = profileToFill(context);
  output.note(`Profile ${name}. Press Enter to accept the value in parentheses.`);
  const { values, failure, hasNoWarnings } = await workingValues(name, stored, context);
  await editProfile(context, (profile) => completed(profile, values));
  output.note(`profile ${name} is stored in ${configPath(io)}`);
  const { mode } = values;
  if (mode !== undefined) {
    output.note(
      quoted`mode is ${mode}: all operations use the same address; see mop help settings`,
    );
  }
  warnOfOverrides(storedKeys(values), name, context);
  if (failure) {
    output.note(quoted`The profile is stored anyway; test it again with: mop doctor -p ${name}`);
    throw failure;
  }
  const result = hasNoWarnings ? 'It works' : 'It is stored, with the warnings above';
  output.note(quoted`${own(result)}. Fetch yesterday's bill: mop bill fetch -p ${name}`);
}

/** A profile with the entered values, without the addresses that the platform does not have. */
function completed(profile: Profile, values: Profile): Profile {
  const all = Object.entries(withSettings(profile, values));
  return Object.fromEntries(all.filter(([key, value]) => value !== '' || !key.endsWith('_url')));
}

/** The settings that were entered. */
function storedKeys(values: Profile): string[] {
  return Object.keys(completed({}, values));
}

function profileToFill(context: Context): { name: string; stored: Profile } {
  const config = configOf(context);
  const name = currentProfileName(context, config);
  return { name, stored: (Object.hasOwn(config.profiles, name) && config.profiles[name]) || {} };
}

/** The entered values, and the result of their test. */
interface Entered extends Tested {
  readonly values: Profile;
}

/** Asks for values until they pass the test, or the user stores them anyway. */
async function workingValues(name: string, stored: Profile, context: Context): Promise<Entered> {
  let values: Profile = {};
  let again: readonly string[] | undefined;
  for (;;) {
    values = await interview({ stored, entered: values, again }, context);
    const tested = await test(name, values, context);
    const { failure } = tested;
    if (!failure) return { values, ...tested };
    const next = await askNextStep(failure, storedKeys(values), context);
    if (next === 'store') return { values, ...tested };
    if (next === 'quit')
      throw withDetails(failure, {
        hint: 'nothing was stored; to start again, run: mop config init',
      });
    again = next;
  }
}

interface InterviewInput {
  readonly stored: Profile;
  /** Entered in an earlier round. */
  readonly entered: Profile;
  /** The settings to ask for; all by default. */
  readonly again: readonly string[] | undefined;
}

/** Asks for the settings. The sandbox needs no credentials and no addresses. */
async function interview(
  { stored, entered, again }: InterviewInput,
  context: Context,
): Promise<Profile> {
  const { globals } = context;
  const known = withSettings(stored, entered);
  const isAsked = (key: SettingKey): boolean => again?.includes(key) ?? true;
  const askFor = async (key: SettingKey, question: string, fallback?: string): Promise<string> =>
    isAsked(key) ? askSetting(key, question, fallback, context) : (entered[key] ?? '');
  const environment = await askFor(
    'environment',
    'environment: production, test or sandbox',
    entered.environment ?? globals.env ?? known.environment ?? 'production',
  );
  if (environment === 'sandbox') return { environment };

  const test = environment === 'test';
  const keys = { body: addressSetting('body', test), header: addressSetting('header', test) };
  const addresses = await askAddresses(keys, known, isAsked, context);
  const key = await askFor('api_key', 'api_key', known.api_key);
  const isKnown = SECRET_KEYS.some((key) => key in known);
  const typed = isAsked('api_secret') ? await askNewSecret(isKnown, context) : '';
  const secret = typed || entered.api_secret;
  return {
    environment,
    ...addresses,
    api_key: key,
    ...(secret && { api_secret: secret }),
  };
}

/** Asks for a secret until it is not empty. Empty keeps a known secret. */
async function askNewSecret(isKnown: boolean, context: Context): Promise<string> {
  const { output } = context;
  const question = isKnown
    ? 'api secret (hidden; Enter keeps the current one)'
    : 'api secret (hidden)';
  for (;;) {
    const secret = await ask(question, context, { hidden: true });
    if (secret) output.conceal(secret);
    if (secret || isKnown) return secret;
    output.say('invalid api_secret: it is empty');
  }
}

interface Tested {
  readonly failure: MopError | undefined;
  /** Whether no check ended with a warning. */
  readonly hasNoWarnings: boolean;
}

/** Tests the values without flags and variables, which may override them. */
async function test(name: string, values: Profile, context: Context): Promise<Tested> {
  const { output } = context;
  output.note('testing the settings');
  const checks = await examine(context, ({ current, profiles }) => {
    const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    const profile = completed(stored ?? {}, values);
    return new Settings(
      { profile: name },
      {},
      {
        current,
        profiles: { ...profiles, [name]: profile },
      },
    );
  });
  if (!output.json) await printChecks(checks, 'stderr', context);
  const hasNoWarnings = checks.every(({ state }) => state !== 'warning');
  return { failure: failureOf(checks), hasNoWarnings };
}
