import { Argument } from 'commander';
import { checkKey, SETTINGS } from '../../context/setting-keys.ts';

export function settingArgument(): Argument {
  return new Argument('<key>', 'a setting').choices(Object.keys(SETTINGS)).argParser(checkKey);
}
