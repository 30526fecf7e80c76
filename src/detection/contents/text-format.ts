import { AS_IS } from '../check-text.ts';

interface Format {
  readonly message: string;
  readonly hint: string;
}

const JSON_LIKE: Format = {
  message:
    'the text is not plain text: it looks like JSON that is incomplete or has other text around it',
  hint: 'give JSON lines with --batch FILE --field NAME, or the complete document alone with --field PATH',
};

const FORMATS: readonly (readonly [pattern: RegExp, format: Format])[] = [
  [
    /^HTTP\/\d(?:\.\d)? \d{3}\b.*\n+(?:HTTP\/|[\w-]+:)|\n< HTTP\/\d|^(?:[\w-]+:.*\n)+\n[[{]\s*["{]/,
    {
      message: 'the text is an HTTP response, not plain text',
      hint: 'give its body alone: call curl without -i and -v; a JSON body needs --field PATH',
    },
  ],
  [
    /^(?:(?:event|id|retry)?:.*\n+)+data:|^data:.*\n+(?:event|id|retry|data)?:|^data:\s*[[{]\s*["{]/,
    {
      message: 'the text is an event stream, not plain text',
      hint: 'request the reply as one JSON document, without streaming, and give it with --field PATH',
    },
  ],
  [
    /^<(?:!doctype\s+)?html\b/i,
    {
      message: 'the text is an HTML page, not plain text',
      hint: 'check the address that answered; a JSON reply needs --field PATH',
    },
  ],
  [
    /^(?:null|undefined)$/,
    {
      message: 'the text is a missing value, not plain text',
      hint: 'check the path of the field; --field PATH selects it and reports a missing one',
    },
  ],
  [
    /^begin(?:-base64)? [0-7]{3,4} \S|^<~[\s\S]*~>$|^-----BEGIN PGP MESSAGE-----/,
    {
      message: 'the text is encoded or encrypted, not plain text',
      hint: `decode it first; ${AS_IS}`,
    },
  ],
  // Only brackets, or a single member: a line of a JSON document.
  [/^[\s,]*[{}[\]][\s,{}[\]]*$/, JSON_LIKE],
  [/^"(?:[^"\\]|\\.)*"\s*:\s*(?:["[{\d-]|true|false|null)/, JSON_LIKE],
];

/**
 * The start of an object with a member, or of an array with a string; also cut off, or a literal in
 * code.
 */
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
  for (const [pattern, format] of FORMATS) if (pattern.test(visible)) return format;
  const start = JSON_START.exec(visible);
  if (!start) return undefined;
  const before = wordCount(withoutMarkup(visible.slice(0, start.index)));
  const end = Math.max(visible.lastIndexOf('}'), visible.lastIndexOf(']'));
  const after = end > start.index ? wordCount(visible.slice(end + 1)) : 0;
  return before === 0 || before + after < MIN_PROSE_WORDS ? JSON_LIKE : undefined;
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
