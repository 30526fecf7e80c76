import { SETTINGS } from '../../context/setting-keys.ts';

/** Every setting as data (contract section 8); null for a missing value. */
export const settings = Object.entries(SETTINGS).map(
  ([key, { meaning, fallback, variable, flag }]) => ({
    key,
    meaning,
    default: fallback ?? null,
    variable: variable ?? null,
    flag: flag ?? null,
  }),
);

const KEY_WIDTH = Math.max(...settings.map(({ key }) => key.length)) + 2;

/** Every setting on two lines: its meaning, then its default, variable and flag. */
export function settingsText(): string {
  return settings
    .flatMap(({ key, meaning, default: preset, variable, flag }) => {
      const sources = [...(preset ? [`default ${preset}`] : []), variable, flag].filter(Boolean);
      const line = key.padEnd(KEY_WIDTH) + meaning;
      return sources.length > 0 ? [line, ' '.repeat(KEY_WIDTH) + sources.join(', ')] : [line];
    })
    .join('\n');
}
