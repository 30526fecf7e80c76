import type { Language } from '../protocol/language.ts';
import type { Catalog, Entries } from './entries.ts';
import type { Translator } from './translator.ts';

/** The texts of a language; undefined for English, in which all code is written. */
export async function catalogOf(language: Language): Promise<Catalog | undefined> {
  return (await moduleOf(language))?.ZH;
}

/**
 * The translator into a language; undefined for English.
 *
 * @param argv The command line, whose texts are data in messages.
 */
export async function translatorOf(
  language: Language,
  argv: readonly string[] = [],
): Promise<Translator | undefined> {
  const chinese = await moduleOf(language);
  if (!chinese) return undefined;
  entries ??= new chinese.Entries(chinese.ZH);
  return new chinese.Translator(entries, chinese.textsOfArguments(argv));
}

let entries: Entries | undefined;

async function moduleOf(language: Language) {
  return language === 'zh' ? await import('./zh.ts') : undefined;
}
