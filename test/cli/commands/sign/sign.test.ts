import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { vectors } from '../../../signing/vectors.ts';
import { errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { CREDENTIALS, configuration, expectFailure, FIXED, file, KEY } from '../../support.ts';

interface Document {
  readonly mode: string;
  readonly version: string;
  readonly method: string;
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly entries: readonly { name: string; value: string; source: string }[];
  readonly omitted: readonly { name: string; reason: string }[];
  readonly canonical: string;
  readonly sign: string;
  readonly warnings: readonly string[];
}

const run = (...argv: string[]) => mop(['sign', ...argv], { env: CREDENTIALS });

/** The document of `--json`. */
async function sign(...argv: string[]): Promise<Document> {
  const { code, stdout, stderr } = await run(...argv, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const valuesOf = ({ entries }: Document) =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value]));

const HEADER = ['--mode', 'header'];

describe.each(vectors)('vector $title', (vector) => {
  const env = {
    MOP_API_KEY: vector.credentials.apiKey,
    MOP_API_SECRET: vector.credentials.secret,
  };
  const fields = [
    `--timestamp=${vector.timestamp}`,
    `--seq-id=${vector.seqId}`,
    `--nonce=${vector.nonce}`,
  ];
  const { bodyMode, headerMode } = vector;
  const headers = headerMode.extraHeaders.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);

  it('is signed in body mode', async () => {
    const argv = ['sign', vector.text, ...fields];
    const document = JSON.parse((await mop([...argv, '--json'], { env })).stdout);
    const { body, canonical, sign, entries } = bodyMode;
    expect(document).toMatchObject({ mode: 'body', body, canonical, sign, entries });
    expect((await mop(argv, { env })).stdout).toBe(`${body}\n`);
    expect((await mop([...argv, '--as', 'sign'], { env })).stdout).toBe(`${sign}\n`);
  });

  it('is signed in header mode', async () => {
    const argv = ['sign', vector.text, ...HEADER, ...headers, ...fields];
    const document = JSON.parse((await mop([...argv, '--json'], { env })).stdout);
    const { body, canonical, sign } = headerMode;
    expect(document).toMatchObject({ mode: 'header', body, canonical, sign });
    expect((await mop([...argv, '--as', 'body'], { env })).stdout).toBe(`${body}\n`);
    expect((await mop([...argv, '--as', 'sign'], { env })).stdout).toBe(`${sign}\n`);
    const lines = Object.entries(document.headers).map(([name, value]) => `${name}: ${value}`);
    expect((await mop(argv, { env })).stdout.replaceAll(/;$/gm, ': ')).toBe(
      `${lines.join('\n')}\n`,
    );
  });
});

