import type { Context } from 'hono';

export const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  // Scripts send the forms: a form sent without them would put its text in the address.
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/** The policy of a page, with other values for some directives. */
export function contentSecurityPolicy(other: Readonly<Record<string, string>> = {}): string {
  const directives = Object.entries({ ...POLICY, ...other });
  return directives.map(([name, value]) => `${name} ${value}`).join('; ');
}

export const PAGE_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': contentSecurityPolicy(),
  'Permissions-Policy': 'microphone=(), camera=(), geolocation=()',
};

export function methodNotAllowed(c: Context): Response {
  const allowed = 'GET, HEAD';
  const words = `${c.req.method} is not allowed here; allowed: ${allowed}`;
  return c.text(words, 405, { ...HEADERS, Allow: allowed });
}
