import type { Level } from '../../protocol/detection.ts';
import type { CopyTexts } from '../../server/pages/copyable.ts';
import type { Language } from '../language.ts';
import type { ExchangeTexts } from './exchange-parts.ts';
import type { CONSOLE_SCRIPT, DETECTION_SCRIPT, FAILURES, SPEECH_FAILURES } from './texts.ts';

type Strings<T> = Readonly<Record<keyof T, string>>;

/** The data block of the detection page, for its script. */
export interface DetectionData {
  /** The tag of the page's language; selects the voice and the number format. */
  readonly language: string;
  /** The language of the service's findings. */
  readonly resultLanguage: Language;
  readonly detectPath: string;
  readonly maxLength: number;
  readonly texts: Strings<typeof DETECTION_SCRIPT>;
  readonly levels: Strings<Record<Level, unknown>>;
  readonly categories: Readonly<Record<string, { readonly name: string; readonly effect: string }>>;
  readonly failures: Strings<typeof FAILURES>;
  readonly speechFailures: Strings<typeof SPEECH_FAILURES>;
}

/** The data block of the API documentation, for its script. */
export interface ApiDocsData {
  /** The tag of the page's language. */
  readonly language: string;
  readonly exchangeTexts: ExchangeTexts;
  readonly copyTexts: CopyTexts;
}

/** The data block of the console, for its script. */
export interface ConsoleData extends ApiDocsData {
  readonly texts: Strings<typeof CONSOLE_SCRIPT>;
}
