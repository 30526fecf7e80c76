interface Format {
  readonly message: string;
  readonly hint: string;
}

/** By the beginning of a text. */
const FORMATS: readonly (readonly [pattern: RegExp, name: string, hint: string])[] = [
  [
    /^HTTP\/\d(?:\.\d)? \d{3}\b.*\n+(?:HTTP\/|[\w-]+:)|\n< HTTP\/\d|^(?:[\w-]+:.*\n)+\n[[{]\s*["{]/,
    'an HTTP response',
    'give its body alone: call curl without -i and -v; a JSON body needs --field PATH',
  ],
  [
    /^(?:(?:event|id|retry)?:.*\n+)+data:|^data:.*\n+(?:event|id|retry|data)?:|^data:\s*[[{]\s*["{]/,
    'an event stream',
    'request the reply as one JSON document, without streaming, and give it with --field PATH',
  ],
  [
    /^<(?:!doctype\s+)?html\b/i,
    'an HTML page',
    'check the address that answered; a JSON reply needs --field PATH',
  ],
  [
    /^(?:null|undefined)$/,
    'a missing value',
    'check the path of the field; --field PATH selects it and reports a missing one',
  ],
  [
    /^begin(?:-base64)? [0-7]{3,4} \S|^<~[\s\S]*~>$|^-----BEGIN PGP MESSAGE-----/,
    'encoded or encrypted',
    'decode it first; --as-is judges the text as given',
  ],
];

const JSON_FORMAT: Format = {
  message:
    'the text is not plain text: it looks like JSON that is incomplete or has other text around it',
  hint: 'give JSON lines with --batch FILE --field NAME, or the complete document alone with --field PATH',
};

/** Only brackets, or a single member: a line of a JSON document. */
const JSON_LINE =
  /^[\s,]*[{}[\]][\s,{}[\]]*$|^"(?:[^"\\]|\\.)*"\s*:\s*(?:["[{\d-]|true|false|null)/;

/** The start of an object with a member, or of an array with a string, also cut off or in code. */
const JSON_START =
  /\{\s*(?:"(?:[^"\\]|\\.)*(?:"\s*:|$)|'[^']*'\s*:|[\w$-]+\s*:\s*(?:["'`[{]|(?:-?[\d.]+|true|false|null|undefined)\s*[,}]))|\[\s*"(?:[^"\\]|\\.)*(?:$|"\s*(?:,|\][^\p{L}\n]{0,9}(?:$|\n)))/u;

/** Fewer words around JSON are not prose. */
const MIN_PROSE_WORDS = 4;

/**
 * The format of a text that is not prose. JSON before any word is not prose. A few words around it,
 * such as a log prefix or the language of a code fence, do not make it prose.
 */
export function nonProseFormat(text: string): Format | undefined {
  // Invisible characters, such as a byte order mark, hide a beginning.
  const visible = text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '').trim();
  for (const [pattern, name, hint] of FORMATS) {
    if (pattern.test(visible)) return { message: `the text is ${name}, not plain text`, hint };
  }
  return isJson(visible) ? JSON_FORMAT : undefined;
}

function isJson(text: string): boolean {
  if (JSON_LINE.test(text)) return true;
  const start = JSON_START.exec(text);
  if (!start) return false;
  const before = wordCount(withoutMarkup(text.slice(0, start.index)));
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const after = end > start.index ? wordCount(text.slice(end + 1)) : 0;
  return before === 0 || before + after < MIN_PROSE_WORDS;
}

/** Without comments and tags: their words are not prose. */
function withoutMarkup(text: string): string {
  return text.replace(/\/\*+[^*]+\*+\/|^[ \t]*\/\/.*$|<[^<>]*>/gm, '');
}

/** Single letters do not count, except in scripts without spaces between words. */
function wordCount(text: string): number {
  return (
    text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?<!\p{L})\p{L}{2}/gu)?.length ?? 0
  );
}
