const ESC = '\u001b';
const COLOUR = new RegExp(`${ESC}\\[[\\d;:]*[mK]`, 'g');

/** The text without the colours of a terminal (SGR), and without the erasures that grep adds. */
export function withoutColours(text: string): string {
  return text.replace(COLOUR, '');
}

/** The escapes of log viewers. A text is decoded only if it contains an escaped separator. */
export const VIEWER_ESCAPES: readonly {
  pair: (name: string) => string;
  decode: (text: string) => string;
}[] = [
  { pair: (name) => `&amp;${name}=`, decode: decodeHtml },
  { pair: (name) => `%26${name}%3D`, decode: decodeUrl },
  { pair: (name) => `\\u0026${name}=`, decode: unescaped },
  { pair: (name) => `\\u0026${name}\\u003d`, decode: unescaped },
];

function decodeHtml(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (all, name, decimal, hex) => {
      if (name !== undefined) return HTML[name.toLowerCase()] ?? all;
      return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)) ?? all;
    },
  );
}

const HTML: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeUrl(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** The texts between quotes, without the escapes of JSON, Java, Go and Python. */
export function quotedTexts(line: string): readonly string[] {
  return ['"', "'", '`'].flatMap((quote) => {
    const texts: string[] = [];
    const token = new RegExp(`\\\\.|[^\\\\${quote}]+|(${quote})`, 'gs');
    let start = -1;
    for (const { 1: end, index } of line.matchAll(token)) {
      if (end === undefined) continue;
      if (start !== -1) texts.push(unescaped(line.slice(start, index)));
      start = index + 1;
    }
    return texts.slice(0, MAX_QUOTED);
  });
}

const MAX_QUOTED = 200;

function unescaped(text: string): string {
  const escapes =
    /((?:\\x[\dA-Fa-f]{2})+)|\\(?:u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|U([\dA-Fa-f]{8})|(.))/gs;
  return text.replace(escapes, (all, bytes, unit, point, longPoint, other) => {
    if (bytes !== undefined) return textOfBytes(bytes.replaceAll('\\x', ''));
    if (other !== undefined) return CONTROLS[other] ?? other;
    return character(Number.parseInt(unit ?? point ?? longPoint, 16)) ?? all;
  });
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads the bytes as UTF-8, as Python and Go write them; invalid UTF-8 is read as Latin-1. */
function textOfBytes(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
