import type { Level } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import type CONSOLE from './texts/console.json';
import type DETECTION from './texts/detection.json';
import type EXCHANGE from './texts/exchange.json';

type Strings<T> = Readonly<Record<keyof T, string>>;

export interface DetectionData {
  /** The tag of the page's language; selects the voice and the number format. */
  readonly language: string;
  /** The language of the service's findings. */
  readonly resultLanguage: Language;
  readonly detectPath: string;
  readonly maxLength: number;
  readonly texts: Strings<typeof DETECTION.script>;
  readonly levels: Strings<Record<Level, unknown>>;
  readonly categories: Readonly<Record<string, { readonly name: string; readonly effect: string }>>;
  readonly failures: Strings<typeof DETECTION.failures>;
  readonly speechFailures: Strings<typeof DETECTION.speechFailures>;
}

/** The data of `exchange.js`. */
export interface ExchangeData {
  readonly language: string;
  readonly exchangeTexts: Strings<typeof EXCHANGE.script>;
}

export interface ConsoleData extends ExchangeData {
  readonly texts: Strings<typeof CONSOLE.script>;
}
