import type { Language } from '../../protocol/language.ts';
import type { Io } from './io.ts';

/** The language of the locale for `Accept-Language`, such as `zh`; undefined for none. */
export function acceptedLanguage({ LC_ALL, LC_MESSAGES, LANG }: Io['env']): string | undefined {
  return /^[a-z]{2,3}(?=$|[_.@-])/i.exec(LC_ALL || LC_MESSAGES || LANG || '')?.[0].toLowerCase();
}

/** Chinese for a Chinese UTF-8 locale, else English. Windows sets no variable: ask Intl there. */
export function localeLanguage({ LC_ALL, LC_MESSAGES, LANG }: Io['env']): Language {
  const named = LC_ALL || LC_MESSAGES || LANG;
  if (named) return /^zh(?:_.*)?\.utf-?8/i.test(named) ? 'zh' : 'en';
  return /^zh\b/.test(new Intl.DateTimeFormat().resolvedOptions().locale) ? 'zh' : 'en';
}
