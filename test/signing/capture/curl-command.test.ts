import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { FILES, failure, fieldsOf, JSON_BODY } from './support.ts';

const read = (text: string) => readCapture(text, FILES);
const bodyOf = async (options: string) => (await read(`curl https://host/x ${options}`)).body;

const SIGNED = { url: 'https://host/api/open/x', method: 'POST', body: JSON_BODY };
const QUOTED = JSON_BODY.replaceAll("'", "'\\''");

describe('copied commands', () => {
  it.each<[tool: string, text: string]>([
    [
      'Chrome (bash)',
      `curl 'https://host/api/open/x' \\
  -H 'accept: */*' \\
  -H 'content-type: application/json' \\
  -H 'sec-ch-ua: "Chromium";v="131", "Not_A Brand";v="24"' \\
  -H 'x-tms-sign: 0123' \\
  --data-raw $'{"bill_date":"2026-11-19","remark":"it\\'s 5 > 3 \\\\"now\\\\" \\\\n","sign":"AB"}' \\
  --insecure`,
    ],
    [
      'Chrome (cmd)',
      `curl ^"https://host/api/open/x^" ^\r
  -H ^"accept: */*^" ^\r
  -H ^"sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"131^\\^"^" ^\r
  -H ^"x-tms-sign: 0123^" ^\r
  --data-raw ^"^{^\\^"bill_date^\\^":^\\^"2026-11-19^\\^",^\\^"remark^\\^":^\\^"it's 5 ^> 3 ^\\^\\^\\^"now^\\^\\^\\^" ^\\^\\n^\\^",^\\^"sign^\\^":^\\^"AB^\\^"^}^"`,
    ],
    [
      'Chrome (cmd), older',
      `curl "https://host/api/open/x" ^
  -H "sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"107^\\^"" ^
  -H "x-tms-sign: 0123" ^
  --data-raw "^{^\\^"bill_date^\\^":^\\^"2026-11-19^\\^",^\\^"remark^\\^":^\\^"it's 5 ^> 3 ^\\^\\^\\^"now^\\^\\^\\^" ^\\^\\n^\\^",^\\^"sign^\\^":^\\^"AB^\\^"^}" ^
  --compressed`,
    ],
    [
      'Firefox',
      `curl 'https://host/api/open/x' --compressed -X POST -H 'User-Agent: Mozilla/5.0' -H 'Accept-Encoding: gzip' -H 'Content-Type: application/json' -H 'x-tms-sign: 0123' --data-raw $'{"bill_date":"2026-11-19","remark":"it\\'s 5 > 3 \\\\"now\\\\" \\\\n","sign":"AB"}'`,
    ],
    [
      'Firefox (Windows)',
      `curl ^"https://host/api/open/x^" --compressed -X POST -H ^"Content-Type: application/json^" -H ^"x-tms-sign: 0123^" --data-raw ^"{""bill_date"":""2026-11-19"",""remark"":""it's 5 ^> 3 \\\\""now\\\\"" \\\\n"",""sign"":""AB""}^"`,
    ],
    [
      'Safari',
      `curl 'https://host/api/open/x' \\
-X 'POST' \\
-H 'Content-Type: application/json' \\
-H 'X-TMS-Sign: 0123' \\
--data-binary '${QUOTED}'`,
    ],
    [
      'Postman',
      `curl --location 'https://host/api/open/x' \\
--header 'Content-Type: application/json' \\
--header 'X-TMS-Sign: 0123' \\
--data '${QUOTED}'`,
    ],
    [
      'Insomnia',
      `curl --request POST \\
  --url https://host/api/open/x \\
  --header 'Content-Type: application/json' \\
  --header 'X-TMS-Sign: 0123' \\
  --data '${QUOTED}'`,
    ],
  ])('%s', async (_, text) => {
    const request = await read(text);
    expect(request).toMatchObject({ format: 'curl', ...SIGNED, notes: [] });
    expect(request.headers).toContainEqual([expect.stringMatching(/^x-tms-sign$/i), '0123']);
  });

  it('a line end in the data of Chrome (cmd)', async () => {
    const text =
      'curl ^"https://host/^" --data-raw ^"^{^\n\n  ^\\^"a^\\^": ^\\^"100^%^41^\\^"^\n\n^}^"';
    expect((await read(text)).body).toBe('{\n  "a": "100%41"\n}');
  });

  it('Chrome (cmd), oldest', async () => {
    const text = 'curl "https://host/a"%"20b" -H "A: b" --data-binary "{""a"":""c ^ d & e""}"';
    expect(await read(text)).toMatchObject({
      url: 'https://host/a%20b',
      body: '{"a":"c ^ d & e"}',
    });
  });

  it('a multipart form of Chrome', async () => {
    const request = await read(
      `curl 'https://host/x' -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryA' --data-raw $'------WebKitFormBoundaryA\\r\\nContent-Disposition: form-data; name="city"\\r\\n\\r\\n\\u676d州\\r\\n------WebKitFormBoundaryA\\r\\nContent-Disposition: form-data; name="f"; filename="a.png"\\r\\nContent-Type: image/png\\r\\n\\r\\n\\r\\n------WebKitFormBoundaryA--\\r\\n'`,
    );
    expect(fieldsOf(request)).toEqual([
      { name: 'city', value: '杭州' },
      { name: 'f', file: 'a.png', content: '' },
    ]);
  });
});

