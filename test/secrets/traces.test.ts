import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { visible } from '../../src/cli/context/visible-text.ts';
import { BASE64, ENCODINGS } from './encodings.ts';
import { traces } from './traces.ts';

/** Contains characters that each format escapes, with white space inside and around it. */
const SECRET = ` qu"ote's & p%rcent + sl/ash\\ <é☂> `;
const CORE = SECRET.trim();

const { HTML: html, 'JSON of PHP': asciiJson } = ENCODINGS;
const { base64: inBase64 } = BASE64;

it.each<[form: string, text: string]>([
  ['verbatim', SECRET],
  ['verbatim', CORE],
  ['verbatim', CORE.toUpperCase()],
  ['JSON-escaped', JSON.stringify(SECRET)],
  ['JSON-escaped', asciiJson(SECRET)],
  ['JSON-escaped, JSON-escaped', JSON.stringify(JSON.stringify(SECRET))],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['percent-encoded', encodeURIComponent(SECRET).toLowerCase()],
  ['percent-encoded', `${new URLSearchParams({ secret: SECRET })}`],
  ['HTML-escaped', html(SECRET)],
  ['HTML-escaped', CORE.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['verbatim', visible(CORE)],
  ['verbatim', `\u001b[31m⟦${CORE.slice(0, 3)}⟧\u001b[39m${CORE.slice(3)}`],
  ['HTML-escaped, JSON-escaped', html(JSON.stringify(SECRET))],
  ['base64', inBase64(CORE)],
  ['base64', inBase64(`u:${CORE}`)],
  ['base64', inBase64(`us:${CORE}`)],
  ['base64', inBase64(`usr:${CORE}!`)],
  ['base64url', Buffer.from('>>>???ab').toString('base64url')],
  ['hex', Buffer.from(CORE).toString('hex').toUpperCase()],
  ['reversed', [...CORE].reverse().join('')],
  ['MD5', hash('md5', CORE)],
  ['MD5', hash('md5', CORE).toUpperCase()],
  ['Base64 of its MD5', hash('md5', CORE, 'base64')],
])('finds a secret %s in %j', (form, text) => {
  const secret = form === 'base64url' ? '>>>???ab' : SECRET;
  expect(traces(`before ${text} after`, secret)).toContain(form);
});

it.each(['', 'quotes', CORE.slice(0, -1), CORE.slice(1), inBase64(CORE.slice(0, -3))])(
  'finds nothing in %j',
  (text) => {
    expect(traces(text, SECRET)).toEqual([]);
  },
);

it('refuses an empty secret', () => {
  expect(() => traces('x', ' ')).toThrow('contains an empty secret');
});
