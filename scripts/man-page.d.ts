/** The types of man-page.js. */
export function commandPage(
  command: Readonly<Record<string, unknown>>,
  manual: {
    readonly meanings: readonly { readonly code: number; readonly meaning: string }[];
    readonly topics: readonly string[];
  },
  version: string,
): string;
export function topicPage(
  topic: { readonly topic: string; readonly title: string; readonly text: string },
  version: string,
): string;