describe('text before curl', () => {
  it.each([
    '$ curl',
    '# curl',
    '> curl',
    '# how it was sent\n\ncurl',
    'sudo curl',
    'KEY="a b" X=1 curl',
    '/usr/bin/curl',
    'curl.exe',
    '"C:\\Program Files\\curl\\curl.exe"',
    'PS C:\\Users\\me> curl.exe',
    'C:\\Users\\me>curl',
    '\ufeff\n\n  curl',
  ])('%j', async (command) => {
    const { format, url, body } = await read(`${command} https://host/x -d {}`);
    expect({ format, url, body }).toEqual({ format: 'curl', url: 'https://host/x', body: '{}' });
  });
});

describe('data options', () => {
  it.each<[options: string, body: string]>([
    [`-d '{"a":' -d '1}'`, 'not JSON'],
    [`--json '{"a":' --json '1}'`, '{"a":1}'],
    [`-d'{"a":1}'`, '{"a":1}'],
    [`--data-raw='{"a":1}'`, '{"a":1}'],
    [`--data-b '{"a":1}'`, '{"a":1}'],
    ['-d @one-line.json', '{"a":1}'],
    ['--data-binary @body.json', '{"a":1,\r\n"b":2}\n'],
    ['--json @body.json', '{"a":1,\r\n"b":2}\n'],
    [`-sSLkd '{"a":1}' -o out -w '%{json}' --max-time 3`, '{"a":1}'],
    [`-d '' -d '{"a":1}'`, '{"a":1}'],
    [`-d '["a"' --data ']'`, 'not JSON'],
    [`--data-urlencode '' -d '{}'`, '{}'],
    ['-d {} --head --crlf --ssl --netrc --constructor --toString', '{}'],
  ])('%s', async (options, body) => {
    if (body === 'not JSON') expect(await failure(`curl ${options}`)).toContain('is not JSON');
    else expect(await bodyOf(options)).toBe(body);
  });

  it.each<[options: string, fields: [name: string, value: string][]]>([
    ['-d a=1 -d b=2', [['a', '1'], ['b', '2']]], // biome-ignore format: a table
    ['-d "a=x+y%20%E6%9D%AD&b=100%&=c&d"', [['a', 'x y 杭'], ['b', '100%'], ['', 'c'], ['d', '']]], // biome-ignore format: a table
    ["--data-urlencode 'a=1+1=2 & 杭'", [['a', '1+1=2 & 杭']]],
    ["--data-urlencode 'a@one-line.json' --data-urlencode =b -d c=d", [['a', '{"a":1}'], ['b', ''], ['c', 'd']]], // biome-ignore format: a table
    ["--data-urlencode '@one-line.json' -d c=d", []],
  ])('%s', async (options, fields) => {
    if (fields.length === 0) {
      expect(await failure(`curl ${options}`, FILES)).toContain('neither JSON nor a form');
      return;
    }
    const request = await read(`curl ${options}`);
    expect(request.body).toEqual(fields.map(([name, value]) => ({ name, value })));
    expect(request.notes).toEqual([
      'the body is a urlencoded form; the platform takes JSON: its fields were read as text',
    ]);
  });

  it('notes the characters of a file that -d removes', async () => {
    const { body, notes } = await read('curl -d @body.json');
    expect(body).toBe('{"a":1,"b":2}');
    expect(notes).toEqual([
      'curl removes line ends and NULs from a file with --data: 3 of "@body.json" (--data-binary keeps them)',
    ]);
  });
});

