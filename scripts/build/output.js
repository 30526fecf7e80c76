/** Options that all bundles have in common. */
export const OUTPUT = {
  // Bundlers drop unused code by the annotations.
  comments: { legal: false, annotation: true, jsdoc: false },
};

/** Any warning of rolldown ends the build. */
export function refuseLogs(_, { message }) {
  throw new Error(message);
}
