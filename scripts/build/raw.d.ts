/** A file as it is: vitest knows `?raw`, the build has a plugin for it. */
declare module '*?raw' {
  const text: string;
  export default text;
}
