import {
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  type Settings,
  type SettingValue,
} from '../../settings.ts';

/** Where the value in force of a key or secret comes from, for a person. */
export function placeOf(
  key: SettingKey,
  { source, value }: SettingValue,
  settings: Settings,
): string {
  if (source === 'flag') return key === 'api_key' ? '--api-key' : `--secret-file ${value}`;
  if (source === 'env') return (SETTINGS[key] as SettingSpec).variable ?? key;
  return `${key} of profile ${settings.profile}`;
}
