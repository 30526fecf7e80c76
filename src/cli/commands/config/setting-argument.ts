import { Argument } from 'commander';
import { checkKey, SETTINGS } from '../../context/setting-keys.ts';

export function settingArgument(): Argument {
  return new Argument('<setting>', 'the name of a setting')
    .choices(Object.keys(SETTINGS))
    .argParser(checkKey);
}
