import { MopError } from '../../../errors.ts';
import { configOf } from '../../context/context.ts';
import { confirm } from '../../context/prompt.ts';
import type { Call } from '../../frame/command.ts';
import { assertCanEdit, assertProfile, editConfig } from './edit-config.ts';

export async function run({ args: [name], context }: Call<unknown, [string]>): Promise<void> {
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
