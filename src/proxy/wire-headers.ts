import type { Header } from '../signing/header-mode.ts';

/** Headers of a single connection (RFC 9110 section 7.6.1): a proxy does not forward them. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** The headers that a proxy forwards: without those of the connection. */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  const listed = headers
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  return headers.filter(([name]) => !HOP_BY_HOP.test(name) && !listed.includes(name.toLowerCase()));
}

/** undici writes these. */
const NOT_FORWARDED = /^(?:host|content-length|expect)$/i;
/** A browser adds these; they describe its user and the page. */
const OF_BROWSERS = /^(?:origin|referer|cookie|sec-.*)$/i;

/** The forwarded headers of a request. */
export function forwardedHeaders(headers: readonly Header[]): readonly Header[] {
  const isFromPage = headers.some(([name]) => /^origin$/i.test(name));
  return endToEnd(headers).filter(
    ([name]) => !NOT_FORWARDED.test(name) && !(isFromPage && OF_BROWSERS.test(name)),
  );
}
