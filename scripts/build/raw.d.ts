/** The unchanged content of a file: vitest knows `?raw`, the build has a plugin for it. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** A module with all that it imports, as one CommonJS script: `scripts/build/bundled-text.js`. */
declare module '*?bundled' {
  const program: string;
  export default program;
}
