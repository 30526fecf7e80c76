import type { TextEncoding } from './url-encoding.ts';

/** The HTML escapes of libraries. All agree on `&`, `<` and `>`, but not on quotes. */
export const HTML_ESCAPES: readonly TextEncoding[] = [
  { name: '& < > and quotes (htmlspecialchars of PHP)', apply: escaper('&quot;', '&#039;') },
  { name: '& < > " \' (html.escape of Python)', apply: escaper('&quot;', '&#x27;') },
  { name: '& < > " \' (JavaScript libraries)', apply: escaper('&quot;', '&#39;') },
  { name: "& < > \" ' (Go's template.HTMLEscapeString)", apply: escaper('&#34;', '&#39;') },
  { name: '& < > " \' (XML)', apply: escaper('&quot;', '&apos;') },
  { name: '& < > "', apply: escaper('&quot;', "'") },
  { name: '& < >', apply: escaper('"', "'") },
];

export function htmlUnescaped(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|apos|#0*39|#x27|#34|#x22);/gi,
    (entity) => UNESCAPED[entity.toLowerCase().replace(/^&#0+/, '&#')] ?? entity,
  );
}

/**
 * A canonical string after a browser rendered it as HTML. Names such as `times` and `not` are
 * entities even without a semicolon (HTML, "named character references"): `&timestamp` becomes
 * `×tamp`.
 */
export function shownAsHtml(text: string): string {
  return text.replace(LEGACY_ENTITY, (_, name: string) => LEGACY[name] ?? '');
}

const LEGACY: Readonly<Record<string, string>> = {
  times: '×',
  not: '¬',
  copy: '©',
  reg: '®',
  sect: '§',
  para: '¶',
  curren: '¤',
  cent: '¢',
  pound: '£',
  yen: '¥',
  deg: '°',
  micro: 'µ',
  divide: '÷',
  uml: '¨',
  shy: '\u00ad',
  eth: 'ð',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
};

const LEGACY_ENTITY = new RegExp(`&(${Object.keys(LEGACY).join('|')});?`, 'g');

const UNESCAPED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&#34;': '"',
  '&#x22;': '"',
};

function escaper(double: string, single: string): TextEncoding['apply'] {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': double,
    "'": single,
  };
  return (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
