import type { Language } from '../protocol/language.ts';
import type { Catalog, Translator } from './translator.ts';

/** The texts of a language; undefined for English, in which all code is written. */
export async function catalogOf(language: Language): Promise<Catalog | undefined> {
  return (await moduleOf(language))?.ZH;
}

/** The translator into a language; undefined for English. */
export async function translatorOf(language: Language): Promise<Translator | undefined> {
  const chinese = await moduleOf(language);
  if (!chinese) return undefined;
  translator ??= new chinese.Translator(chinese.ZH);
  return translator;
}

let translator: Translator | undefined;

async function moduleOf(language: Language) {
  return language === 'zh' ? await import('./zh.ts') : undefined;
}
