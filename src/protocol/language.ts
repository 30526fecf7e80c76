export const LANGUAGES = ['en', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];
