import FORMAT from './text-formats.json' with { type: 'json' };

interface Format {
  readonly message: string;
  readonly hint: string;
}

/** By the beginning of a text. */
const FORMATS: readonly (readonly [pattern: RegExp, format: Format])[] = [
  [
    /^HTTP\/\d(?:\.\d)? \d{3}\b.*\n+(?:HTTP\/|[\w-]+:)|\n< HTTP\/\d|^(?:[\w-]+:.*\n)+\n[[{]\s*["{]/,
    FORMAT.response,
  ],
  [
    /^(?:(?:event|id|retry)?:.*\n+)+data:|^data:.*\n+(?:event|id|retry|data)?:|^data:\s*[[{]\s*["{]/,
    FORMAT.events,
  ],
  [/^<(?:!doctype\s+)?html\b/i, FORMAT.page],
  [/^(?:null|undefined)$/, FORMAT.nothing],
  [/^begin(?:-base64)? [0-7]{3,4} \S|^<~[\s\S]*~>$|^-----BEGIN PGP MESSAGE-----/, FORMAT.encoded],
  // Only brackets, or a single member: a line of a JSON document.
  [/^[\s,]*[{}[\]][\s,{}[\]]*$/, FORMAT.json],
  [/^"(?:[^"\\]|\\.)*"\s*:\s*(?:["[{\d-]|true|false|null)/, FORMAT.json],
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
  return before === 0 || before + after < MIN_PROSE_WORDS ? FORMAT.json : undefined;
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
