import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlCommand } from '../../../src/cli/context/print-curl.ts';
import { MopError } from '../../../src/errors.ts';
import type { FormField } from '../../../src/http/multipart.ts';
import { type CaptureOptions, readCapture } from '../../../src/signing/capture/read-capture.ts';
import { fieldsOf, JSON_BODY } from './support.ts';

beforeAll(() => void fc.configureGlobal({ seed: 20261119, numRuns: 200 }));
afterAll(() => fc.resetConfigureGlobal());

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'ab \'"\\$`!^%&|;\n\r\t{}[]@<=杭🚕') }),
);
const body = fc
  .dictionary(text, fc.oneof(text, fc.jsonValue()), { maxKeys: 5 })
  .map((value) => JSON.stringify(value));
const headers = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('X-TMS-Sign', 'X-TMS-Nonce', 'x-tms-a', 'Content-Type', 'Accept'),
    fc.string({ unit: 'grapheme-ascii' }).map((value) => value.trim()),
  ),
  { selector: ([name]) => name },
);
// A Content-Type that does not match the body.
const plainHeaders = headers.map((list) => list.filter(([name]) => name !== 'Content-Type'));
const url = fc.webUrl({ withQueryParameters: true });

describe('a printed request is read back', () => {
  it('as a curl command', async () => {
    await fc.assert(
      fc.asyncProperty(body, plainHeaders, url, async (body, headers, url) => {
        const request = { method: 'PUT', url, headers: Object.fromEntries(headers), body };
        expect(await readCapture(curlCommand(request))).toMatchObject({
          format: 'curl',
          method: 'PUT',
          url,
          headers,
          body,
          notes: [],
        });
      }),
    );
  });

  it('as a form of a curl command', async () => {
    const name = text.map((name) => name.replaceAll('=', ''));
    const path = fc.string({ unit: fc.constantFrom(...'ab \'"\\;,$杭'), minLength: 1 });
    const field: fc.Arbitrary<FormField> = fc.oneof(
      fc.record({ name, value: text }),
      fc.record({ name, file: path }),
    );
    const request = { method: 'POST', url: 'https://host/', headers: {}, body: null };
    const options: CaptureOptions = { readFile: async (path) => new TextEncoder().encode(path) };
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 4 }), async (form) => {
        const read = await readCapture(curlCommand(request, form), options);
        expect(fieldsOf(read)).toEqual(
          form.map((field) => ('file' in field ? { ...field, content: field.file } : field)),
        );
      }),
    );
  });

  it.each(['\r\n', '\n'])('as an HTTP message with %j', async (end) => {
    await fc.assert(
      fc.asyncProperty(body, plainHeaders, fc.boolean(), async (body, headers, withLength) => {
        const length = withLength ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
        const lines = headers.map(([name, value]) => `${name}: ${value}`);
        const message = ['POST /a HTTP/1.1', ...lines, ...length, '', body].join(end);
        const read = await readCapture(new TextEncoder().encode(message));
        expect(read.body).toBe(body);
        expect(read.headers.slice(0, headers.length)).toEqual(headers);
      }),
    );
  });
});

