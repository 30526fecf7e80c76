import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import { failure, PLAIN_BODY, readRight, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

const QUOTED = JSON.stringify(SIGNED_BODY);
const HEADERS = JSON.stringify(Object.fromEntries(SIGNED_HEADERS), null, 4);

const CHROME = `fetch("https://host/open/v1/x", {
  "headers": {
    "accept": "*/*",
    "accept-language": "en-US,en;q=0.9",
    "content-type": "application/json",
    "sec-ch-ua": "\\"Chromium\\";v=\\"131\\", \\"Not_A Brand\\";v=\\"24\\""
  },
  "referrer": "https://host/",
  "referrerPolicy": "strict-origin-when-cross-origin",
  "body": ${QUOTED},
  "method": "POST",
  "mode": "cors",
  "credentials": "include"
});`;

describe('copied fetch calls', () => {
  it.each<[tool: string, text: string]>([
    ['Chrome', CHROME],
    ['Chrome, with the line ends of Windows', CHROME.replaceAll('\n', '\r\n')],
    [
      'Firefox',
      `await fetch("https://host/open/v1/x", {
    "credentials": "omit",
    "headers": {
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
        "Content-Type": "application/json"
    },
    "body": ${QUOTED},
    "method": "POST",
    "mode": "cors"
});`,
    ],
    [
      'a console',
      `> const answer = await fetch('https://host/open/v1/x', {method: 'post', body: ${QUOTED}}).then((r) => r.json())`,
    ],
    [
      'a program',
      `// how it is sent
const response = await window.fetch(
  \`https://host/open/v1/x\`, // the address
  {
    method: 'POST',
    headers: new Headers([['Content-Type', 'application/json']]),
    body: JSON.stringify(${SIGNED_BODY}),
  },
);`,
    ],
  ])('%s', async (_, text) => {
    expect(await readRight(text)).toMatchObject({
      format: 'fetch',
      method: 'POST',
      url: 'https://host/open/v1/x',
      body: SIGNED_BODY,
      notes: [],
    });
  });

  it('Node, with signed headers', async () => {
    const text = `fetch("https://host/api/open/x", {\n  "headers": ${HEADERS},\n  "body": ${JSON.stringify(PLAIN_BODY)},\n  "method": "POST"\n});`;
    expect((await readRight(text)).headers).toEqual(SIGNED_HEADERS);
  });

  it('Chrome, "Copy all as fetch"', async () => {
    const page = 'fetch("https://host/", {\n  "body": null,\n  "method": "GET"\n}) ;\n';
    const found = await readCaptures(`${page}${CHROME} ;\nfetch("https://host/a.js");\n`);
    expect(found.map(({ entry }) => entry)).toEqual([2]);
    expect(found[0]?.read().body).toBe(SIGNED_BODY);
  });
});

describe('literals', () => {
  it.each<[literal: string, json: string]>([
    ['{a: 1.0, "b": -0.50, c: 0x10, d: 1e3, e: +.5, f: 1_000, g: 12n}', '{"a":1,"b":-0.5,"c":16,"d":1000,"e":0.5,"f":1000,"g":12}'], // biome-ignore format: a table
    ["{a: 'x\\'\\n\\u{1F695}\\u4e2d\\x41\\\n\\q', 'b': `$5 \"\n`,}", '{"a":"x\'\\n🚕中Aq","b":"$5 \\"\\n"}'], // biome-ignore format: a table
    ['{a: true, b: null, c: undefined, d: [1, [], {},], 2: 3,}', '{"2":3,"a":true,"b":null,"d":[1,[],{}]}'], // biome-ignore format: a table
    ['{/* a */ a: ("b" + \'c\' + 1), // c\n __proto__: {x: 1}}', '{"a":"bc1","__proto__":{"x":1}}'],
    ['{default: 1, new: 2, if : 3}', '{"default":1,"new":2,"if":3}'],
    ['{"a": JSON.stringify({b: [1]}), c: String(5)}', '{"a":"{\\"b\\":[1]}","c":"5"}'],
  ])('%s', async (literal, json) => {
    const text = `fetch('https://host/', {method: 'POST', body: JSON.stringify(${literal})})`;
    expect((await readCapture(text)).body).toBe(json);
  });

  it.each<[options: string, body: unknown]>([
    ['{body: JSON.stringify({a: [1]}, null, 2)}', '{\n  "a": [\n    1\n  ]\n}'],
    ["{body: new URLSearchParams({a: 'b c', d: 1})}", [{ name: 'a', value: 'b c' }, { name: 'd', value: '1' }]], // biome-ignore format: a table
    ['{body: `{"a":$' + '{1},"b":"$' + '{"c"}"}`}', '{"a":1,"b":"c"}'],
    ["{body: JSON.stringify({...{a: 1}, ['b' + 2]: 3})}", '{"a":1,"b2":3}'],
    ["{body: 'a=b'}", [{ name: 'a', value: 'b' }]],
  ])('%s', async (options, body) => {
    expect((await readCapture(`fetch('https://host/', ${options})`)).body).toEqual(body);
  });
});

describe('rejected calls', () => {
  it.each([
    [
      'fetch(url, {body: "{}"})',
      '"url" is not a literal, so its value is unknown (line 1 column 7)',
    ],
    ["fetch('u', {\n  body: JSON.stringify(payload)})", '"payload" is not a literal, so its value is unknown (line 2 column 24)'], // biome-ignore format: a table
    ["fetch('u', {body: JSON.stringify({timestamp: Date.now()})})", '"Date.now(" is not a literal'],
    [
      "fetch('u', {body: JSON.stringify({a, sign})})",
      '"a" is not a literal, so its value is unknown',
    ],
    ["fetch('u', {body: JSON.stringify({...common})})", '"common" is not a literal'],
    ["fetch('u', {headers, body: '{}'})", '"headers" is not a literal'],
    ['fetch(\'u\', {body: `{"a":$' + '{a}}`})', '"a" is not a literal'],
    ["fetch('u', {body: '{\"a\":1", 'it is not valid JavaScript at "\'{\\"a\\":1"'],
    ["fetch('u', {body: new FormData()})", '"new" is not a literal'],
    ["fetch('u', {body: {a: 1}})", 'its body is "{\\"a\\":1}", which fetch does not send'],
    ["fetch('u', {headers: 'x', body: '{}'})", 'its headers is "\\"x\\""'],
    ["fetch('u', {body: '{}'", 'it ends too early (line 1 column 23)'],
    [
      "fetch('u', {body: '{}' method: 'POST'})",
      'it is not valid JavaScript at "method: \'POST\'})"',
    ],
    [`fetch(${'['.repeat(1000)}`, 'it is nested too deeply'],
    // Without a limit, Node aborts: these compile a regular expression on an almost full stack.
    [`fetch(${'`${'.repeat(1000)}`, 'it is nested too deeply'],
    [`fetch(() => {${'if (1) a, b\nelse '.repeat(1000)}c})`, '"if" is not a literal'],
    [`fetch('u', {body: /${'('.repeat(1000)}/})`, 'it contains a regular expression'],
    ["fetch('u')", 'the body is empty'],
    ['fetch(', 'it ends too early'],
  ])('%s', async (text, message) => {
    expect(await failure(text)).toContain(`read as a call of fetch: ${message}`);
  });
});
