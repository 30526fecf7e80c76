import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import {
  FILES,
  failure,
  JSON_BODY,
  PLAIN_BODY,
  readRight,
  SIGNED_BODY,
  SIGNED_HEADERS,
} from './support.ts';

const HEADER_LINES = SIGNED_HEADERS.map(([name, value]) => `${name}: ${value}`).join('\n');
const HEAD = 'POST https://host/open/v1/x HTTP/1.1\nContent-Type: application/json\n';

describe('.http files', () => {
  it.each<[subject: string, text: string]>([
    ['of one request', `### Send it\n${HEAD}\n${SIGNED_BODY}\n\n\n`],
    ['with the line ends of Windows', `###\n${HEAD}\n${SIGNED_BODY}\n`.replaceAll('\n', '\r\n')],
    [
      'with comments and names',
      `# how it is sent\n// @name send\n# @no-log\n\n${HEAD.replace('\n', '\n# a comment\n')}\n${SIGNED_BODY}\n\n###\n`,
    ],
    [
      'with variables',
      `@host = host\n@base=https://{{host}}/open\n@type = application/json\n\n### one\nPOST {{ base }}/v1/x\nContent-Type: {{ type }}\n\n${SIGNED_BODY.replace('"city":"杭州"', '"city":"{{city}}"')}\n\n###\n@city = 杭州\n`,
    ],
    [
      'with scripts and an answer of JetBrains',
      `### a\n< {%\n  request.variables.set("a", 1);\n%}\n${HEAD}\n${SIGNED_BODY}\n\n> {%\n  client.test("a", function () {});\n%}\n\n<> 2026-11-19T100000.200.json\n`,
    ],
    [
      'with several requests',
      `GET https://host/\n\n### two\n\n${HEAD}\n${SIGNED_BODY}\n\n### three\nhttps://host/b\n`,
    ],
  ])('%s', async (_, text) => {
    expect(await readRight(text)).toMatchObject({
      format: 'http-file',
      method: 'POST',
      url: 'https://host/open/v1/x',
      headers: [['Content-Type', 'application/json']],
      body: SIGNED_BODY,
      notes: [],
    });
  });

  it.each(['### x\n', ''])('may have signed headers and a long query after %j', async (before) => {
    const text = `${before}POST https://host/api/open/x\n    ?a=1\n&b=2\n${HEADER_LINES}\n\n${PLAIN_BODY}\n`;
    expect(await readRight(text)).toMatchObject({
      url: 'https://host/api/open/x?a=1&b=2',
      headers: SIGNED_HEADERS,
    });
  });

  it.each<[body: string, read: string]>([
    ['< ./body.json', '{"a":1,\r\n"b":2}\n'],
    ['<@ one-line.json', '{"a":1}'],
    ['{"a":"{{"}', '{"a":"{{"}'],
    ['{"a":\n\n1}\n\n', '{"a":\n\n1}'],
  ])('may have the body %j', async (body, read) => {
    const readFile = async (path: string) =>
      (await FILES.readFile?.(path.replace('./', ''))) ?? new Uint8Array();
    expect((await readCapture(`###\n${HEAD}\n${body}`, { readFile })).body).toBe(read);
  });

  it('have numbered requests', async () => {
    const one = `${HEAD}\n${JSON_BODY}\n`;
    const text = `@x = 1\n\n###\nGET https://host/\n\n###\n# empty\n\n### two\n${one}\n### three\n${one.replace('"AB"', '"{{$guid}}"')}`;
    const found = await readCaptures(text);
    expect(found.map(({ entry }) => entry)).toEqual([2, 3]);
    expect(found[0]?.read().body).toBe(JSON_BODY);
    expect(() => found[1]?.read()).toThrow('{{$guid}} is a value that was generated when');
  });

  it.each([
    [`${HEAD}\n{"t":{{$timestamp}}}`, '{{$timestamp}} is a value that was generated when the'],
    [`${HEAD}\n{"t":"{{$randomInt 1 9}}"}`, '{{$randomInt 1 9}} is a value'],
    [`${HEAD}A: {{token}}\n\n{}`, 'the variable {{token}} has no value in the file'],
    ['POST {{host}}/x\n\n{}', 'the variable {{host}} has no value in the file'],
    [
      `@a = {{b}}\n@b = {{a}}\n${HEAD}A: {{a}}\n\n{}`,
      'the variable {{b}} has no value in the file',
    ],
    [`${HEAD}\n< missing`, 'the body (<): cannot read "missing"'],
    [`${HEAD}no header\n\n{}`, '"no header" is not a header'],
    ['GET https://host/', 'the body is empty'],
  ])('%j is rejected', async (text, message) => {
    expect(await failure(`###\n${text}`, FILES)).toContain(`read as an .http file: ${message}`);
  });
});

it('do not include a shell script', async () => {
  const text = `# a comment\n/usr/bin/curl https://host/x -d '${JSON_BODY.replaceAll("'", "'\\''")}'\n`;
  expect(await readCapture(text)).toMatchObject({ format: 'curl', body: JSON_BODY });
});

it('include a request with its body in a file, even without ###', async () => {
  expect((await readCapture(`${HEAD}\n< one-line.json\n`, FILES)).body).toBe('{"a":1}');
  expect(await failure(`${HEAD}\n< ./body.json`)).toContain(
    'read as an .http file: the body (<) takes its data from the file "./body.json"',
  );
});

it('include a request with a placeholder in its address, even without ###', async () => {
  const text = `POST https://{{host}}/open/v1/x\n\n${JSON_BODY}`;
  expect(await failure(text)).toContain('the variable {{host}} has no value in the file');
});

it('do not include a single message', async () => {
  const text = `POST /open/v1/x HTTP/1.1\nHost: host\n\n${JSON_BODY}`;
  expect(await readCapture(text)).toMatchObject({ format: 'http', url: 'https://host/open/v1/x' });
});
