/**
 * Replaces secrets in a text in every common encoding: unchanged, in upper or lower case, escaped
 * as in JSON or HTML, percent-encoded, each also nested, and in base64. White space around a secret
 * is ignored. For the secret `pa"ss` it replaces `pa"ss`, `PA\"SS`, `pa%22ss`, `pa&quot;ss`. A secret
 * of fewer than 4 characters is not replaced; one of more than 512 is replaced only where it occurs
 * unchanged.
 */
export function replaceSecrets(text: string, secrets: Iterable<string>, by: string): string {
  return secretReplacer(secrets, by)(text);
}

/** {@link replaceSecrets} for many texts. */
export function secretReplacer(secrets: Iterable<string>, by: string): (text: string) => string {
  const trimmed = trimSecrets(secrets);
  const longSecrets = trimmed.filter(({ length }) => length > MAX_ENCODED_LENGTH);
  const encodable = trimmed
    .filter(({ length }) => length <= MAX_ENCODED_LENGTH)
    .map((secret) => ({ secret, mayOccurIn: quickTest(secret) }));
  return (text) => {
    const clean = longSecrets.reduce((hidden, secret) => hidden.replaceAll(secret, by), text);
    // A pattern takes milliseconds to compile, and most texts contain no secret.
    const lower = clean.toLowerCase();
    const forms = encodable
      .filter(({ mayOccurIn }) => mayOccurIn(lower))
      .flatMap(({ secret }) => [encodedPattern(secret), ...base64Pieces(secret)]);
    return forms.length === 0 ? clean : clean.replace(new RegExp(forms.join('|'), 'gi'), () => by);
  };
}

/** A longer secret is replaced only unchanged: a pattern for all its encodings would be too large. */
const MAX_ENCODED_LENGTH = 512;

/** Shorter secrets are not replaced: they occur in any text by chance. */
const MIN_LENGTH = 4;

/** The trimmed secrets, longest first: one may be a part of another. */
function trimSecrets(secrets: Iterable<string>): string[] {
  const trimmed = new Set([...secrets].map((secret) => secret.trim()));
  return [...trimmed]
    .filter(({ length }) => length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
}

/**
 * A quick test of whether a lower-case text may contain the secret. It searches for the longest part
 * that no encoding except base64 changes, and for the same part of its base64.
 */
function quickTest(secret: string): (lower: string) => boolean {
  const plain = longestRun(secret);
  let base64: readonly string[] | undefined;
  return (lower) => {
    // An encoded secret is never shorter than the secret.
    if (lower.length < secret.length) return false;
    if (lower.includes(plain)) return true;
    base64 ??= base64Texts(secret).map(longestRun);
    return base64.some((run) => lower.includes(run));
  };
}

function longestRun(text: string): string {
  const runs = text.toLowerCase().match(/[a-z0-9]+/g) ?? [''];
  return runs.reduce((a, b) => (b.length > a.length ? b : a));
}

/** A pattern for the text in any encoding. All repeats are bounded, to limit the matching time. */
function encodedPattern(text: string): string {
  const [first = '', ...rest] = text.match(/\\+|[^\\]/gu) ?? [];
  // Backslashes before the first character are not matched: an optional start makes a pattern slow.
  return piece(first, '') + rest.map((each) => piece(each, '{0,7}')).join('');
}

/**
 * A pattern for a run of backslashes, or for one other character.
 *
 * @param escapes The quantifier of the backslashes before a character; empty for none.
 */
function piece(text: string, escapes: string): string {
  return text.startsWith('\\') ? backslashes(text.length) : character(text, escapes);
}

/** A pattern for a character that begins or ends escapes, percent-encoded up to three times. */
function escapeCharacter(character: string): string {
  return `(?:${escapedForPattern(character)}|%(?:25){0,2}${hex(character.charCodeAt(0), 2)})`;
}

const BACKSLASH = escapeCharacter('\\');
const [AMPERSAND, HASH, SEMICOLON] = ['&', '#', ';'].map(escapeCharacter);

/** Each level of JSON doubles the backslashes. */
function backslashes(count: number): string {
  return `${BACKSLASH}{${count},${8 * count}}`;
}

function character(text: string, escapes: string): string {
  // Programs never escape letters and digits, and most secrets consist of them.
  if (/[A-Za-z0-9]/.test(text)) return escapedForPattern(text);
  const code = text.codePointAt(0) as number;
  const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4));
  const bytes = [...new TextEncoder().encode(text)].map((byte) => hex(byte, 2));
  const entities = [
    `${HASH}0{0,4}${code}`,
    `${HASH}x0{0,4}${hex(code, 1)}`,
    ...(ENTITIES[text] ?? []),
  ];
  const forms = [
    escapedForPattern(text),
    bytes.map((byte) => `%(?:25){0,2}${byte}`).join(''),
    `${AMPERSAND}(?:(?:amp|${HASH}(?:38|x26))${SEMICOLON}){0,2}(?:${entities.join('|')})${SEMICOLON}`,
    // A form encodes a space as `+`; mop itself prints a visible one as `·`.
    ...(text === ' ' ? [escapeCharacter('+'), '·'] : []),
  ];
  const escaped = units.map((unit) => `${BACKSLASH}{1,7}u${unit}`).join('');
  const prefix = escapes === '' ? '' : BACKSLASH + escapes;
  return `(?:${prefix}(?:${forms.join('|')})|${escaped})`;
}

const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
};

/** In the base64 of fewer bytes, too few digits depend on these bytes alone. */
const MIN_BASE64_BYTES = 8;

/** Patterns for {@link base64Texts} in either alphabet. */
function base64Pieces(text: string): string[] {
  return base64Texts(text).map((digits) =>
    [...digits].map((digit) => EITHER_DIGIT[digit] ?? digit).join(''),
  );
}

/**
 * The digits of a base64 text that depend on these bytes alone, for each of the three alignments. They
 * also occur in the base64 of `user:secret`.
 */
function base64Texts(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < MIN_BASE64_BYTES) return [];
  return [0, 1, 2].map((before) => {
    const all = String.fromCharCode(...new Array(before).fill(0), ...bytes);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((all.length * 8) / 6);
    return btoa(all).slice(start, end);
  });
}

/** A digit in either base64 alphabet, also percent-encoded. */
const EITHER_DIGIT: Readonly<Record<string, string>> = {
  '+': '(?:[+-]|%2b)',
  '/': '(?:\\\\{0,7}\\/|_|%2f)',
};

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
