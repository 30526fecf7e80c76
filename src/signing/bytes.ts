/** Conversions between bytes and text, without the Buffer of Node. */

const ENCODER = new TextEncoder();
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
const STRICT = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** The UTF-8 of a text. Half a surrogate pair becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

export function byteLength(text: string): number {
  return utf8Bytes(text).length;
}

/** UTF-8 as text; invalid bytes become U+FFFD. A byte order mark is kept. */
export function utf8Text(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** {@link utf8Text}; undefined for invalid bytes. */
export function strictUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  return strictUtf8Text(bytes) !== undefined;
}

/** Each byte as one character: offsets are the same in both. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** Arguments of one call: more would overflow the stack. */
const CHUNK = 8192;

/** The low byte of each UTF-16 code unit. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Lower-case hex. */
export function hexText(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** The bytes of hex digits, up to the first other character. */
export function hexBytes(hex: string): Uint8Array {
  const digits = /^(?:[\da-f]{2})*/i.exec(hex)?.[0] ?? '';
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  }
  return bytes;
}

/** Base64 with padding, in the alphabet with `+` and `/`. */
export function base64Text(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes));
}

/** Base64 in either alphabet. Other characters are ignored, as most decoders do. */
export function base64Bytes(text: string): Uint8Array {
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*|[^A-Za-z\d+/]/gs, '');
  // A single character after the last group of four has no whole byte.
  return latin1Bytes(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain));
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
