import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import {
  FILES,
  failure,
  fieldsOf,
  PLAIN_BODY,
  readRight,
  SIGNED_BODY,
  SIGNED_HEADERS,
} from './support.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** The fields of the signed body: texts with =, other values with :=. */
const FIELDS = Object.entries(JSON.parse(SIGNED_BODY) as Record<string, unknown>)
  .map(([name, value]) =>
    quoted(typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`),
  )
  .join(' \\\n  ');

describe('HTTPie commands', () => {
  it.each<[text: string, url: string]>([
    [`http POST https://host/open/v1/x ${FIELDS}`, 'https://host/open/v1/x'],
    [`$ http --json -v host/open/v1/x Accept:*/* ${FIELDS} | jq .`, 'http://host/open/v1/x'],
    [`https -b --timeout=3 --verify no post host/open/v1/x ${FIELDS}`, 'https://host/open/v1/x'],
    [`xh :8080/open/v1/x a==1 ${FIELDS}`, 'http://localhost:8080/open/v1/x'],
    [`http :/open/v1/x ${FIELDS}`, 'http://localhost/open/v1/x'],
    [`http POST host/open/v1/x --raw ${quoted(SIGNED_BODY)}`, 'http://host/open/v1/x'],
    [`http --raw=${quoted(SIGNED_BODY)} host/open/v1/x`, 'http://host/open/v1/x'],
    [`http POST host/open/v1/x <<'END'\n${SIGNED_BODY}\nEND`, 'http://host/open/v1/x'],
  ])('%s', async (text, url) => {
    expect(await readRight(text)).toMatchObject({ format: 'httpie', method: 'POST', url });
  });

  it('are read with signed headers', async () => {
    const headers = SIGNED_HEADERS.map(([name, value]) => `${name}:${value}`).join(' ');
    const text = `http POST https://host/api/open/x ${headers} --raw '${PLAIN_BODY}'`;
    expect((await readRight(text)).headers).toEqual(SIGNED_HEADERS);
  });

  it.each<[items: string, json: string]>([
    ['a=1 b:=1.50 c:=true \'d:={"e": [1]}\'', '{"a":"1","b":1.5,"c":true,"d":{"e":[1]}}'],
    ['a=@one-line.json b:=@one-line.json', '{"a":"{\\"a\\":1}","b":{"a":1}}'],
    ["'a\\:b=c=d:e' 'f=@g' None: 'Empty;'", 'missing'],
    ["'a\\:b=c=d:e' 'f\\=g=' x=", '{"a:b":"c=d:e","f=g":"","x":""}'],
  ])('are read with %s', async (items, json) => {
    const text = `http host/x ${items}`;
    if (json === 'missing') expect(await failure(text, FILES)).toContain('=@: cannot read "g"');
    else expect((await readCapture(text, FILES)).body).toBe(json);
  });

  it.each([
    ['1.50', '1.5'],
    ['1e2', '100.0'],
    ['-0', '0'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e16', '1e+16'],
    ['0.00001', '1e-05'],
    ['0.0001', '0.0001'],
    ['123456789012345.5', '123456789012345.5'],
    ['1.5E-10', '1.5e-10'],
    ['{"b":[2.0]}', '{"b":[2.0]}'],
  ])('the number %s is sent as Python prints it: %s', async (number, sent) => {
    expect((await readCapture(`http host/x 'a:=${number}'`)).body).toBe(`{"a":${sent}}`);
  });

  it('are read as a form', async () => {
    const text =
      'http --form host/x a=1 b=@one-line.json "f@dir/photo.png;type=image/png" g@missing Empty: X;';
    const request = await readCapture(text.replace('X;', "'X;'"), FILES);
    expect(request.headers).toEqual([['X', '']]);
    expect(fieldsOf(request)).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '{"a":1}' },
      { name: 'f', file: 'photo.png', content: 'PNG' },
      { name: 'g', file: 'missing' },
    ]);
  });

  it.each([
    [
      'http host/x',
      'HTTPie takes its data from standard input, which the command does not contain',
    ],
    ['http host/x a', '"a" is not a request item'],
    ['http host/x a:=b', 'the value of "a" is neither JSON nor a form'],
    ["http host/x 'a[b]=c'", 'the nested name "a[b]" is not read'],
    ['http host/x a@b', 'the field "a" is a file, which only a form can contain'],
    ['http host/x --raw', 'the command ends after "--raw", which takes an argument'],
    ["http host/x 'a=", 'a single quote is not closed'],
  ])('%j is rejected', async (text, message) => {
    expect(await failure(text, FILES)).toContain(`read as an HTTPie command: ${message}`);
  });
});