describe('--json', () => {
  it('has every key in body mode', async () => {
    const url = 'https://h.example/open/v1/trade/bill';
    expect(await sign('{"b":1.0,"a":null,"sign":"x"}', ...FIXED, '--url', url)).toEqual({
      mode: 'body',
      version: '1.0',
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json' },
      body:
        '{"b":1.0,"a":null,"api_key":"key-of-the-test","seq_id":"seq-1","timestamp":1795132800,' +
        '"nonce":"abcdefghij","sign":"F6057D3275F98F8898C75E198EE29B2B"}',
      entries: [
        { name: 'b', value: '1.0', source: 'business' },
        { name: 'api_key', value: KEY, source: 'common' },
        { name: 'seq_id', value: 'seq-1', source: 'common' },
        { name: 'timestamp', value: '1795132800', source: 'common' },
        { name: 'nonce', value: 'abcdefghij', source: 'common' },
      ],
      omitted: [
        { name: 'a', reason: expect.any(String) },
        { name: 'sign', reason: expect.any(String) },
      ],
      canonical: 'api_key=key-of-the-test&b=1.0&nonce=abcdefghij&seq_id=seq-1&timestamp=1795132800',
      sign: 'F6057D3275F98F8898C75E198EE29B2B',
      warnings: [expect.stringContaining('b is 1.0')],
    });
  });

  it('has every key in header mode', async () => {
    expect(await sign('{"b":2,"a":null}', ...HEADER, ...FIXED, '-H', 'X-TMS-Trace: t')).toEqual({
      mode: 'header',
      version: '2.0',
      method: 'POST',
      url: null,
      headers: {
        'Content-Type': 'application/json',
        'X-TMS-Sign-Ver': '2.0',
        'X-TMS-Api-Key': KEY,
        'X-TMS-Timestamp': '1795132800',
        'X-TMS-Seq-Id': 'seq-1',
        'X-TMS-Nonce': 'abcdefghij',
        'X-TMS-Trace': 't',
        'X-TMS-Sign': '6BD0D6109F4D4E3EB5F63C3C344B9779',
      },
      body: '{"b":2,"a":null}',
      entries: [
        { name: 'X-TMS-Sign-Ver', value: '2.0', source: 'header' },
        { name: 'X-TMS-Api-Key', value: KEY, source: 'header' },
        { name: 'X-TMS-Timestamp', value: '1795132800', source: 'header' },
        { name: 'X-TMS-Seq-Id', value: 'seq-1', source: 'header' },
        { name: 'X-TMS-Nonce', value: 'abcdefghij', source: 'header' },
        { name: 'X-TMS-Trace', value: 't', source: 'header' },
        { name: 'b', value: '2', source: 'business' },
        { name: 'a', value: '', source: 'business' },
      ],
      omitted: [{ name: 'X-TMS-Sign', reason: expect.any(String) }],
      canonical:
        'X-TMS-Api-Key=key-of-the-test&X-TMS-Nonce=abcdefghij&X-TMS-Seq-Id=seq-1&' +
        'X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1795132800&X-TMS-Trace=t&a=&b=2',
      sign: '6BD0D6109F4D4E3EB5F63C3C344B9779',
      warnings: [],
    });
  });

  it('has its keys in the order of the contract', async () => {
    const keys = [
      ...['mode', 'version', 'method', 'url', 'headers', 'body'],
      ...['entries', 'omitted', 'canonical', 'sign', 'warnings'],
    ];
    expect(Object.keys(await sign('{}'))).toEqual(keys);
    expect(Object.keys(await sign('{}', ...HEADER))).toEqual(keys);
  });

  it('is one line', async () => {
    expect((await run('{}', '--json')).stdout).toMatch(/^\{[^\n]*\}\n$/);
  });
});

describe('--as', () => {
  const fixed = ['{"a":"1"}', ...FIXED];

  it.each([
    { argv: fixed, same: [...fixed, '--as', 'body'] },
    { argv: [...fixed, '--mode', 'body'], same: [...fixed, '--as', 'body'] },
    { argv: [...fixed, ...HEADER], same: [...fixed, ...HEADER, '--as', 'headers'] },
    { argv: [...fixed, '--json'], same: [...fixed, '--as', 'json'] },
    { argv: [...fixed, '--json', '--as', 'sign'], same: [...fixed, '--as', 'json'] },
    { argv: [...fixed, ...HEADER, '--json'], same: [...fixed, ...HEADER, '--as', 'json'] },
  ])('$argv is $same', async ({ argv, same }) => {
    const result = await run(...argv);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result).toEqual(await run(...same));
  });

  it('body is one line of JSON, as it goes over the wire', async () => {
    const { stdout } = await run('{ "a" : [1.0 , {"城":"a/b"}] }', ...FIXED);
    expect(stdout).toMatch(
      /^\{"a":\[1\.0,\{"城":"a\/b"\}\],"api_key":.*,"sign":"[0-9A-F]{32}"\}\n$/,
    );
  });

  it('headers are Name: value lines, and Name; for an empty value', async () => {
    const { stdout } = await run('{}', ...HEADER, ...FIXED, '-H', 'X-TMS-None;');
    expect(stdout.split('\n')).toEqual([
      'Content-Type: application/json',
      'X-TMS-Sign-Ver: 2.0',
      `X-TMS-Api-Key: ${KEY}`,
      'X-TMS-Timestamp: 1795132800',
      'X-TMS-Seq-Id: seq-1',
      'X-TMS-Nonce: abcdefghij',
      'X-TMS-None;',
      expect.stringMatching(/^X-TMS-Sign: [0-9A-F]{32}$/),
      '',
    ]);
    expect((await run('{}', '--as', 'headers')).stdout).toBe('Content-Type: application/json\n');
  });

  it('sign is only the signature', async () => {
    const { sign: expected } = await sign(...fixed);
    expect((await run(...fixed, '--as', 'sign')).stdout).toBe(`${expected}\n`);
  });

  it('curl needs an address, and its absence is reported', async () => {
    const { code, stdout, stderr } = await run('{}', '--as', 'curl');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^curl -X POST https:\/\/HOST\/open\/v1\/PATH /);
    expect(stderr).toMatch(/^mop: warning: no --path or --url/);
    const header = await run('{}', ...HEADER, '--as', 'curl');
    expect(header.stdout).toMatch(/^curl -X POST https:\/\/HOST\/api\/open\/PATH /);
    const given = await run('{}', '--as', 'curl', '--url', 'http://127.0.0.1:1/x');
    expect(given.stdout).toMatch(/^curl -X POST http:\/\/127\.0\.0\.1:1\/x /);
    expect(given.stderr).toBe('');
  });

  it('json is --json, also for errors', async () => {
    const result = await run('{', '--as', 'json');
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(result)).toMatchObject({ code: 'usage' });
  });
});

