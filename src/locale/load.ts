import type { Language } from '../protocol/language.ts';
import { type Catalog, Translator } from './translator.ts';

/** The texts of a language; undefined for English, in which all code is written. */
export async function catalogOf(language: Language): Promise<Catalog | undefined> {
  return language === 'zh' ? (await import('./zh.ts')).ZH : undefined;
}

/** The translator into a language; undefined for English. */
export async function translatorOf(language: Language): Promise<Translator | undefined> {
  const catalog = await catalogOf(language);
  return catalog && new Translator(catalog);
}
