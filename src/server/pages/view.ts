import type { Context } from 'hono';
import { languageDetector } from 'hono/language';
import { LANGUAGES, type Language } from '../../protocol/language.ts';

/** A text in every language of the pages: a missing language is a type error. */
export type Text = Readonly<Record<Language, string>>;

/** The tags of BCP 47: a browser selects fonts and voices by them. */
export const LANGUAGE_TAGS = { en: 'en', zh: 'zh-CN' } as const;

export interface View {
  readonly language: Language;
  readonly path: string;
  /** The address of this site, without a slash at the end. */
  readonly origin: string;
  readonly t: (text: Text) => string;
  /** A path of this site. Keeps the language that `?lang` selected. */
  readonly link: (path: string) => string;
}

export function viewOf(c: Context): View {
  const language = c.get('language') as Language;
  // An unsupported language in `?lang` has no effect.
  const asked = c.req.query('lang')?.toLowerCase().startsWith(language) ?? false;
  return {
    language,
    path: c.req.path,
    origin: new URL(c.req.url).origin,
    t: (text) => text[language],
    link: (path) => (asked ? withLanguage(path, language) : path),
  };
}

export function withLanguage(path: string, language: Language): string {
  return `${path}?lang=${language}`;
}

/** A table of texts in one language, for the script of a page. */
export function translated<Key extends string>(
  texts: Readonly<Record<Key, Text>>,
  language: Language,
): Record<Key, string> {
  const entries = Object.entries<Text>(texts).map(([key, text]) => [key, text[language]]);
  return Object.fromEntries(entries) as Record<Key, string>;
}

/** Sets the variable `language` of a request: `?lang`, then Accept-Language, then English. */
export const chooseLanguage = languageDetector({
  order: ['querystring', 'header'],
  lookupQueryString: 'lang',
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: 'en',
  caches: false,
});