describe('generated fields', () => {
  it.each([
    { argv: [], names: ['api_key', 'seq_id', 'timestamp', 'nonce'] },
    { argv: HEADER, names: ['X-TMS-Api-Key', 'X-TMS-Seq-Id', 'X-TMS-Timestamp', 'X-TMS-Nonce'] },
  ])('$argv: UUID v4, Unix seconds, 10 random characters', async ({ argv, names }) => {
    const [key = '', seqId = '', timestamp = '', nonce = ''] = names;
    const first = valuesOf(await sign('{}', ...argv));
    expect(first[key]).toBe(KEY);
    expect(first[seqId]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(first[timestamp]).toBe(String(NOW / 1000));
    expect(first[nonce]).toMatch(/^[A-Za-z0-9]{10}$/);
    const second = valuesOf(await sign('{}', ...argv));
    expect(second[seqId]).not.toBe(first[seqId]);
    expect(second[nonce]).not.toBe(first[nonce]);
  });

  it('round the clock down', async () => {
    const world = { env: CREDENTIALS, now: () => 1_999 };
    const { stdout } = await mop(['sign', '{}'], world);
    expect(stdout).toContain('"timestamp":1,');
  });

  it('follow the fields of BODY, and replace null', async () => {
    const body = '{"nonce":null,"z":1,"timestamp":7,"api_key":null,"a":2}';
    const { stdout } = await run(body, '--seq-id', 's');
    expect(stdout).toMatch(
      /^\{"z":1,"timestamp":7,"a":2,"api_key":"key-of-the-test","seq_id":"s","nonce":"\w{10}","sign":/,
    );
  });
});

describe('common fields', () => {
  const BODY =
    '{"timestamp":"8","nonce":"of-body-10","seq_id":"of-body","api_key":"key-of-the-test"}';

  it('of BODY are unchanged', async () => {
    const { stdout } = await run(BODY);
    expect(stdout.startsWith(BODY.slice(0, -1))).toBe(true);
  });

  it.each([
    { flag: '--timestamp', value: '9', expected: '{"timestamp":9,' },
    { flag: '--nonce', value: 'of-flag-10', expected: '"nonce":"of-flag-10","seq_id":"of-body"' },
    { flag: '--seq-id', value: 'of-flag', expected: '"nonce":"of-body-10","seq_id":"of-flag"' },
    { flag: '--api-key', value: 'of-flag', expected: '"seq_id":"of-body","api_key":"of-flag"' },
    { flag: '--nonce', value: '', expected: '"nonce":"","seq_id":"of-body"' },
    { flag: '--seq-id', value: '', expected: '"nonce":"of-body-10","seq_id":""' },
  ])('$flag $value wins over BODY', async ({ flag, value, expected }) => {
    expect((await run(BODY, flag, value)).stdout).toContain(expected);
  });

  it('in BODY are business fields in header mode', async () => {
    const { entries } = await sign('{"nonce":"n","sign":"s"}', ...HEADER, ...FIXED);
    expect(entries.slice(-2)).toEqual([
      { name: 'nonce', value: 'n', source: 'business' },
      { name: 'sign', value: 's', source: 'business' },
    ]);
  });

  it('sign in BODY is dropped in body mode', async () => {
    const { body, sign: own } = await sign('{"sign":"OLD","a":1}', ...FIXED);
    expect(body).not.toContain('OLD');
    expect(body?.match(/"sign":/g)).toHaveLength(1);
    expect(own).toBe((await sign('{"a":1}', ...FIXED)).sign);
  });

  it('an api_key that differs from the one of the secret causes a warning', async () => {
    const message = `the request's api_key is other, but the secret belongs to ${KEY}`;
    expect((await sign('{"api_key":"other"}')).warnings).toEqual([message]);
    expect((await sign('{}', ...HEADER, '-H', 'X-TMS-Api-Key: other')).warnings).toEqual([message]);
    expect((await sign('{"api_key":"other"}', ...HEADER)).warnings).toEqual([]);
  });
});

describe('--timestamp', () => {
  it.each([
    ['body', '{"timestamp":1795132800,'],
    ['header', 'X-TMS-Timestamp: 1795132800\n'],
  ])('is sent as given in %s mode', async (mode, expected) => {
    const { stdout } = await run('{"timestamp":1}', '--mode', mode, ...FIXED);
    expect(stdout).toContain(expected);
  });

  it.each(['', ' ', '-1', '1.5', '1e9', '0x10', '007', 'now', '2026-11-19', '1795132800 '])(
    'cannot be %j',
    async (value) => {
      for (const mode of ['body', 'header']) {
        const result = await run('{}', '--mode', mode, `--timestamp=${value}`);
        expectFailure(result, 2, `the timestamp ${JSON.stringify(value)} is not`, 'date +%s');
      }
    },
  );

  it('has a unit when it is generated', async () => {
    const timestamp = async (...argv: string[]) =>
      valuesOf(await sign('{}', ...HEADER, ...argv))['X-TMS-Timestamp'];
    expect(await timestamp('--timestamp-unit', 's')).toBe(String(NOW / 1000));
    expect(await timestamp('--timestamp-unit', 'ms')).toBe(String(NOW));
    expect(await timestamp('--timestamp-unit', 'ms', '--timestamp', '5')).toBe('5');
  });
});

describe('--nonce and --seq-id', () => {
  it('are omitted with --no-nonce, in header mode only', async () => {
    const { headers, canonical } = await sign('{}', ...HEADER, '--no-nonce');
    expect(headers).not.toHaveProperty('X-TMS-Nonce');
    expect(canonical).not.toContain('Nonce');
  });

  it.each([
    { argv: ['--nonce', 'short'], modes: ['body'], warning: 'the nonce has 5 characters, not 10' },
    { argv: ['--nonce', ''], modes: ['body'], warning: 'the nonce has 0 characters, not 10' },
    {
      argv: ['--seq-id', 's'.repeat(37)],
      modes: ['body', 'header'],
      warning: 'the serial number has 37 characters',
    },
    { argv: ['--timestamp', '1700000000000'], modes: ['body'], warning: 'takes seconds' },
    {
      argv: ['-H', 'X-TMS-Sign-Ver: 1.0'],
      modes: ['header'],
      warning: 'X-TMS-Sign-Ver is 1.0; the platform accepts only 2.0',
    },
  ])('$argv is signed, with a warning', async ({ argv, modes, warning }) => {
    for (const mode of modes) {
      const { warnings } = await sign('{}', '--mode', mode, ...argv);
      expect(warnings).toEqual([expect.stringContaining(warning)]);
      const { code, stderr } = await run('{}', '--mode', mode, '--as', 'sign', ...argv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(warning) });
    }
  });

  it.each(['x'.repeat(10), '🚕'.repeat(10)])('%s is long enough', async (nonce) => {
    expect((await sign('{}', '--nonce', nonce, '--seq-id', 's'.repeat(36))).warnings).toEqual([]);
  });
});

describe('options of header mode', () => {
  it.each([
    { argv: ['--timestamp-unit', 's'], option: '--timestamp-unit' },
    { argv: ['--no-nonce'], option: '--no-nonce' },
    { argv: ['-H', 'X-TMS-A: 1'], option: '-H' },
    { argv: ['--null-as', 'omit'], option: '--null-as' },
    { argv: ['--form', 'a=1'], option: '--form' },
    { argv: ['--file', 'a=@b'], option: '--file' },
  ])('$argv is refused in body mode', async ({ argv, option }) => {
    const message = `${option} belongs to header mode`;
    expectFailure(await run('{}', ...argv), 2, message, '--mode header');
    expectFailure(await run('explain', '{}', ...argv), 2, message, '--mode header');
  });
});

describe('-H', () => {
  it.each([
    { line: 'X-TMS-Trace: 1', name: 'X-TMS-Trace', value: '1' },
    { line: 'X-TMS-Trace:1', name: 'X-TMS-Trace', value: '1' },
    { line: 'x-tms-trace: \t a b \t', name: 'x-tms-trace', value: 'a b' },
    { line: 'X-TMS-Url: https://h/?a:b=c;', name: 'X-TMS-Url', value: 'https://h/?a:b=c;' },
    { line: 'X-TMS-Empty:', name: 'X-TMS-Empty', value: '' },
    { line: 'X-TMS-Empty;', name: 'X-TMS-Empty', value: '' },
    { line: 'X-TMS-Sign-Ver: 2.1', name: 'X-TMS-Sign-Ver', value: '2.1' },
    { line: 'x-tms-nonce: 0123456789', name: 'X-TMS-Nonce', value: '0123456789' },
  ])('$line is sent and signed', async ({ line, name, value }) => {
    const { headers, entries } = await sign('{}', ...HEADER, '-H', line);
    expect(headers[name]).toBe(value);
    expect(entries).toContainEqual({ name, value, source: 'header' });
    const same = Object.keys(headers).filter((h) => h.toLowerCase() === name.toLowerCase());
    expect(same).toEqual([name]);
  });

  it('may be given several times', async () => {
    const { canonical } = await sign('{}', ...HEADER, '-H', 'X-TMS-B: 2', '--header', 'X-TMS-A: 1');
    expect(canonical).toMatch(/^X-TMS-A=1&X-TMS-Api-Key=.*&X-TMS-B=2&/);
  });

  it.each([
    { argv: ['-H', 'X-Trace: 1'], message: 'the header X-Trace is not part of the signature' },
    { argv: ['-H', 'Content-Type: a'], message: 'Content-Type is not part of the signature' },
    { argv: ['-H', 'X-TMS-Sign: A'], message: 'X-TMS-Sign is computed and cannot be given' },
    { argv: ['-H', 'x-tms-sign: A'], message: 'X-TMS-Sign is computed and cannot be given' },
    { argv: ['-H', 'X-TMS-Trace'], message: `-H takes 'Name: value'` },
    { argv: ['-H', ': 1'], message: `-H takes 'Name: value'` },
    { argv: ['-H', ''], message: `-H takes 'Name: value'` },
    { argv: ['-H', 'X-TMS Trace: 1'], message: `-H takes 'Name: value'` },
    { argv: ['-H', 'X-TMS-(): 1'], message: 'cannot be sent' },
    { argv: ['-H', 'X-TMS-City: 杭州'], message: 'cannot be sent' },
    { argv: ['-H', 'X-TMS-A: 1\r\nX-Evil: 2'], message: 'cannot be sent' },
    {
      argv: ['-H', 'X-TMS-A: 1', '-H', 'x-tms-a: 1'],
      message: 'the header x-tms-a is given twice',
    },
    { argv: ['-H', 'X-TMS-Nonce: 1', '--nonce', '2'], message: 'X-TMS-Nonce is given twice' },
    { argv: ['-H', 'x-tms-api-key: 1', '--api-key', '2'], message: 'X-TMS-Api-Key is given twice' },
  ])('$argv is refused', async ({ argv, message }) => {
    expectFailure(await run('{}', ...HEADER, ...argv), 2, message);
  });

  it('cannot have the name of a field of the body', async () => {
    const message = 'the body has a field named like the signed header X-TMS-';
    expectFailure(await run('{"X-TMS-Nonce":"1"}', ...HEADER), 2, message, 'rename the field');
    const own = await run('{"X-TMS-A":"1"}', ...HEADER, '-H', 'X-TMS-A: 1');
    expectFailure(own, 2, `${message}A`);
    const form = await run(...HEADER, '--form', 'X-TMS-Nonce=1');
    expectFailure(form, 2, `${message}Nonce`);
    // Other letters, another name.
    expect((await run('{"x-tms-nonce":"1"}', ...HEADER)).code).toBe(0);
    expect((await run('{"X-TMS-Nonce":"1"}')).code).toBe(0);
  });
});

describe('--null-as', () => {
  it.each([
    { argv: [], signed: '&a=&b=1', omitted: ['X-TMS-Sign'] },
    { argv: ['--null-as', 'empty'], signed: '&a=&b=1', omitted: ['X-TMS-Sign'] },
    { argv: ['--null-as', 'text'], signed: '&a=null&b=1', omitted: ['X-TMS-Sign'] },
    { argv: ['--null-as', 'omit'], signed: '&b=1', omitted: ['a', 'X-TMS-Sign'] },
  ])('$argv', async ({ argv, signed, omitted }) => {
    const document = await sign('{"b":1,"a":null}', ...HEADER, ...FIXED, ...argv);
    expect(document.canonical).toMatch(new RegExp(`Timestamp=1795132800${signed}$`));
    expect(document.body).toBe('{"b":1,"a":null}');
    expect(document.omitted.map(({ name }) => name)).toEqual(omitted);
  });
});

describe('--form and --file', () => {
  it('sign the text fields and name the files', async () => {
    const path = await file('content');
    const argv = ['--form', 'b=x=y', '--file', `doc=@${path}`, '--form', 'a='];
    const document = await sign(...HEADER, ...FIXED, ...argv);
    expect(document.body).toBeNull();
    expect(document.headers).not.toHaveProperty('Content-Type');
    expect(document.canonical).toMatch(/&a=&b=x=y$/);
    expect(document.canonical).not.toContain('doc');
    expect(document.omitted.map(({ name }) => name)).toEqual(['doc', 'X-TMS-Sign']);
  });

  it('may be a file alone', async () => {
    const { canonical } = await sign(...HEADER, ...FIXED, '--file', `doc=@${await file('')}`);
    expect(canonical).toMatch(/&X-TMS-Timestamp=1795132800$/);
  });

  it.each([
    { argv: ['--form', 'a'], message: '--form takes key=value, not "a"' },
    { argv: ['--form', '=a'], message: '--form takes key=value' },
    { argv: ['--file', 'a'], message: '--file takes key=@path' },
    { argv: ['--file', 'a=b'], message: '--file takes key=@path, not "a=b"' },
    { argv: ['--file', 'a=@/does/not/exist'], message: '/does/not/exist: there is no such file' },
    { argv: ['--form', 'a=1', '--form', 'a=2'], message: 'the field "a" occurs twice' },
    { argv: ['{}', '--form', 'a=1'], message: 'either a JSON body or a multipart form' },
    { argv: ['--form', 'a=1', '-F', 'b=1'], message: 'either a JSON body or a multipart form' },
    { argv: ['--form', 'a=1', '--as', 'body'], message: 'a multipart form has no JSON body' },
  ])('$argv is refused', async ({ argv, message }) => {
    expectFailure(await run(...HEADER, ...argv), 2, message);
  });

  it('cannot have the same name', async () => {
    const path = await file('content');
    const result = await run(...HEADER, '--form', 'a=1', '--file', `a=@${path}`);
    expectFailure(result, 2, 'the field "a" occurs twice');
  });
});

describe('--url', () => {
  it.each(['h.example/x', '/open/v1/x', 'ftp://h.example/x', 'file:///x', '', 'https://'])(
    'cannot be %j',
    async (url) => {
      expectFailure(await run('{}', '--url', url), 2, `--url ${JSON.stringify(url)}`, 'https://');
    },
  );
});

describe('the signer', () => {
  it('is the current profile, or --api-key and --secret-file', async () => {
    const { env } = await configuration({
      profiles: { shop: { api_key: 'shop-key', api_secret: 'shop-secret' } },
    });
    const key = async (...argv: string[]) => {
      const { stdout } = await mop(['sign', '{}', ...FIXED, ...argv], { env });
      return JSON.parse(stdout).api_key;
    };
    expect(await key('-p', 'shop')).toBe('shop-key');
    const flags = ['--api-key', 'flag-key', '--secret-file', await file('flag-secret')];
    expect(await key(...flags)).toBe('flag-key');
    expect(await key('-p', 'shop', ...flags)).toBe('flag-key');
    expect(await key('--env', 'sandbox')).toBe('sandbox');
  });

  it('has no --secret option', async () => {
    for (const option of ['--secret', '--api-secret']) {
      const result = await run('{}', option, 'hunter2');
      expectFailure(result, 2, `unknown option '${option}'`);
      expect(result.stderr).not.toContain('hunter2');
    }
  });
});

describe('an empty request', () => {
  it('cannot be signed, unlike {}', async () => {
    expectFailure(await run(), 2, 'nothing to sign', `'{}' is an empty body`);
    expect((await run('{}')).code).toBe(0);
  });

  it('leaves no file', async () => {
    const directory = await temporaryDirectory();
    const env = { ...CREDENTIALS, MOP_CONFIG_DIR: `${directory}/config` };
    await mop(['sign', '{}'], { env });
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(directory)).toEqual([]);
  });
});