const SAMPLES = [
  JSON_BODY,
  `curl 'https://host/x' -H 'X-TMS-Sign: 1' --json $'{"a":"\\u4e2d"}'`,
  "curl https://host/x -d a=1 --data-urlencode 'b@c' -d @d",
  `curl https://host/x -F "a=\\"b;c\\"" -F 'd=@e;filename="f"' -F 'g=<h' -H @i`,
  'curl ^"https://host/x^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":^\n\n1^}^"',
  JSON.stringify({
    log: {
      entries: [
        { request: { headers: [{ name: 'X-TMS-Sign', value: '1' }], postData: { text: '{}' } } },
        { request: { postData: { params: [{ name: 'sign', fileName: 'a' }] } } },
      ],
    },
  }),
  'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n',
  'POST /a HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99\r\n\r\n--b\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--b--\r\n',
  'POST /a\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=%E6%9D%AD+c',
  'curl a -d \'{"sign":1}\' ;\nif ! X=$(curl b -d @- <<EOF | jq .); then\n{"sign":"$A"}\nEOF\nfi',
  'A=\'{"a":1}\'\nB=$(cat <<E\n{}\nE\n)\ncurl u -d "$A" -H "C: $B"',
  'wget -qO- --header="A: b" --post-data=\'{"a":1}\' https://host/x',
  'http -v POST host/x a=1 b:=\'{"c":[1.50]}\' d:e f==g',
  "http --form host/x a=1 b@c 'd=@efg'",
  'await fetch("https://host/x", {\n  "headers": {\n "a": "b"\n  },\n  "body": "{\\"a\\":1}",\n  "method": "POST"\n});',
  "fetch(`u`, {body: JSON.stringify({a: [1, -2.5e3, 'b\\u{4e2d}'], /* c */ d: null,}), headers: new Headers([['e', 'f']])}) // g",
  '$b = @"\n{`"a`":1}\n"@\nirm -Uri "https://host/x" `\n-Method POST `\n-Headers @{\n"a"="b"\n  "c"=\'d\'\n} `\n-Body $b',
  'iwr u -Body ([System.Text.Encoding]::UTF8.GetBytes("{`"a`":`"$([char]26477)`"}"))',
  '@h = host\n### a\n# @name b\nPOST https://{{h}}/x HTTP/1.1\n  ?a=1\nC: d\n\n{"a":"{{h}}","sign":1}\n\n###\nGET {{h}}/y\n',
  "AxiosError: x\n    at f (g:1:2) {\n  config: {\n    a: [ [Function: b] ],\n    headers: Object [AxiosHeaders] { C: 'd' },\n    url: '/e',\n    data: '{\"a\":1}'\n  },\n  code: 'ERR_BAD_REQUEST'\n}",
  JSON.stringify({ message: 'x', config: { url: 'u', data: '{"a":1}', xsrfCookieName: 'y' } }),
  `<?xml version="1.0"?>\n<items burpVersion="1">\n  <item>\n<url><![CDATA[u]]></url>\n<request base64="true"><![CDATA[${btoa('POST /a HTTP/1.1\r\nA: b\r\n\r\n{"a":1}')}]]></request>\n  </item>\n</items>`,
];

/** A sample with inserted, removed and repeated pieces. */
const edit = fc.record({
  /** In thousandths: a random double between 0 and 1 is nearly always almost 0. */
  at: fc.integer({ min: 0, max: 1000 }),
  remove: fc.constantFrom(0, 1, 2, 30),
  insert: fc.oneof(
    fc.constantFrom(...'\'"\\$`^%&|;\n\r\t{}[]@<>=:-#(){}'),
    fc.constantFrom('###\n', '{{a}}', '@{', '"@', 'fetch(', 'irm ', '<<E', '/*', ']]>', '...'),
    fc.constantFrom('', '--b', '\r\n\r\n', '$(', "$'", '^"', '\u0000', '\ud83d', '\ufeff', 'curl '),
    fc.string({ unit: 'binary' }),
  ),
});
const mutated = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([sample, edits]) =>
    edits.reduce((now, { at, remove, insert }) => {
      const start = Math.floor((at / 1000) * now.length);
      return now.slice(0, start) + insert + now.slice(start + remove);
    }, sample),
  );

