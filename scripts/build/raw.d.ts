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

/** The text of a script for browsers, with all its imports. */
declare module '*?browser' {
  const text: string;
  export default text;
}