it.each([
  ['{"timestamp":1700000000000}', [], ['takes seconds']],
  ['{"timestamp":1700000000}', [], []],
  ['{"timestamp":"1700000000"}', [], ['timestamp is a string, not an int (reading types=strict)']],
  ['{"timestamp":"1700000000"}', ['--timestamp', '1700000000'], []],
  [
    '{"timestamp":true,"seq_id":5,"nonce":1234567890}',
    [],
    ['timestamp is a boolean, not an int', 'seq_id is 5, not a string', 'nonce is 1234567890'],
  ],
  ['{}', [...HEADER, '--timestamp', '1700000000000000'], ['the timestamp has 16 digits']],
  ['{"timestamp":1700000000000}', HEADER, []],
  ['{}', [...HEADER, '--timestamp', '1700000000000'], []],
  ['{}', [...HEADER, '--nonce', 'short'], []],
])('%s with %j has the warnings %j', async (body, argv, warnings) => {
  const document = await sign(body, ...argv);
  expect(document.warnings).toEqual(warnings.map((each) => expect.stringContaining(each)));
});

it.each([
  { setting: 'header', argv: [], mode: 'header' },
  { setting: 'header', argv: ['--mode', 'body'], mode: 'body' },
  { setting: 'header', argv: ['--path', '/trade/bill'], mode: 'header' },
  { setting: 'documented', argv: [], mode: 'body' },
  { setting: 'documented', argv: ['--path', 'takecar/estimate/price'], mode: 'header' },
  { setting: 'body', argv: ['--path', 'takecar/estimate/price'], mode: 'body' },
  { setting: 'body', argv: ['--path', 'trade/bill', '--mode', 'header'], mode: 'header' },
])('signs in $mode mode with $argv and mode=$setting', async ({ setting, argv, mode }) => {
  const config = await configuration({ profiles: { default: { mode: setting } } });
  const world = { env: { ...config.env, ...CREDENTIALS }, stdin: '{}\n' };
  for (const command of [
    ['sign', '{}'],
    ['sign', 'explain', '{}'],
    ['sign', '--batch', '-'],
  ]) {
    const { stdout } = await mop([...command, ...argv, '--env', 'sandbox', '--json'], world);
    expect((JSON.parse(stdout) as Document).mode).toBe(mode);
  }
  const { stdout } = await mop(['sign', '{}', ...argv, '--env', 'sandbox'], world);
  expect(stdout.startsWith('{')).toBe(mode === 'body');
});

