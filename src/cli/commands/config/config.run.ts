import { resolve } from 'node:path';
import { MopError, quoted } from '../../../errors.ts';
import { configPath, type Profile } from '../../context/config-file.ts';
import { type Context, configOf, settingsOf } from '../../context/context.ts';
import { askSecret, confirm } from '../../context/prompt.ts';
import {
  listedSetting,
  redactedSetting,
  SECRET_KEYS,
  SETTINGS,
  type SettingKey,
  settingFault,
} from '../../context/setting-keys.ts';
import { DEFAULT_PROFILE, storedProfile } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import {
  assertCanEdit,
  assertProfile,
  editConfig,
  editProfile,
  profileToTransfer,
  warnOfOverrides,
  withSettings,
} from './edit-config.ts';

export async function set({
  args: [key, value],
  context,
}: Call<unknown, [SettingKey, string | undefined]>): Promise<void> {
  const stored = key === 'api_secret' ? await newSecret(value, context) : newValue(key, value);
  let replaced: string | undefined;
  const profile = await editProfile(context, (values) => {
    replaced = replacedSecret(key, values);
    return withSettings(values, { [key]: stored });
  });
  const { output } = context;
  if (replaced) output.warn(`${key} replaces the stored ${replaced} of profile ${profile}`);
  output.note(`${key} is set in profile ${profile}`);
  warnOfOverrides([key], profile, context);
}

/** The stored secret setting that the new one replaces; undefined if there is no other secret. */
function replacedSecret(key: SettingKey, stored: Profile): string | undefined {
  const secretKeys: readonly string[] = SECRET_KEYS;
  if (!secretKeys.includes(key)) return undefined;
  return secretKeys.find((each) => each !== key && each in stored);
}

async function newSecret(value: string | undefined, context: Context): Promise<string> {
  if (value === undefined) return askSecret(context);
  context.output.conceal(value);
  throw new MopError('usage', 'a secret cannot be given on the command line', {
    hint: 'omit the value to enter it at a prompt, or pipe it: mop config set api_secret < FILE',
  });
}

function newValue(key: SettingKey, value: string | undefined): string {
  if (value === undefined) {
    throw new MopError('usage', `config set ${key} needs a value`, {
      hint: 'write mop config set SETTING VALUE; mop help settings explains each setting',
    });
  }
  const { choices, path } = SETTINGS[key];
  const fault = settingFault(key, value);
  if (fault) {
    const shown = JSON.stringify(redactedSetting(key, value));
    throw new MopError('usage', `${key} cannot be ${shown}: ${fault}`, {
      hint: 'mop help settings explains each setting',
      ...(choices && { unknown: { word: value, names: choices } }),
    });
  }
  return path ? resolve(value) : value;
}

export async function get({ args: [key], context }: Call<unknown, [SettingKey]>): Promise<void> {
  const settings = settingsOf(context);
  const found = settings.find(key);
  if (!found) {
    throw new MopError('config', `${key} is not set`, {
      hint: quoted`to set it, run: mop config set ${key} VALUE -p ${settings.profile} (without VALUE for a secret)`,
    });
  }
  const value = listedSetting(key, found.value);
  await context.output.result({ key, value, source: found.source }, value);
}

export async function unset({ args: [key], context }: Call<unknown, [SettingKey]>): Promise<void> {
  const profile = await editProfile(context, ({ [key]: removed, ...rest }) => rest, {
    create: false,
  });
  context.output.note(`${key} is no longer set in profile ${profile}`);
}

export async function list({ context }: Call): Promise<void> {
  const { output } = context;
  const settings = settingsOf(context);
  const values = (Object.keys(SETTINGS) as SettingKey[]).map((key) => {
    const found = settings.find(key);
    const value = found ? listedSetting(key, found.value) : null;
    return { key, value, source: found?.source ?? 'default' };
  });
  const rows = values.map(({ key, value, source }) => [key, value ?? '-', output.word(source)]);
  output.note(`profile ${settings.profile}`);
  const document = { profile: settings.profile, values };
  await output.result(document, await output.table(['KEY', 'VALUE', 'SOURCE'], rows));
}

export async function path({ context: { io, output } }: Call): Promise<void> {
  const path = configPath(io, output.warnOnce);
  await output.result({ path }, path);
}

export async function profiles({ context }: Call): Promise<void> {
  const { output } = context;
  const { current = DEFAULT_PROFILE, profiles } = configOf(context);
  const rows = Object.entries(profiles).map(([name, { environment = 'production' }]) => ({
    name,
    environment,
    current: name === current,
  }));
  if (output.quiet && !output.json) {
    if (rows.length > 0) await output.data(rows.map(({ name }) => name).join('\n'));
    return;
  }
  if (rows.length === 0)
    output.note('there is no profile yet; to create one, run: mop config init');
  const cells = rows.map(({ name, environment, current }) => [
    current ? '*' : '',
    name,
    environment,
  ]);
  const table = await output.table(['', 'PROFILE', 'ENVIRONMENT'], cells);
  await output.result({ profiles: rows }, table);
}

export async function use({ args: [name], context }: Call<unknown, [string]>): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    return { ...config, current: name };
  });
  const { io, output } = context;
  output.note(`now using profile ${name}`);
  const { MOP_PROFILE: variable } = io.env;
  if (variable && variable !== name) {
    output.warn(`MOP_PROFILE is set: it selects profile ${variable}`);
  }
}

export async function copyProfile({
  args: [from, to],
  context,
}: Call<unknown, [string, string]>): Promise<void> {
  await editConfig(context, (config) => {
    const copy = profileToTransfer(config, from, to);
    return { ...config, profiles: { ...config.profiles, [to]: { ...copy } } };
  });
  context.output.note(`profile ${to} is a copy of ${from}`);
}

export async function renameProfile({
  args: [from, to],
  context,
}: Call<unknown, [string, string]>): Promise<void> {
  const { io, output } = context;
  await editConfig(context, (config) => {
    profileToTransfer(config, from, to);
    const { current = DEFAULT_PROFILE } = config;
    const renamed = Object.entries(config.profiles).map(([name, values]) => [
      name === from ? to : name,
      values,
    ]);
    return {
      current: current === from ? to : config.current,
      profiles: Object.fromEntries(renamed),
    };
  });
  output.note(`profile ${from} is renamed to ${to}`);
  output.warn(
    quoted`bills and account links are still recorded under ${from}: see mop config rename-profile --help`,
  );
  if (io.env.MOP_PROFILE === from) output.warn(`MOP_PROFILE still names ${from}`);
}

export async function deleteProfile({
  args: [name],
  context,
}: Call<unknown, [string]>): Promise<void> {
  assertCanEdit(context);
  assertProfile(configOf(context), name);
  if (context.io.stdin.isTTY && !(await confirm(`Delete profile ${name}?`, context))) {
    throw new MopError('interrupted', `profile ${name} is not deleted`, {
      hint: 'nothing was changed; answer y to delete it',
    });
  }
  await editConfig(context, (config) => {
    assertProfile(config, name);
    const { [name]: deleted, ...profiles } = config.profiles;
    return { current: config.current === name ? undefined : config.current, profiles };
  });
  context.output.note(`profile ${name} is deleted`);
}
