import { expect, test } from 'vitest';
import OPENAPI from '../../../src/sandbox/detection/openapi.json' with { type: 'json' };
import { send, start } from '../support.ts';

const DESTINATIONS = ['/', '/console', '/platform', '/platform/debugger', '/requests', '/api-docs'];
const PATHS = [...DESTINATIONS, '/onepager'];

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { url } = await start();
  const reply = await send(url + path, { method, headers });
  return { ...reply, html: reply.body.toString() };
}

test.each(PATHS)('%s is a page with strict headers', async (path) => {
  const { status, headers, html } = await get(path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'content-language': 'en',
    vary: 'Accept-Language',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': `microphone=(${path === '/' ? 'self' : ''}), camera=(), geolocation=()`,
  });
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join(' ')).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
});

test.each(PATHS)('%s has no inline code, and loads nothing from other hosts', async (path) => {
  const { html } = await get(path);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/i);
  const scripts = html.match(/<script[^>]*>/g) ?? [];
  for (const script of scripts) expect(script).toMatch(/ src="\/assets\/|application\/json/);
  const loaded = [...html.matchAll(/<(?:script|img|link)[^>]* (?:src|href)="([^"]*)"/g)];
  expect(loaded.length).toBeGreaterThan(2);
  for (const [, address] of loaded) expect(address).toMatch(/^\/assets\/[\w.-]+$/);
});

test.each([
  ['?lang=zh', 'en', 'zh'],
  ['?lang=en', 'zh-CN', 'en'],
  ['?lang=zh-TW', 'en', 'zh'],
  ['?lang=fr', 'zh-CN,zh;q=0.9', 'zh'],
  ['', 'zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['', 'fr, zh;q=0.5, en;q=0.4', 'zh'],
  ['', 'en-GB;q=0.9, zh;q=0.3', 'en'],
  ['', 'fr', 'en'],
  ['', '*', 'en'],
  ['', ';;q=x,', 'en'],
])('%s with Accept-Language %j is %s', async (query, accepted, language) => {
  const { headers, html } = await get(`/${query}`, { 'Accept-Language': accepted });
  expect(headers['content-language']).toBe(language);
  expect(html).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`);
});

test('links keep a requested language, and no other', async () => {
  const asked = await get('/onepager?lang=zh');
  for (const path of DESTINATIONS) expect(asked.html).toContain(`<a href="${path}?lang=zh"`);
  for (const query of ['', '?lang=fr', '?lang=%22%3E%3Cscript%3E']) {
    const { html } = await get(`/onepager${query}`, { 'Accept-Language': 'zh' });
    for (const path of DESTINATIONS) expect(html).toContain(`<a href="${path}"`);
    expect(html).not.toContain('"><script>');
  }
});

test.each(PATHS)('%s switches the language in place', async (path) => {
  const { html } = await get(`${path}?lang=zh`);
  expect(html).toContain(`<a href="${path}?lang=en"`);
});

test('every text is translated', async () => {
  for (const path of PATHS) {
    const { html } = await get(`${path}?lang=zh`);
    // The messages of mop in the page data contain such words.
    const shown = html.replace(/(?<="catalog":)\{.*(?=,"copyTexts")/, '{}');
    expect(shown).not.toMatch(/undefined|\[object|\{version\}|\{\{/);
  }
});

test.each([...PATHS, '/openapi.json', '/assets/site.css'])('%s answers HEAD', async (path) => {
  const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)];
  expect([head.status, head.html]).toEqual([200, '']);
  expect(head.headers['content-type']).toBe(whole.headers['content-type']);
});

test.each([
  ['site.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['detect.js', 'text/javascript; charset=utf-8'],
  ['console.js', 'text/javascript; charset=utf-8'],
  ['requests.js', 'text/javascript; charset=utf-8'],
])('the asset %s is %s', async (name, type) => {
  const { status, headers, html } = await get(`/assets/${name}`);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  expect(html.length).toBeGreaterThan(100);
});

test('every script that another imports is an asset', async () => {
  const names = new Set(['detect.js', 'console.js', 'requests.js']);
  for (const name of names) {
    const { status, html } = await get(`/assets/${name}`);
    expect([name, status]).toEqual([name, 200]);
    for (const [, imported = ''] of html.matchAll(/from '\.\/([^']+)'/g)) names.add(imported);
  }
  expect(names.size).toBeGreaterThan(4);
});

test.each(['/assets/none.js', '/assets/__proto__', '/assets/..%2froutes.ts', '/Console'])(
  '%s is not found',
  async (path) => {
    const { status, html } = await get(path);
    expect([status, html]).toEqual([404, 'not found']);
  },
);

test('an address with a slash at the end leads to the page', async () => {
  const { status, headers } = await get('/platform/debugger/?lang=zh');
  expect([status, headers.location]).toEqual([
    301,
    expect.stringMatching(/^http:.*\/platform\/debugger\?lang=zh$/),
  ]);
});

test('an unknown address is a page with all destinations in a browser', async () => {
  const { status, headers, html } = await get('/nothing?lang=zh', { Accept: 'text/html,*/*' });
  expect([status, headers['content-language']]).toEqual([404, 'zh']);
  expect(html).toContain('<h1>没有这个页面</h1>');
  expect(html).toContain('/nothing 没有内容');
  for (const path of DESTINATIONS) expect(html).toContain(`<li><a href="${path}?lang=zh">`);
  const strange = await get('/%3Cb%3E%ff', { Accept: 'text/html' });
  expect([strange.status, strange.html]).toEqual([404, expect.not.stringContaining('<b>')]);
});

test.each([...PATHS, '/openapi.json', '/assets/site.css', '/assets/detect.js'])(
  '%s accepts GET and HEAD only',
  async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']) {
      const { status, headers, html } = await get(path, {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(html).toBe(`${method} is not allowed here; allowed: GET, HEAD`);
    }
  },
);

test.each(['/none', '/assets/none.js', '/assets/__proto__', '/api/none'])(
  '%s is not found by any method',
  async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get(path, {}, method);
      expect([method, status, headers.allow]).toEqual([method, 404, undefined]);
    }
  },
);

test('the documentation of a check shows how to select its language', async () => {
  const { html } = await get('/api-docs');
  const [, operation = ''] = html.split('id="post-api-detect"');
  const [part = ''] = operation.split('</section>');
  expect(part).toMatch(
    /<code>Accept-Language<\/code> <small>header<\/small>.*default <code>en<\/code>.*<code>zh<\/code>/s,
  );
});

test('the description is served unchanged', async () => {
  const { headers, html } = await get('/openapi.json');
  expect(headers['content-type']).toBe('application/json');
  expect(JSON.parse(html)).toEqual(OPENAPI);
});