it.each([['sign'], ['sign', 'explain'], ['sign', 'verify'], ['call', 'x'], ['decode']])(
  '%s %s hints at @ for the name of a file',
  async (...command) => {
    const name = await file('{}', { name: 'good.json' });
    const argv = [...command, name, '--env', 'sandbox'];
    expectFailure(await mop(argv), 2, '', `hint: write @${name}`);
    const gone = [...command, `${name}.gone.json`, '--env', 'sandbox'];
    expectFailure(await mop(gone), 2, '');
  },
);

describe('--path', () => {
  const ADDRESSES = {
    ...CREDENTIALS,
    MOP_BASE_URL: 'https://h.example/prefix/',
    MOP_OPEN_BASE_URL: 'https://open.example',
  };
  const SANDBOX = ['--env', 'sandbox'];

  it.each([
    [['--path', '/trade/bill'], 'https://h.example/prefix/open/v1/trade/bill'],
    [['--path', 'trade/bill', '--env', 'test'], 'https://h.example/prefix/open/v1/trade/bill'],
    [['--path', '/user/sync', ...HEADER], 'https://open.example/api/open/user/sync'],
    [['--path', '/trade/bill', ...SANDBOX], 'http://127.0.0.1:7800/open/v1/trade/bill'],
    [['--path', '/user/sync', ...HEADER, ...SANDBOX], 'http://127.0.0.1:7800/api/open/user/sync'],
  ])('%j is %s', async (argv, url) => {
    const world = { env: ADDRESSES };
    const { stdout } = await mop(['sign', '{}', ...argv, '--json'], world);
    expect((JSON.parse(stdout) as Document).url).toBe(url);
    const curl = await mop(['sign', '{}', ...argv, '--as', 'curl'], world);
    expect(curl.stdout).toContain(`curl -X POST ${url} `);
    expect(curl.stderr).toBe('');
  });

  it.each([
    [['--path', '/a', '--url', 'https://h.example'], 2, '--path and --url', 'leave out one'],
    [['--path', 'https://h.example/a'], 2, 'a complete URL', '/trade/bill'],
    [['--path', '/open/v1/a'], 2, 'remove /open/v1', '/trade/bill'],
    [['--path', '/a'], 3, 'base_url is not set', 'mop config set '],
    [['--path', '/a', ...HEADER], 3, 'open_base_url is not set', 'mop config set '],
    [['--path', '/a', '--env', 'test'], 3, 'test_base_url is not set', 'mop config set '],
  ] as const)('%j ends with %i: %s', async (argv, code, message, hint) => {
    expectFailure(await run('{}', ...argv), code, message, hint);
  });
});

