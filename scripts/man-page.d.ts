/** The types of man-page.js. */
export const TOPICS: readonly string[];
export function commandPage(
  command: Readonly<Record<string, unknown>>,
  meanings: readonly { readonly code: number; readonly meaning: string }[],
  version: string,
): string;
export function topicPage(
  topic: { readonly topic: string; readonly title: string; readonly text: string },
  version: string,
): string;
