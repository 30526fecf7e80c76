import type { MopError } from '../../errors.ts';
import { type CaptureFormat, captureFault } from './captured-request.ts';

/**
 * Whether a command is written for cmd.exe, not for a POSIX shell. The first quote decides; after a
 * plain double quote, which both use, the escapes of cmd decide.
 */
export function isCmdCommand(text: string, start: number): boolean {
  const firstQuote = /\s(\^"|\$?'|")/.exec(text.slice(start, start + 10_000))?.[1];
  if (firstQuote === '^"') return true;
  if (firstQuote?.endsWith("'")) return false;
  // A caret at the end of a line, or a quote in JSON of older versions of Chrome: ^\^" or {""name.
  return /\^\r?\n|\^\\\^"|\{""\w/.test(text.slice(start));
}

/**
 * Whether a browser wrote a command for cmd.exe. Then every `^` and every `\` before a special
 * character is an escape; cmd.exe reads some of them differently, but the browser sent the request
 * to verify.
 */
export function isBrowserCommand(text: string, start: number): boolean {
  return /\s\^"|\^\\\^"/.test(text.slice(start));
}

/** In quotes a caret is an ordinary character. An operator ends the command. */
const LINE = /[^^"&|<>\n]*(?:(?:\^\n?.?|"[^"\n]*"?)[^^"&|<>\n]*)*/sy;
/** A browser joins its commands with an & at the end of the line. */
const BROWSER_LINE = /[^^&\n]*(?:(?:\^\n?.?|&(?![ \t]*\n))[^^&\n]*)*/sy;

/**
 * The line that cmd.exe passes to a program, from `start` on in a text with LF line ends. A caret
 * at the end of a line removes the line end and escapes the next character.
 */
export function cmdLine(
  text: string,
  start: number,
  browser: boolean,
): { readonly line: string; readonly end: number } {
  const pattern = browser ? BROWSER_LINE : LINE;
  pattern.lastIndex = start;
  const [written = ''] = pattern.exec(text) ?? [];
  const line = browser
    ? written.replace(/\^\n?(.?)/gs, '$1')
    : written.replace(/("[^"\n]*"?)|\^\n?(.?)/gs, '$1$2');
  return { line, end: start + written.length + 1 };
}

/**
 * The words of a line in the C runtime ("Parsing C command-line arguments" at learn.microsoft.com).
 */
export function cmdWords(
  line: string,
  browser: boolean,
  format: CaptureFormat,
): readonly string[] | MopError {
  const token = /([ \t]+)|(\\*)"|\\+|[^ \t"\\]+/y;
  // In a browser's command, backslashes before a quote are not special: the second group is empty.
  const browserToken = /([ \t]+)|()"|\\[\\"$`]|\\|[^ \t"\\]+/y;
  const pattern = browser ? browserToken : token;
  const words: string[] = [];
  let quoted = false;
  let word: string | undefined;
  for (pattern.lastIndex = 0; pattern.lastIndex < line.length; ) {
    const [text = '', blank, backslashes] = pattern.exec(line) ?? [];
    if (blank !== undefined && !quoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (backslashes === undefined) {
      word = (word ?? '') + (browser ? text.replace(/^\\(?=.)/, '') : text);
    } else {
      // Only before a quote, two backslashes mean one.
      word = (word ?? '') + '\\'.repeat(backslashes.length >> 1);
      if (backslashes.length % 2 === 1) {
        word += '"';
      } else if (quoted && line[pattern.lastIndex] === '"') {
        word += '"';
        pattern.lastIndex++;
      } else {
        quoted = !quoted;
      }
    }
  }
  if (quoted) {
    return captureFault(format, 'open-quote', [words.length + 1]);
  }
  if (word !== undefined) words.push(word);
  return words;
}
