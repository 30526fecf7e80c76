/** The text of a file. Vitest supports `?raw`; the build has a plugin for it. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** A module with all its imports, as one CommonJS script: see `scripts/build/bundled-text.js`. */
declare module '*?bundled' {
  const program: string;
  export default program;
}

/** The texts of the scripts, styles and images in a folder, by name. */
declare module '*?assets' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

/** The text of a script for browsers, with all its imports. */
declare module '*?browser' {
  const text: string;
  export default text;
}

/** SM3 alone: the main module of the package also has SM2 and SM4, and `@types/sm-crypto` only that. */
declare module 'sm-crypto/src/sm3/index.js' {
  /** The digest, or the HMAC with a key, in lower-case hex. */
  export default function sm3(
    data: Uint8Array,
    options?: { readonly mode: 'hmac'; readonly key: Uint8Array },
  ): string;
}
