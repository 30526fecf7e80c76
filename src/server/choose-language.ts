import { languageDetector } from 'hono/language';
import { LANGUAGES } from '../protocol/language.ts';

/**
 * Middleware that sets the variable `language` of the request: `?lang`, then Accept-Language, then
 * English.
 */
export const chooseLanguage = languageDetector({
  order: ['querystring', 'header'],
  lookupQueryString: 'lang',
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: 'en',
  caches: false,
});
