import type { Command } from 'commander';
import { MopError } from '../../../errors.ts';
import { addressSetting } from '../../../platform/address.ts';
import type { Choose } from '../../command.ts';
import { configPath } from '../../config-file.ts';
import type { Context } from '../../context.ts';
import { ask, askSecret } from '../../prompt.ts';
import { type SettingKey, settingFault } from '../../settings.ts';
import { editProfile, withSettings } from './edit.ts';

export function registerInit(config: Command, choose: Choose): void {
  config
    .command('init')
    .description('Ask for what a profile needs, and store it.')
    .action((_: unknown, command: Command) => choose(command, runInit));
}

async function runInit(context: Context): Promise<void> {
  const { io, output } = context;
  if (!io.stdin.isTTY) {
    throw new MopError('usage', 'config init asks questions, and there is no terminal', {
      hint: 'in a script use: mop config set KEY VALUE, and mop config set api_secret < FILE',
    });
  }
  const environment = await askSetting('environment', 'environment', context, 'production');
  const values: Record<string, string> = { environment };
  if (environment !== 'sandbox') {
    const key = addressSetting('body', environment === 'test');
    values[key] = await askSetting(key, 'address of the platform, without /open/v1', context);
    values.api_key = await askSetting('api_key', 'api_key', context);
    values.api_secret = await askSecret(context);
  }
  const profile = await editProfile(context, (stored) => withSettings(stored, values));
  output.note(`profile ${profile} is stored in ${configPath(io)}`);
}

/** Asks until the answer is usable. */
async function askSetting(
  key: SettingKey,
  question: string,
  context: Context,
  fallback?: string,
): Promise<string> {
  for (;;) {
    const answer = await ask(question, context, { ...(fallback && { fallback }) });
    const fault = settingFault(key, answer);
    if (!fault) return answer;
    context.output.line(`that cannot be the ${key}: ${fault}`);
  }
}
