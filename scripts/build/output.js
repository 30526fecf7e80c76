/** The options of all bundles. */
export const OUTPUT = {
  // Bundlers need the annotations to drop unused code.
  comments: { legal: false, annotation: true, jsdoc: false },
};

/** Any warning of rolldown ends the build. */
export function refuseLogs(_, { message }) {
  throw new Error(message);
}
