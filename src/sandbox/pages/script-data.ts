import type { Level } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import type { CONSOLE_SCRIPT, DETECTION_SCRIPT, FAILURES, SPEECH_FAILURES } from './texts.ts';

type Strings<T> = Readonly<Record<keyof T, string>>;

/** The data block of the detection page, for its script. */
export interface DetectionData {
  /** The tag of the page's language, for voices and numbers. */
  readonly language: string;
  /** The language in which the service is to name and explain what it finds. */
  readonly resultLanguage: Language;
  readonly detectPath: string;
  readonly maxLength: number;
  readonly texts: Strings<typeof DETECTION_SCRIPT>;
  readonly levels: Strings<Record<Level, unknown>>;
  readonly categories: Readonly<
    Record<string, { readonly name: string; readonly subject: string }>
  >;
  readonly failures: Strings<typeof FAILURES>;
  readonly speechFailures: Strings<typeof SPEECH_FAILURES>;
}

/** The data block of the console, for its script. */
export interface ConsoleData {
  readonly language: string;
  readonly texts: Strings<typeof CONSOLE_SCRIPT>;
}