describe('form options', () => {
  it.each<[option: string, field: object]>([
    ["-F 'a=b;c'", { name: 'a', value: 'b' }],
    ["-F 'a= b ;type=text/plain'", { name: 'a', value: 'b' }],
    [`-F 'a=" b;c\\"\\\\"'`, { name: 'a', value: ' b;c"\\' }],
    [`-F 'a="'`, { name: 'a', value: '"' }],
    ['-F a=', { name: 'a', value: '' }],
    ['-F a=b,c=d', { name: 'a', value: 'b,c=d' }],
    ["-F 'a=<one-line.json;type=x/y'", { name: 'a', value: '{"a":1}' }],
    ["-F 'a=b;filename=c.txt'", { name: 'a', file: 'c.txt', content: 'b' }],
    ['-F a=@dir/photo.png', { name: 'a', file: 'photo.png', content: 'PNG' }],
    ["-F 'a=@dir/photo.png;type=image/png'", { name: 'a', file: 'photo.png', content: 'PNG' }],
    [`-F 'a=@"dir/photo.png" ; type=a/b; filename="b;c"'`, { name: 'a', file: 'b;c', content: 'PNG' }], // biome-ignore format: a table
    ["--form-string 'a=@b;type=c'", { name: 'a', value: '@b;type=c' }],
  ])('%s', async (option, field) => {
    expect(fieldsOf(await read(`curl ${option} -F z=1`))).toEqual([
      field,
      { name: 'z', value: '1' },
    ]);
  });

  it('accepts a missing upload without its content', async () => {
    const { body, notes } = await read('curl -F a=@missing.png');
    expect(body).toEqual([{ name: 'a', file: 'missing.png' }]);
    expect(notes).toEqual([
      'the uploaded file "missing.png" was not read; its content is not signed',
    ]);
  });
});

describe('the rest of a command', () => {
  it('headers', async () => {
    const { headers } = await read(
      `curl -H 'X-TMS-a:  b: c ' -hx-no -Hx-tms-b:1 --header 'Empty;' -H 'None:' -H 'No:  ' -H Bad -H @headers -d {}`,
    );
    expect(headers).toEqual([
      ['X-TMS-a', 'b: c'],
      ['x-tms-b', '1'],
      ['Empty', ''],
      ['X-TMS-A', '1'],
      ['X-TMS-Empty', ''],
    ]);
  });

  it.each<[text: string, method: string, url: string | undefined, notes: string[]]>([
    ['curl -d {}', 'POST', undefined, []],
    ['curl -XPUT -d {} https://host/', 'PUT', 'https://host/', []],
    ['curl -X GET --request PATCH -d {} --url https://host/', 'PATCH', 'https://host/', []],
    ["curl -d {} -- 'https://host/?a=\\[1\\]'", 'POST', 'https://host/?a=[1]', []],
    ['curl -d {} a b', 'POST', 'a', ['only the first of 2 addresses was read']],
    ['curl -K f -d {}', 'POST', undefined, ['the configuration file of -K was not read']],
    ['curl -d {} -H "A: $B"', 'POST', undefined, ['the shell would replace "$B", which was read unchanged: insert the sent text']], // biome-ignore format: a table
    ['curl -d {} | jq .', 'POST', undefined, []],
  ])('%s', async (text, method, url, notes) => {
    const request = await read(text);
    expect(request).toMatchObject({ method, notes });
    expect(request.url).toBe(url);
  });
});

