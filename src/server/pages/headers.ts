import type { Context } from 'hono';

/** The headers of pages, their assets and their data. */
export const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

export const PAGE_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    // Scripts send the forms: a form sent without them would put its text in the address.
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Permissions-Policy': 'microphone=(), camera=(), geolocation=()',
};

/** The answer to a method other than GET and HEAD. */
export function methodNotAllowed(c: Context): Response {
  const allowed = 'GET, HEAD';
  const words = `${c.req.method} is not allowed here; allowed: ${allowed}`;
  return c.text(words, 405, { ...HEADERS, Allow: allowed });
}
