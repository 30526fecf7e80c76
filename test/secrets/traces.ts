import { hash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';

/** Decoders of escaped text, applied in any order. */
const DECODERS: Readonly<Record<string, (text: string) => string>> = {
  'JSON-escaped': (text) =>
    text.replace(/\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi, (whole, code?: string) =>
      code === undefined
        ? JSON.parse(`"${whole.toLowerCase()}"`)
        : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  'percent-encoded': (text) => text.replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded),
  'escaped bytes': (text) =>
    text.replace(/(?:\\x[0-9a-f]{2})+/gi, (bytes) => percentDecoded(bytes.replace(/\\x/gi, '%'))),
  'HTML-escaped': (text) =>
    text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-f]+));/gi, (_, name, decimal, hex) =>
      name ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(decimal ?? `0x${hex}`)),
    ),
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * A text without colours, marks and case, and with spaces for `+` (forms) and `·` (visible text): none
 * of these hides a secret.
 */
function folded(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[⟦⟧\0]/g, '')
    .replace(/[\s·+]+/g, ' ')
    .toLowerCase();
}

/** The maximum number of nested escapes, as in an excerpt of JSON within JSON. */
const MAX_DEPTH = 3;

/**
 * The forms in which a text shows a secret, such as `verbatim`, `JSON-escaped` or `base64`. White
 * space around the secret and its case are ignored.
 */
export function traces(text: string, secret: string): readonly string[] {
  return tracesIn(viewsOf(text), secret);
}

/** A text, and its decoded forms. Reuse it for many secrets. */
export type Views = readonly View[];

interface View {
  /** The decoded form, such as `JSON-escaped`. */
  readonly form: string;
  readonly text: string;
  readonly folded: string;
}

export function viewsOf(text: string): Views {
  // Keyed by content, so that each text is searched once. The first decoding gives the name.
  const forms = new Map([[text, 'verbatim']]);
  let newest = [...forms];
  for (let depth = 0; depth < MAX_DEPTH && newest.length > 0; depth++) {
    const found: [string, string][] = [];
    for (const [view, form] of newest) {
      for (const [name, decode] of Object.entries(DECODERS)) {
        const decoded = decode(view);
        if (forms.has(decoded)) continue;
        const entry: [string, string] = [decoded, form === 'verbatim' ? name : `${form}, ${name}`];
        forms.set(...entry);
        found.push(entry);
      }
    }
    newest = found;
  }
  return [...forms].map(([text, form]) => ({ form, text, folded: folded(text) }));
}

/** {@link traces} in existing views. */
export function tracesIn(views: Views, secret: string): readonly string[] {
  const { core, hex, reversed, md5, base64, md5Base64 } = spellingsOf(secret);
  const found = new Set<string>();
  for (const { form, text, folded } of views) {
    if (folded.includes(core)) found.add(form);
    if (folded.includes(hex)) found.add('hex');
    if (folded.includes(reversed)) found.add('reversed');
    if (folded.includes(md5)) found.add('MD5');
    if (text.includes(md5Base64)) found.add('Base64 of its MD5');
    if (base64.some((piece) => text.includes(piece))) found.add('base64');
    if (base64.some((piece) => text.includes(urlSafe(piece)))) found.add('base64url');
  }
  // A finding repeats in further decoded forms.
  const isRepeated = (form: string): boolean =>
    [...found].some((other) => form.startsWith(`${other}, `)) ||
    (form !== 'verbatim' && found.has('verbatim'));
  return [...found].filter((form) => !isRepeated(form));
}

function spellingsOf(secret: string) {
  const core = secret.trim();
  if (core === '') throw new Error('every text contains an empty secret');
  const bytes = Buffer.from(core);
  return {
    core: folded(core),
    hex: bytes.toString('hex'),
    reversed: folded([...core].reverse().join('')),
    md5: hash('md5', core),
    base64: base64Pieces(bytes),
    md5Base64: hash('md5', core, 'base64'),
  };
}

/**
 * The part of a base64 text that depends only on these bytes, at each offset. It finds the secret in
 * an encoded `user:secret`.
 */
function base64Pieces(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = all.toString('base64').replace(/=+$/, '');
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((all.length * 8) / 6);
    return text.slice(start, end);
  });
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Bytes that are not UTF-8 stay unchanged. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