describe('only usage errors are thrown', () => {
  const readFile = async (path: string) => {
    if (path.length % 2 === 0) throw new Error('missing');
    return new TextEncoder().encode(path);
  };

  /** Whether a capture can be read. An error of another kind is a bug. */
  async function accepts(input: string | Uint8Array): Promise<boolean> {
    try {
      await readCapture(input, { readFile });
      return true;
    } catch (error) {
      if (!(error instanceof MopError) || error.code !== 'usage') throw error;
      expect(error.details.hint).toBeTypeOf('string');
      expect(error.message.length).toBeLessThan(400);
      return false;
    }
  }

  it.each(SAMPLES)('for %s', async (sample) => {
    expect(await accepts(sample)).toBe(true);
  });

  it('for captures with errors in them', async () => {
    let accepted = 0;
    const runs = 4000;
    await fc.assert(
      fc.asyncProperty(mutated, fc.boolean(), async (text, asBytes) => {
        if (await accepts(asBytes ? Buffer.from(text, 'latin1') : text)) accepted++;
      }),
      { numRuns: runs },
    );
    // Both outcomes must be common for the test to be meaningful.
    expect(accepted).toBeGreaterThan(runs / 20);
    expect(accepted).toBeLessThan(runs - runs / 20);
  });

  it('for truncated captures', async () => {
    for (const sample of SAMPLES) {
      for (let end = 0; end < sample.length; end++) await accepts(sample.slice(0, end));
    }
  });

  it('for any input', async () => {
    const input = fc.oneof(text, fc.uint8Array(), fc.string({ unit: 'binary-ascii' }));
    await fc.assert(
      fc.asyncProperty(input, async (input) => {
        await accepts(input);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('large inputs take linear time', () => {
  const fill = (piece: string, size = 1_000_000) => piece.repeat(Math.ceil(size / piece.length));
  const json = `{"a":"${fill('x', 5_000_000)}"}`;
  const form = (part: string) => `POST /a\n\n--b\n${part}\n--b--\n`;
  const part = 'Content-Disposition: form-data; name="a"';

  it.each<[subject: string, text: string]>([
    ['JSON', json],
    ['a HAR', `{"log":{"entries":[{"request":{"postData":{"text":${JSON.stringify(json)}}}}]}}`],
    ['an HTTP message', `POST /a\n\n${json}`],
    ['a multipart file', form(`${part}; filename="b"\n\n${fill('\r\n--', 5_000_000)}`)],
    ['a curl command', `curl -d '${json}'`],
    ['a Windows command', `curl ^"a^" -d ^"${fill('^{', 5_000_000)}^"`],
    ['open brackets', fill('[')],
    ['HAR entries', `{"log":{"entries":[${fill('{"request":{"postData":{"text":"{}"}}},')}0]}}`],
    ['chunks', `POST /a\nTransfer-Encoding: chunked\n\n${fill('1\n{\n')}0\n\n`],
    ['headers', `POST /a\n${fill('A: b\n')}\n{}`],
    ['white space in a header', `POST /a\nA: ${fill(' ')}b\n\n{}`],
    ['multipart parts', form(`${part}\n\n${fill(`\n--b\n${part}\n\n`)}`)],
    ['almost boundaries', form(`${part}\n\n${fill('\n--b-')}`)],
    ['a multipart head', form(`${part}${fill(';')}`)],
    ['a double quote', `curl -d "${fill('\\"')}"`],
    ['double quotes', `curl -d {} ${fill('""')}`],
    ["a $' quote", `curl -d $'{"a":"${fill('\\x41\\u4e2d')}"}'`],
    ['expansions', `curl -d {} "${fill('$a$(b)')}"`],
    ['open expansions', `curl -d {} ${fill('$(')}`],
    ['backslashes', `curl -d {} ${fill('\\\\')}`],
    ['words', `curl ${fill('-d a=b ')}`],
    ['empty data', `curl ${fill("-d '' ")}`],
    ['addresses', `curl -d {} -- ${fill('a ')}`],
    ['a flag bundle', `curl -d {} -${fill('s')}`],
    ['a form argument', `curl -F 'a="${fill('\\"')}"'`],
    ['form parameters', `curl -F 'a=b${fill(';"')}'`],
    ['a urlencoded form', `curl -d '${fill('a=%E6%9D%AD&')}'`],
    ['quotes of cmd', `curl ^"a^" -d ^"${fill('""')}^"`],
    ['backslashes of cmd', `curl "a" ^\n -d "${fill('\\')}`],
    ['assignments', `${fill("A='' ")}curl -d {}`],
    ['comments', `${fill('#\n')}curl -d {}`],
    ['white space', fill(' \n')],
    ['curl commands', fill("curl a -d '{}' ;\n", 300_000)],
    ['curl in a line', fill('curl ')],
    ['curl in words', fill('a curl ')],
    ['heredocs', fill('curl -d @- <<E\n{}\nE\n', 300_000)],
    ['shell variables', `${fill('A=1\n')}curl -d "$A"`],
    ['growing shell variables', `A=aaaaaaaa\n${fill('A="$A$A"\n', 500)}curl -d "$A"`],
    ['open heredocs', fill('curl -d @- <<E\n')],
    ['pipes', fill("echo '{}' | curl a -d @-\n", 300_000)],
    ['pipes of heredocs', fill('cat <<E | curl a -d @-\n{}\nE\n', 300_000)],
    ['open pipes of heredocs', fill('cat <<E | curl a -d @-\n', 300_000)],
    ['quotes before pipes', fill('echo \' echo " | curl a -d @-\n', 300_000)],
    ['quotes in pipes', fill('echo " | curl a -d {}\n', 300_000)],
    ['writers before a pipe', `${fill('echo ')}| curl a -d @-`],
    ['a conversion of printf', `printf '${fill('%s%%')}' a b | curl a -d @-`],
    ['values of printf', `printf %s ${fill('a ')}| curl a -d @-`],
    ['cmd commands', fill('curl ^"a^" &\r\n', 300_000)],
    ['HTTPie items', `http host/x ${fill('a=b ')}`],
    ['an HTTPie name', `http host/x ${fill('a')}`],
    ['wget options', `wget u ${fill('--header=a:b ')}`],
    ['fetch calls', fill('fetch("a");', 300_000)],
    ['open fetch calls', fill('fetch(')],
    ['a string', `fetch("${fill('\\"')}")`],
    ['a long string', `fetch("${fill('a', 5_000_000)}")`],
    ['open strings', fill('fetch("')],
    ['comments in JavaScript', `fetch(${fill('/**/')}`],
    ['open comments', fill('fetch(/*')],
    ['members', `fetch("u", {${fill('a:1,')}})`],
    ['sums', `fetch(${fill("'a'+")}'')`],
    ['inspected values', `axios config: {a: ${fill('[Object] ')}}`],
    ['class names', `axios config: ${fill('a [b] ')}`],
    ['PowerShell commands', fill('irm a -Body "{}"\n')],
    ['PowerShell variables', `${fill('$a = "b"\n')}irm u`],
    ['PowerShell members', `$a = @{}\n${fill('$a["b"] = "c"\n', 200_000)}irm u`],
    ['PowerShell growth', `$a = "aaaaaaaa"\n${fill('$a = "$a$a"\n', 500)}irm u -Body $a`],
    ['PowerShell quotes', `irm u -Body "${fill('""')}"`],
    ['a here-string', `irm u -Body @"\n${fill('"`"$x')}\n"@`],
    ['open here-strings', fill('irm u -Body @"\n')],
    ['hash tables', `irm u -Headers @{${fill('a=b;')}}`],
    ['requests of a file', fill('###\nPOST https://a/\n\n{}\n')],
    ['placeholders', `@a = b\n###\nPOST https://a/\n\n${fill('{{a}}')}`],
    [
      'growing placeholders',
      `@a = {{b}}{{b}}\n@b = ${fill('{{c}}', 5000)}\n@c = ${fill('d', 9000)}\n###\nPOST https://a/\n\n{{a}}`,
    ],
    ['open placeholders', `###\nPOST https://a/\n\n${fill('{{')}`],
    ['scripts', `###\n${fill('< {%\n')}POST https://a/`],
    ['white space in a request line', `###\nPOST https://a/${fill(' ')}b\n\n{}`],
    ['Burp items', `<items>${fill('<item><request>a</request>')}`],
    ['open Burp items', `<items>${fill('<item><request base64="true"><![CDATA[')}`],
    ['words without a format', fill('a ')],
    ['slashes', fill('/')],
  ])('%s', async (_, text) => {
    await readCapture(text).catch((error: unknown) => {
      if (!(error instanceof MopError)) throw error;
    });
    // A slower algorithm exceeds the time-out of the test.
  });
});
