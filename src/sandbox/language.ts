/** The languages of the pages, of the rules and of what they say. */
export const LANGUAGES = ['en', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];
