import { isUnbounded } from './pattern.ts';
import { type Expression, readExpressions } from './read-expressions.ts';

/**
 * Regular expressions that take more than linear time, or overflow the stack, by the reason why their
 * input is short.
 */
export const BOUNDED: Readonly<Record<string, readonly RegExp[]>> = {
  'its input is a text of mop: help, options, a table, a number or a file name': [
    /^(\S.*? {2,})(\S.*)(?:\n +(\S.*))?$/gm,
    /[<[](.+)[>\]]$/,
    / [<[].*$/,
    /\B(?=(?:\d{3})+$)/g,
    /.*\./,
    /(\S+?)=(\S+)/g,
    /^(.*?)(?:K(.*?))?V(.*?)(?:K.*?)?V(.*)$/s,
    /^(?!#)(.+?) ;; (.+?) ;; \/(.+)\/$/gm,
  ],
  'its input is a message about one option, whose value the system limits to 128 KiB': [
    /^(?:option '(?<flags>[^']*)' argument|value) '(?<value>.*)' is invalid(?: for argument '(?<argument>[^']*)')?\. (?:It must be (?<expected>.*)|Allowed choices are (?<choices>.*))\.$/s,
  ],
  'its input is a setting': [/\/+$/],
  'its input is a header, which Node limits to 16 KiB': [/\s*,\s*/],
  'its input is cut to at most 1,100 characters': [
    /(HTTP\/\d(?:\.\d)? \d{3}|^\s*(?:<|<<<|<--?)\s|<-- \d{3}|\bres(?:p(?:onse)?)?\b|响应|返回)|-->|>>>|\breq(?:uest)?\b|\bpayload\b|请求/gim,
    /^<\S*(?:md5|HASH|hash)\S* .*object\b/,
    /\w*(?:error|exception)\b|\b(?:traceback|failed|failure|not found|no such file|denied|cannot|unable)\b/i,
    /^(?:Array|Resource id #\d+|Object of class \w+.*)$/,
  ],
  'its input has at most 200 characters, because it is cut or a check before it refuses longer ones':
    [
      /^(?:<.*>|\{.*\}|#\{.*\}|\$\w+|\$[{(].*[})]|%\w+%|([x*.])\1*)$/i,
      /\S*[ \t]*$/,
      /^[^\p{L}%]*\d[.,]\d{1,2}(?![\d%]|[.,:/-]\d)[^%]*$/u,
      /[\w.]+-\d+(?= $)/,
      /([A-Za-z_][\w.]*)(?: (?:is|was|are|follows|here|below)){0,2}["']?\s?[=:：]\s?(?:(?:!!\w+ )?[|>]-?\s+|["'])?$/,
      /[\s,;]*[[(](?:len\w*|size|bytes|chars)\s*[=:]?\s*\d+[\])]$/i,
      /[\s,;]*[[(]\d+\s*(?:bytes?|char\w*)[\])]$/i,
      /[\s,;]+(?:len\w*|size|bytes|chars)\s*[=:]?\s*\d+$/i,
      /[\s,;]+\d+\s*(?:bytes?|char\w*)$/i,
      /,?(?:\s+[\w.]+=\S*)+$/,
      /\s+\|$/,
      /(?:\*{3,}|<secret[^>]*>|\[REDACTED\]|<redacted>)$/i,
    ],
};

/** The expressions of the sources that must take linear time, each once. */
export function measuredExpressions(): readonly Expression[] {
  const known = Object.values(BOUNDED).flat().map(String);
  const { expressions } = readExpressions();
  const different = new Map(expressions.map((each) => [String(each.pattern), each]));
  return [...different.values()].filter(
    ({ pattern }) => isUnbounded(pattern) && !known.includes(String(pattern)),
  );
}

/**
 * Files that build expressions of lists, parameters or rules, which the measurement does not know. The
 * trials of captures and the tests of amounts and rules measure their readers.
 */
export const BUILT: readonly string[] = [
  'cli/context/style.ts',
  'detection/contents/records.ts',
  'detection/engine/exemption.ts',
  'detection/engine/normalize.ts',
  'detection/engine/rule.ts',
  'detection/engine/sentences.ts',
  'http/page-text.ts',
  'reconciliation/amount-text.ts',
  'redaction/credential-fields.ts',
  'signing/capture/http-messages.ts',
  'signing/capture/layers/lines.ts',
  'signing/capture/logged-headers.ts',
  'signing/capture/pasted-canonical.ts',
  'signing/capture/pasted-commands.ts',
  'signing/capture/powershell.ts',
  'signing/capture/refusals.ts',
  'signing/capture/sent-at.ts',
  'signing/diagnosis/tables/encodings.ts',
  'signing/diagnosis/tables/texts.ts',
];
