import { quoted } from './chinese.ts';
import { quotesIn } from './english.ts';

/**
 * Texts of the user and of servers, which a translation keeps even if they are words of mop: names of
 * files, columns and fields, and messages.
 */
export class KeptTexts {
  readonly #texts: ReadonlySet<string>;
  /** Texts with spaces could end a sentence early. The longest is first: it may contain others. */
  readonly #phrases: readonly string[];

  constructor(texts: Iterable<string> = []) {
    this.#texts = new Set(texts);
    this.#phrases = [...this.#texts]
      .filter((text) => /\S\s+\S/.test(text) && text.length <= MAX_LENGTH)
      .sort((a, b) => b.length - a.length)
      .slice(0, MAX_PHRASES);
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Translates a message with a sign, which is not language, in the place of each phrase. */
  around(message: string, translate: (message: string) => string): string {
    // A message with such signs is not protected: its signs would become phrases.
    if (this.#phrases.length === 0 || message.search(SIGN) >= 0) return translate(message);
    const hidden = this.#phrases.reduce(
      (text, phrase, at) => replaced(text, phrase, signOf(at)),
      message,
    );
    const translation = translate(hidden);
    return translation.replaceAll(SIGN, (sign, at: number) =>
      quoted(
        this.#phrases[placeOf(sign)] ?? sign,
        translation.slice(Math.max(at - 3, 0), at),
        translation.slice(at + 1, at + 4),
      ),
    );
  }
}

/**
 * The texts of a command line that a message may repeat: values of options and their parts, names
 * within JSON, and arguments that are not names of commands.
 */
export function textsOfArguments(argv: readonly string[]): ReadonlySet<string> {
  const texts = argv.flatMap((argument, at) => {
    const isCommand = /^[a-z-]+$/.test(argument) && !argv[at - 1]?.startsWith('-');
    const value = argument.replace(/^[^=]*=/, '');
    return isCommand ? [] : [argument, value, ...quotesIn(argument)];
  });
  return new Set(texts);
}

/** Replaces a phrase, unless it is a part of a longer word or path. */
function replaced(text: string, phrase: string, sign: string): string {
  return text.replaceAll(phrase, (found, at: number) => {
    const end = at + phrase.length;
    const isPart =
      /[\w/]/.test(text.slice(Math.max(at - 1, 0), at)) ||
      /^(?:\/|\.?\w)/.test(text.slice(end, end + 2));
    return isPart ? found : sign;
  });
}

/** Limits for phrases: more of them, or longer ones, are texts, and not names. */
const MAX_PHRASES = 100;
const MAX_LENGTH = 1000;

/** Characters of the private use area, which no font needs. */
const FIRST_SIGN = 0xe000;
const SIGN = /[\ue000-\ue063]/g;

function signOf(place: number): string {
  return String.fromCharCode(FIRST_SIGN + place);
}

function placeOf(sign: string): number {
  return sign.charCodeAt(0) - FIRST_SIGN;
}
