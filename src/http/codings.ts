/** The codings that a Content-Encoding names, in the order in which they were applied. */
export function appliedCodings(contentEncoding: string): string[] {
  return contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !NO_CODING.includes(name));
}

/** Whether a Content-Encoding names a compression. */
export function isCompressed(contentEncoding = ''): boolean {
  return appliedCodings(contentEncoding).length > 0;
}

/** `none` is not registered, but graphql-sse sends it to keep proxies from compressing. */
const NO_CODING: readonly string[] = ['', 'identity', 'none'];