describe('--batch', () => {
  const LINES = ['{"a":1.0}', '{"b":"x"}', '{"c":null}'];
  const batch = (stdin: string, ...argv: string[]) =>
    mop(['sign', '--batch', '-', ...argv], { env: CREDENTIALS, stdin });

  it.each([
    [[], []],
    [HEADER, ['--as', 'headers']],
    [['--as', 'sign'], []],
    [['--as', 'json'], []],
    [['--json'], []],
    [[...HEADER, '--as', 'body'], []],
    [[...HEADER, '--null-as', 'text', '-H', 'X-TMS-Trace: 1', '--as', 'json'], []],
  ])('with %j each line is like that of one request', async (argv) => {
    const { code, stdout, stderr } = await batch(LINES.join('\n'), ...argv, ...FIXED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const single = LINES.map(async (body) => {
      if (argv !== HEADER) return (await run(body, ...argv, ...FIXED)).stdout;
      return `${JSON.stringify((await sign(body, ...argv, ...FIXED)).headers)}\n`;
    });
    expect(stdout).toBe((await Promise.all(single)).join(''));
  });

  it('reads a file, and skips empty lines', async () => {
    const path = await file(`\ufeff${LINES.join('\r\n\n')}\n`);
    const { code, stdout } = await run('--batch', path);
    expect(code).toBe(0);
    const bodies = stdout.trimEnd().split('\n');
    expect(bodies.map((body) => Object.keys(JSON.parse(body))[0])).toEqual(['a', 'b', 'c']);
    const seqIds = bodies.map((body) => (JSON.parse(body) as { seq_id: string }).seq_id);
    expect(new Set(seqIds).size).toBe(3);
    expect(await batch('')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('prints the error of a line in its place, and continues', async () => {
    const lines = ['{"a":1}', '{"a":', '{"a":1,"a":2}', '[]', '{"b":2}'].join('\n');
    const result = await batch(lines, '--as', 'sign');
    expect(result.code).toBe(2);
    const [first, ...others] = result.stdout.trimEnd().split('\n');
    expect([first, others.pop()]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9A-F]{32}$/)));
    expect(others.map((line) => JSON.parse(line))).toEqual([
      { error: expect.objectContaining({ message: expect.stringMatching(/^line 2: .*not JSON/) }) },
      { error: expect.objectContaining({ message: expect.stringMatching(/^line 3: .*twice/) }) },
      { error: expect.objectContaining({ exit_code: 2 }) },
    ]);
    expect(result.stderr).toMatch(/^mop: 3 of 5 lines failed, for example: line 2: .*\nhint: /);
  });

  it('prints each warning once', async () => {
    const line = '{"timestamp":1700000000000}';
    const { stderr, stdout } = await batch(`{}\n${line}\n${line}`);
    expect(stderr).toBe(
      'mop: warning: line 2: the timestamp is in milliseconds; body mode takes seconds\n',
    );
    expect(stdout.match(/"sign":/g)).toHaveLength(3);
    const json = await batch(line, '--json');
    expect(json.stderr).toBe('');
    expect(JSON.parse(json.stdout).warnings).toEqual([expect.stringContaining('milliseconds')]);
  });

  it('signs each line while the next ones arrive', async () => {
    const controller = new AbortController();
    const stdin = Readable.from(
      (async function* () {
        yield Buffer.from('{"a":1}\n{"b"');
        await new Promise((resolve) => setImmediate(resolve));
        controller.abort(new MopError('failure', 'stopped'));
        yield Buffer.from(':2}\n');
      })(),
    );
    const argv = ['sign', '--batch', '-', '--as', 'sign'];
    const { code, stdout } = await mop(argv, {
      env: CREDENTIALS,
      stdin,
      signal: controller.signal,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^[0-9A-F]{32}\n$/);
  });

  it.each([
    [['{}'], 'not from BODY'],
    [['-F', 'a=1'], 'not from -F or -f'],
    [['-f', 'a=1'], 'not from -F or -f'],
    [['--form', 'a=1', ...HEADER], 'not a multipart form'],
    [['--file', 'a=@x', ...HEADER], 'not a multipart form'],
    [['--as', 'curl'], 'one request'],
    [['--no-nonce'], '--no-nonce belongs to header mode'],
  ])('%j is refused', async (argv, message) => {
    expectFailure(await batch('{}', ...argv), 2, message);
  });

  it('requires credentials and a file', async () => {
    expectFailure(await run('--batch', '/no/such/file'), 2, 'cannot read');
    expectFailure(await mop(['sign', '--batch', '-'], { stdin: '{}' }), 3, 'no api_key');
  });
});
