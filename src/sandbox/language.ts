import { languageDetector } from 'hono/language';

/** The languages of the pages, of the rules and of what they say. */
export const LANGUAGES = ['en', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * Middleware that sets the variable `language` of the request: `?lang`, else Accept-Language, else
 * English.
 */
export const chooseLanguage = languageDetector({
  order: ['querystring', 'header'],
  lookupQueryString: 'lang',
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: 'en',
  caches: false,
});
