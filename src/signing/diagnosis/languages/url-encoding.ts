/** An encoding of text by a library, such as percent-encoding or HTML escapes. */
export interface TextEncoding {
  /** The library, or a description of its encoding. */
  readonly name: string;
  /** `charset` converts text to bytes, for an encoding of bytes; default UTF-8. */
  readonly apply: (text: string, charset?: (text: string) => string | Uint8Array) => string;
}

/** `urlencode` of PHP, which `http_build_query` uses. */
export const PHP_URL_ENCODER: TextEncoding = {
  name: 'urlencode of PHP',
  apply: encoder('-_.', '+'),
};

export const RFC_3986_ENCODER: TextEncoding = {
  name: 'RFC 3986 (rawurlencode of PHP)',
  apply: encoder('-_.~'),
};

export const QUOTE_ENCODER: TextEncoding = { name: 'quote of Python', apply: encoder('-_.~/') };

export const QUOTE_PLUS_ENCODER: TextEncoding = {
  name: 'quote_plus of Python (QueryEscape of Go)',
  apply: encoder('-_.~', '+'),
};

/** URLSearchParams of JavaScript encodes in the same way. */
export const JAVA_ENCODER: TextEncoding = {
  name: 'URLEncoder of Java',
  apply: encoder('-_.*', '+'),
};

/** Percent-encodings of languages. They differ in the unescaped characters and in the space. */
export const URL_ENCODERS: readonly TextEncoding[] = [
  { name: 'encodeURIComponent of JavaScript', apply: encoder("-_.!~*'()") },
  RFC_3986_ENCODER,
  QUOTE_ENCODER,
  QUOTE_PLUS_ENCODER,
  PHP_URL_ENCODER,
  JAVA_ENCODER,
  { name: 'UrlEncode of .NET', apply: encoder('-_.!*()', '+', 'lower') },
  { name: 'RFC 3986 in lower case', apply: encoder('-_.~', '%20', 'lower') },
  { name: 'encodeURI of JavaScript', apply: encoder("-_.!~*'();,/?:@&=+$#") },
];

/** Encodes UTF-16 code units, not bytes, so that {@link urlDecoded} cannot undo it. */
export const JAVASCRIPT_ESCAPE: TextEncoding = {
  name: 'escape of JavaScript',
  apply: escapedUnits,
};

/** Decodes percent-encoded text. Returns any other text unchanged. */
export function urlDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
}

function escapedUnits(text: string): string {
  return text.replace(/[^A-Za-z0-9@*_+\-./]/g, (unit) => {
    const code = unit.charCodeAt(0);
    const digits = code.toString(16).toUpperCase();
    return code < 256 ? `%${digits.padStart(2, '0')}` : `%u${digits.padStart(4, '0')}`;
  });
}

function encoder(
  kept: string,
  space: '+' | '%20' = '%20',
  hex: 'upper' | 'lower' = 'upper',
): TextEncoding['apply'] {
  const encoded = new RegExp(`[^A-Za-z0-9${kept.replace(/[-\\\]^]/g, '\\$&')}]+`, 'gu');
  return (text, charset = (run) => run) =>
    text.replace(encoded, (run) => percentEncoded(Buffer.from(charset(run)), space, hex));
}

function percentEncoded(bytes: Uint8Array, space: string, hex: 'upper' | 'lower'): string {
  let encoded = '';
  for (const byte of bytes) {
    if (byte === 0x20) {
      encoded += space;
    } else {
      const digits = byte.toString(16).padStart(2, '0');
      encoded += `%${hex === 'upper' ? digits.toUpperCase() : digits}`;
    }
  }
  return encoded;
}
