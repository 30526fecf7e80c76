import { LANGUAGES, type Language } from '../../protocol/language.ts';
import { type ConfigFile, configPath, readConfig } from './config-file.ts';
import type { Io } from './io.ts';
import { currentProfile, type SettingFlags } from './settings.ts';

/** A language or a locale, such as `zh`, `zh-Hans` and `zh_CN.UTF-8`; undefined for any other. */
export function languageNamed(text: string): Language | undefined {
  const [name] = text.toLowerCase().split(/[-_.@]/);
  return LANGUAGES.find((language) => language === name);
}

/** The language that the user chose: `--lang`, `MOP_LANG`, or the setting `lang` (contract section 1). */
function chosenLanguage(flags: SettingFlags, io: Io): Language | undefined {
  const named = (text = ''): Language | undefined => languageNamed(text);
  return named(flags.lang) ?? named(io.env.MOP_LANG) ?? named(storedLanguage(flags, io));
}

/** The language of messages: the chosen one, or else that of the locale. */
export function languageOf(flags: SettingFlags, io: Io): Language {
  return chosenLanguage(flags, io) ?? localeLanguage(io);
}

/** The value of the setting. A command that needs the configuration reports its faults. */
function storedLanguage(flags: SettingFlags, io: Io): string | undefined {
  const ignore = (): void => {};
  let config: ConfigFile;
  try {
    config = readConfig(configPath(io, ignore), ignore);
  } catch {
    return undefined;
  }
  const profile = currentProfile(flags, io.env, config);
  return Object.hasOwn(config.profiles, profile) ? config.profiles[profile]?.lang : undefined;
}

/** The language of the locale. Chinese is printed as UTF-8: another encoding would garble it. */
function localeLanguage({ env, stdout, stderr }: Pick<Io, 'env' | 'stdout' | 'stderr'>): Language {
  const locale = namedLocale(env);
  if (locale) {
    const [, encoding = 'utf-8'] = /\.([\w-]+)/.exec(locale) ?? [];
    return /^utf-?8$/i.test(encoding) ? (languageNamed(locale) ?? 'en') : 'en';
  }
  // Windows sets no variable. Its terminals show every character, but a pipe has a code page.
  const isTerminal = stdout.isTTY && stderr.isTTY;
  if (process.platform !== 'win32' || !isTerminal) return 'en';
  return languageNamed(new Intl.DateTimeFormat().resolvedOptions().locale) ?? 'en';
}

/** The language to prefer in a service's texts, such as `zh`; undefined for no preference. */
export function acceptedLanguage(flags: SettingFlags, io: Io): string | undefined {
  const locale = /^[a-z]{2,3}(?=$|[_.@-])/i.exec(namedLocale(io.env) ?? '')?.[0].toLowerCase();
  return chosenLanguage(flags, io) ?? locale;
}

function namedLocale({ LC_ALL, LC_MESSAGES, LANG }: Io['env']): string | undefined {
  return LC_ALL || LC_MESSAGES || LANG;
}
