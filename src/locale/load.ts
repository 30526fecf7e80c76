import type { Language } from '../protocol/language.ts';
import type { Catalog, Entries } from './entries.ts';
import type { Translator } from './translator.ts';

/** The texts of a language; undefined for English, in which all code is written. */
export async function catalogOf(language: Language): Promise<Catalog | undefined> {
  return (await moduleOf(language))?.ZH;
}

/** A translator into a language; undefined for English. */
export async function translatorOf(language: Language): Promise<Translator | undefined> {
  const chinese = await moduleOf(language);
  if (!chinese) return undefined;
  entries ??= new chinese.Entries(chinese.ZH);
  return new chinese.Translator(entries);
}

let entries: Entries | undefined;

async function moduleOf(language: Language) {
  return language === 'zh' ? await import('./zh.ts') : undefined;
}
