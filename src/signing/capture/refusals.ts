import { type MopError, own, quoted } from '../../errors.ts';
import { captureError, captureFault, type FaultName } from './captured-request.ts';
import NOTATION_LINES from './object-notations.txt?raw';
import { objectsIn } from './objects.ts';

type Fits = RegExp | ((text: string) => boolean);

interface Refusal {
  readonly error: () => MopError;
  /** Whether it describes the text, or a text below a layer of it. */
  readonly fits: Fits;
}

/** Refusals by the names of their faults, in the order of trying. */
function refusals(rows: { readonly [fault in FaultName]?: Fits }): readonly Refusal[] {
  return Object.entries(rows).map(([fault, fits]) => ({
    error: () => captureFault('log', fault as FaultName),
    fits,
  }));
}

const AS_SENT = 'log the text of the body as it was sent';

/** Whether parts occur in their order. One expression for all of them would take quadratic time. */
function inOrder(parts: readonly string[]): (text: string) => boolean {
  const patterns = parts.map((part) => new RegExp(part, 'im'));
  return (text) => {
    let rest = text;
    return patterns.every((pattern) => {
      const found = pattern.exec(rest);
      rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
      return found !== null;
    });
  };
}

const NAME = '(?:sign|api_?key)';
const NOTATIONS = Array.from(
  NOTATION_LINES.matchAll(/^(?!#)(.+?) ;; (.+?) ;; \/(.+)\/$/gm),
  ([, form, how = '', pattern = '']): Refusal => ({
    error: () =>
      captureError(
        'log',
        `it contains ${form}, not the JSON that was sent`,
        quoted`${own(AS_SENT)}: ${own(how)}`,
      ),
    fits: inOrder(pattern.replaceAll('NAME', NAME).split(' … ')),
  }),
);

const SPECIFIC: readonly Refusal[] = [
  ...refusals({
    'postman-collection': /"info"\s*:\s*\{[\s\S]{0,2000}(?:getpostman\.com|_postman_id)/,
    'apache-headers': /(?:headers?\b[^\n"]{0,100}|^)>> [A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\s*$/m,
    'urllib3-log': (text) =>
      /connectionpool\b[^\n]{0,300}"[A-Z]{3,10} [^\s"]+ HTTP\/[\d.]+" \d{3}/.test(text) &&
      !/\bsend: ?[bu]?['"]/.test(text),
    'curl-verbose': (text) =>
      /^[ \t]{0,8}> [A-Z]{3,10} \S+ HTTP\/\d/m.test(text) && /^\* /m.test(text),
    'incomplete-trace': /=> Send (?:header|data), \d+ bytes? \(0x/,
    inspected: /\w: \[(?:Object|Array|AxiosHeaders)\]|\.\.\. \d+ more (?:item|character|propert)/,
    'cut-buffer': /<Buffer (?:[\da-f]{2} ){2,60}\.\.\. \d+ more bytes>/,
    'object-name':
      /\[object (?:Object|Promise|ReadableStream)\]|(?:body|payload|data)\W{1,4}(?:\[B@|[\w.$]{3,80}@)[\da-f]{5,8}\b/i,
  }),
  ...NOTATIONS,
  ...refusals({
    gzip: /H4sI[\w+/]{16}|\b1f[ :,]?8b[ :,]?08\b/,
    'octal-dump': /^\d{7}(?: {1,3}\S{1,3}){8,16}$/m,
    'masked-body':
      /(?:body|payload|data|content)\W{1,4}(?:\*{3,}|\[(?:REDACTED|FILTERED|MASKED|OMITTED|HIDDEN)\b|<(?:redacted|omitted|hidden|masked))/i,
  }),
];

const CUT =
  /\.\.\.\s*\(?\d+ (?:more )?(?:bytes|characters|chars)|[[(<]?truncated\b|…\s*$|\.{3}["']?\s*$/im;
const FIELD = /"(?:api_key|seq_id|nonce|sign)"\s*:/;

/** Texts without a better description. */
const GENERAL: readonly Refusal[] = refusals({
  'hex-dump': /^\W{0,3}(?:0x)?[\da-f]{4,8}[:|]?[ \t]{1,4}(?:[\da-f]{2} ?){4}/im,
  'cut-json': (text) =>
    /\{\s*"/.test(text) &&
    (CUT.test(text) || !hasJson(text) || (FIELD.test(text) && !hasWholeJson(text))),
  'sign-without-body': /x[-_]tms[-_]sign(?![-_])/i,
  'sign-not-text': (text) => /(["'])sign\1\s*:/.test(text) && hasJson(text),
  urlencoded: /(?:^|[&?\s"'])sign=[\da-f]{32}\b/i,
  'only-response': /^[<>]? ?HTTP\/\d(?:\.\d)? \d{3}/m,
  'access-log':
    /"POST (?:https?:\/)?\/[^\s"]{0,2000} HTTP\/[\d.]{1,3}" (?:\d{3} |["-])|^#Fields: /m,
  'unsigned-json': (text) => (/sign|x-tms-/i.test(text) || FIELD.test(text)) && hasJson(text),
});

/** Whether a text contains JSON with a field of the protocol: then its objects are not cut off. */
function hasWholeJson(text: string): boolean {
  for (const { text: json } of objectsIn(text)) if (FIELD.test(json)) return true;
  return false;
}

function hasJson(text: string): boolean {
  return !objectsIn(text).next().done;
}

export function refusal(
  texts: readonly string[],
  rows: 'specific' | 'general',
): MopError | undefined {
  const fitting = (rows === 'specific' ? SPECIFIC : GENERAL).find(({ fits }) =>
    texts.some((text) => (fits instanceof RegExp ? fits.test(text) : fits(text))),
  );
  return fitting?.error();
}