describe('bad commands', () => {
  it.each([
    ['curl', 'it has no body (none of -d, --data-raw, --json, -F …)'],
    ['curl https://host/?a=1&b=2 -d {}', 'it has no body'],
    ['curl -G -d a=1', 'with -G the data goes into the address, so there is no body'],
    ['curl -d a=1 -F b=2', 'it has both --data and --form, which curl refuses'],
    ["curl -d ''", 'the body is empty'],
    ['curl -d', 'the command ends after "-d", which takes an argument'],
    ['curl -d {} --max-time', 'the command ends after "--max-time", which takes an argument'],
    ["curl -d '{a:1}'", 'the body is not JSON: it contains names without quotes at line 1 column 2'], // biome-ignore format: a table
    ["curl -d '[1]'", 'the body is JSON, but not an object (it is an array)'],
    ['curl -d \'"a"\'', 'the body is JSON, but not an object (it is a string)'],
    ['curl -d hello', 'the body is neither JSON nor a form'],
    ['curl -d \'<a b="c"/>\'', 'the body is XML or HTML, not JSON'],
    ['curl -d a=%ff', 'the form field "%ff" is not UTF-8 text'],
    [
      "curl -d a=1 -H 'Content-Type: application/json'",
      'the body is a urlencoded form; the platform takes JSON',
    ],
    ["curl -d x -H 'Content-Encoding: gzip'", 'the body is compressed (Content-Encoding: "gzip")'],
    ["curl -d hello -H 'Content-Encoding: none'", 'the body is neither JSON nor a form'],
    ['curl -d @-', '--data takes its data from standard input, which the command does not contain'],
    ['curl -d @missing', '--data: cannot read "missing": ENOENT: no such file'],
    ["curl -F 'a=<missing'", '-F: cannot read "missing"'],
    ['curl -F a', '--form "a" is not name=value'],
    ['curl -F a=@b,c', 'the form field "a" holds several files'],
    ["curl -d 'abc", 'a single quote is not closed, from line 1 column 9'],
    ['curl -d ^"abc', 'a double quote is not closed, in argument 2 of the Windows command'],
  ])('%s', async (text, message) => {
    expect(await failure(text, FILES)).toContain(`read as a curl command: ${message}`);
  });

  it('rejects a file without a reader', async () => {
    expect(await failure('curl -d @a.json')).toBe(
      'read as a curl command: --data takes its data from the file "a.json", which is not read here',
    );
  });

  it('rejects bytes that are not UTF-8', async () => {
    expect(await failure(Buffer.from('curl -d \'{"a":"\xff"}\'', 'latin1'))).toBe(
      'read as a curl command: the text is not UTF-8 text',
    );
  });
});

it.each(['user@host:~$ ', '+ ', 'host% ', '$ '])('accepts the prompt %j', async (prompt) => {
  expect(await readCapture(`${prompt}curl https://host/x -d '{"sign":"A"}'`)).toMatchObject({
    format: 'curl',
    body: '{"sign":"A"}',
  });
});

it('names the variable in an unreadable body', async () => {
  const command = 'curl https://host/x -d "{\\"timestamp\\":$TS}"';
  await expect(readCapture(command)).rejects.toMatchObject({
    code: 'usage',
    details: { hint: expect.stringContaining('"$TS"') },
  });
});

it('accepts the line continuations of PowerShell', async () => {
  const command = "curl.exe -X POST https://host/x `\n  -H 'A: b' `\r\n  -d '{}'";
  expect(await readCapture(command)).toMatchObject({ headers: [['A', 'b']], body: '{}' });
});
