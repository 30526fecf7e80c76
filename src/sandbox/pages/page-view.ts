import type { Context } from 'hono';
import type { Language } from '../language.ts';

/** A text in every language of the pages: a missing language is a type error. */
export type Text = Readonly<Record<Language, string>>;

export interface View {
  readonly language: Language;
  readonly path: string;
  /** The address of this site, without a slash at the end. */
  readonly origin: string;
  /** A text in the reader's language. */
  readonly t: (text: Text) => string;
  /** A path of this site. Keeps the language that `?lang` selected. */
  readonly link: (path: string) => string;
}

/** The view of a request whose language is chosen. */
export function viewOf(c: Context): View {
  const language = c.get('language') as Language;
  // An unsupported language in `?lang` has no effect.
  const asked = c.req.query('lang')?.toLowerCase().startsWith(language) ?? false;
  return {
    language,
    path: c.req.path,
    origin: siteOrigin(c),
    t: (text) => text[language],
    link: (path) => (asked ? withLanguage(path, language) : path),
  };
}

/** The address of this site, without a slash at the end. */
export function siteOrigin({ req }: Context): string {
  return new URL(req.url).origin;
}

export function withLanguage(path: string, language: Language): string {
  return `${path}?lang=${language}`;
}
