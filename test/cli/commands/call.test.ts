import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { RESULT_CODES } from '../../../src/protocol/result-codes.ts';
import { errorOf, mop } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { envelope, type Handler, serve } from '../../support/server.ts';
import { CREDENTIALS, expectFailure, file } from '../support.ts';

/** A platform with scripted answers. */
async function platform(handler: Handler) {
  const server = await serve(handler);
  return { ...server, env: pointAt(server.url) };
}

/** A platform that answers every call with this text. */
const answering = (text: string, status = 200) =>
  platform((_, response) => response.writeHead(status).end(text));

describe('mop call', () => {
  it.each(['body', 'header'])(
    'prints data in %s mode with unchanged digits and order',
    async (mode) => {
      const { env, log } = await sandbox();
      const fields = '{"big":12345678901234567890,"price":23.50,"10":1e2,"2":-0,"name":"杭州"}';
      const { code, stdout, stderr } = await mop(['call', '/user/sync', fields, '--mode', mode], {
        env,
      });
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${fields}\n`, stderr: '' });
      const prefix = mode === 'body' ? '/open/v1' : '/api/open';
      expect(log).toEqual([`POST ${prefix}/user/sync 0`]);
    },
  );

  it('reads its body from fields, files and standard input', async () => {
    const { env } = await sandbox();
    const typed = await mop(['call', 'user/sync', '-F', 'slat=30.10', '-f', 'id=007'], { env });
    expect(typed.stdout).toBe('{"slat":30.10,"id":"007"}\n');
    const path = await file('{"openId":"o-1"}');
    expect((await mop(['call', 'user/sync', `@${path}`], { env })).stdout).toBe(
      '{"openId":"o-1"}\n',
    );
    const piped = await mop(['call', 'user/sync', '-'], { env, stdin: '{"openId":"o-2"}' });
    expect(piped.stdout).toBe('{"openId":"o-2"}\n');
    expect((await mop(['call', 'user/sync'], { env })).stdout).toBe('{}\n');
  });

  it('applies -H and --null-as in header mode', async () => {
    const { env } = await sandbox();
    const args = ['call', 'user/sync', '{"a":null}', '--mode', 'header', '-H', 'X-TMS-Trace: 1'];
    const { env: strict } = await sandbox([], { readings: { 'null-in-header': 'empty' } });
    expect((await mop([...args, '--null-as', 'text'], { env })).code).toBe(0);
    expect((await mop([...args, '--null-as', 'empty'], { env: strict })).code).toBe(0);
    const { code, stderr } = await mop([...args, '--null-as', 'text'], { env: strict });
    expect(code).toBe(4);
    expect(stderr).toContain('null-included');
  });

  it('keeps the common fields of the body', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    await mop(['call', 'user/sync', '{"seq_id":"order-7","nonce":"abcdefghij"}'], { env });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      seq_id: 'order-7',
      nonce: 'abcdefghij',
    });
  });

  it('warns once about common fields that the platform would refuse', async () => {
    const { env } = await platform((_, response) => envelope(response, 0));
    const stdin = '{"timestamp":1795147506000}\n{"timestamp":1795147506001,"nonce":"abc"}\n';
    const { code, stderr } = await mop(['call', 'user/sync', '--batch', '-'], { env, stdin });
    expect([code, stderr.trim().split('\n').toSorted()]).toEqual([
      0,
      [
        'mop: warning: the nonce has 3 characters, not 10',
        'mop: warning: the timestamp is in milliseconds; body mode takes seconds',
      ],
    ]);
  });

  it('sends header names in the signed case', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    await mop(['call', 'x', '--mode', 'header', '-H', 'X-TMS-tRACE: 1'], { env });
    const names = requests[0]?.rawHeaders.filter((name) => /^x-tms/i.test(name));
    expect(names).toEqual([
      'X-TMS-Sign-Ver',
      'X-TMS-Api-Key',
      'X-TMS-Timestamp',
      'X-TMS-Seq-Id',
      'X-TMS-Nonce',
      'X-TMS-tRACE',
      'X-TMS-Sign',
    ]);
  });

  it('prints the whole envelope with --envelope, also for a failure', async () => {
    const good = await answering('{"code":0,"trace":1.0,"message":"ok","data":{"a":1}}');
    const { stdout } = await mop(['call', 'x', '--envelope'], { env: good.env });
    expect(stdout).toBe('{"code":0,"trace":1.0,"message":"ok","data":{"a":1}}\n');

    const bad = await answering('{"code":1004,"message":"no","data":["x"]}');
    const failed = await mop(['call', 'x', '--envelope', '--json'], { env: bad.env });
    expect(failed.stdout).toBe('{"code":1004,"message":"no","data":["x"]}\n');
    expect([failed.code, errorOf(failed).platform_code]).toEqual([5, 1004]);
  });

  it('prints null if there is no data', async () => {
    const { env } = await answering('{"code":0,"message":""}');
    expect((await mop(['call', 'x', '--json'], { env })).stdout).toBe('null\n');
  });

  it('indents on a terminal, and escapes control characters of the platform', async () => {
    const { env } = await answering(
      '{"code":0,"data":{"a":[1.0,{}],"b":[],"c":"\\u009b2J\\u202e\\u{1d173}"}}'.replace(
        '\\u{1d173}',
        '𝅳',
      ),
    );
    const world = { env: { ...env, NO_COLOR: '1' }, stdoutIsTerminal: true };
    const { stdout } = await mop(['call', 'x'], world);
    expect(stdout).toBe(
      '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": [],\n  "c": "\\u009b2J\\u202e\\ud834\\udd73"\n}\n',
    );
    expect((await mop(['call', 'x', '--json'], world)).stdout.split('\n')).toHaveLength(2);
  });

  it('treats 2303 as a success with a notice', async () => {
    const { env } = await answering('{"code":2303,"message":"","data":{"card":"7"}}');
    const { code, stdout, stderr } = await mop(['call', 'x'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"card":"7"}\n' });
    expect(stderr).toBe('the platform answered 2303: this call already succeeded before\n');
    expect((await mop(['call', 'x', '--quiet'], { env })).stderr).toBe('');
  });

  it('never prints the link of a bill, for any authorization', async () => {
    const data = '{"download_url":"https://h/p?sig=canary","authorization":{"a":{"b":"canary"}}}';
    const { env } = await answering(`{"code":0,"data":{"list":[${data}],"bill":${data},"n":1.0}}`);
    const { stdout } = await mop(['call', 'x'], { env });
    const shown = '{"download_url":"https://h/p?<redacted>","authorization":"<redacted>"}';
    expect(stdout).toBe(`{"list":[${shown}],"bill":${shown},"n":1.0}\n`);
  });

  it('never prints the link of a bill of the sandbox', async () => {
    const { env } = await sandbox();
    const body = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';
    for (const args of [[], ['--envelope']]) {
      const { stdout } = await mop(['call', 'trade/bill', body, ...args], { env });
      expect(stdout).toContain('"authorization":"<redacted>"');
      expect(stdout).toContain('/download/bill?<redacted>');
      expect(stdout).not.toContain('expires');
    }
  });

  it('prints the request with --dry-run and sends nothing', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    const { stdout } = await mop(['call', 'user/sync', '-F', 'a=1', '--dry-run'], { env });
    expect(stdout).toMatch(/^curl -X POST http:\/\/127\.0\.0\.1:\d+\/open\/v1\/user\/sync \\/);
    expect(stdout).toContain('"sign":"<redacted>"');
    expect(requests).toEqual([]);
  });
});

describe('a multipart form', () => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

  it('is streamed with signed texts and unsigned files', async () => {
    const { env, log } = await sandbox();
    const photo = await file(content, { name: 'a "photo".jpg' });
    const empty = await file('', { name: 'empty' });
    const form = ['--form', 'openId=o-1', '--form', 'note=a\nb\r\nü', '--file', `photo=@${photo}`];
    const { code, stdout } = await mop(
      ['call', 'user/sync', '--mode', 'header', ...form, '--file', `empty=@${empty}`],
      { env },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      openId: 'o-1',
      note: 'a\nb\r\nü',
      files: [
        { name: 'photo', filename: 'a "photo".jpg', bytes: content.length, md5: md5(content) },
        { name: 'empty', filename: 'empty', bytes: 0, md5: md5(Buffer.of()) },
      ],
    });
    expect(log).toEqual(['POST /api/open/user/sync 0']);
  });

  it('has a Content-Length, and is sent from the start on a retry', async () => {
    const lengths: unknown[] = [];
    const { env, requests } = await platform((request, response, index) => {
      lengths.push(request.headers['content-length'], request.headers['transfer-encoding']);
      envelope(response, index === 0 ? -1 : 0);
    });
    const path = await file('content');
    const args = ['call', 'x', '--mode', 'header', '--file', `f=@${path}`, '--retries', '1'];
    expect((await mop(args, { env })).code).toBe(0);
    const [first, second] = requests.map(({ body }) => body);
    expect(first).toContain('\r\n\r\ncontent\r\n--');
    expect(second).toContain('\r\n\r\ncontent\r\n--');
    expect(lengths).toEqual([String(first?.length), undefined, String(second?.length), undefined]);
  });

  it('is printed without its content with --verbose', async () => {
    const { env } = await platform((_, response) => envelope(response, 0));
    const path = await file('canary-of-the-file');
    const args = ['call', 'x', '--mode', 'header', '--file', `f=@${path}`, '--verbose'];
    const { stderr } = await mop(args, { env });
    expect(stderr).toMatch(/^> \(\d+ bytes\)$/m);
    expect(stderr).not.toContain('canary');
  });

  it('is printed with --dry-run', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    const path = await file('content');
    const args = ['call', 'x', '--mode', 'header', '--form', 'a=1', '--file', `f=@${path}`];
    const text = await mop([...args, '--dry-run'], { env });
    expect(text.stdout).toContain(`--form-string a=1 \\\n  -F 'f=@"${path}"'`);
    const json = await mop([...args, '--dry-run', '--json'], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      body: null,
      form: [
        { name: 'a', value: '1' },
        { name: 'f', file: path },
      ],
    });
    expect(requests).toEqual([]);
  });
});

describe('bad input sends nothing', () => {
  it.each([
    { args: ['https://host/x'], message: 'it is a complete URL' },
    { args: ['x?a=1'], message: 'not into a query' },
    { args: ['x#y'], message: 'not into a query' },
    { args: [''], message: 'it has an empty segment' },
    { args: ['/'], message: 'it has an empty segment' },
    { args: ['//host/x'], message: 'it has an empty segment' },
    { args: ['x/'], message: 'it has an empty segment' },
    { args: ['../x'], message: 'it has a . or .. segment' },
    { args: ['x/%2E%2e/y'], message: 'it has a . or .. segment' },
    { args: ['x y'], message: 'characters that are invalid in a URL' },
    { args: ['名'], message: 'characters that are invalid in a URL' },
    { args: ['x%zz'], message: 'characters that are invalid in a URL' },
    { args: ['/open/v1/trade/bill'], message: 'remove /open/v1' },
    { args: ['api/open/x'], message: 'remove /api/open' },
    { args: ['x', '[]'], message: 'not an object' },
    { args: ['x', '{'], message: 'not JSON' },
    { args: ['x', '{"a":1,"a":2}'], message: 'occurs twice' },
    { args: ['x', '{}', '-F', 'a=1'], message: 'both as BODY and with -F or -f' },
    { args: ['x', '@/does/not/exist'], message: 'there is no such file' },
    { args: ['x', '--form', 'a=1'], message: '--form belongs to header mode' },
    { args: ['x', '--file', 'a=@/etc/hosts'], message: '--file belongs to header mode' },
    { args: ['x', '-H', 'X-TMS-A: 1'], message: '-H belongs to header mode' },
    { args: ['x', '--null-as', 'omit'], message: '--null-as belongs to header mode' },
    {
      args: ['x', '--mode', 'header', '--file', 'a=@/does/not/exist'],
      message: 'there is no such file',
    },
    { args: ['x', '--mode', 'header', '--file', 'a=@/'], message: 'not a regular file' },
    { args: ['x', '--mode', 'header', '--file', 'a=b'], message: '--file takes key=@path' },
    { args: ['x', '{}', '--mode', 'header', '--form', 'a=b'], message: 'either a JSON body' },
    {
      args: ['x', '--mode', 'header', '--form', 'a=1', '--form', 'a=2'],
      message: 'occurs twice',
    },
    { args: ['x', '--mode', 'header', '-H', 'Accept: a'], message: 'not part of the signature' },
    { args: ['x', '--mode', 'both'], message: '--mode' },
  ])('$args', async ({ args, message }) => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    expectFailure(await mop(['call', ...args], { env }), 2, message);
    expect(requests).toEqual([]);
  });
});

describe('an answer that breaks the contract', () => {
  it.each([
    ['{}', 'code is missing'],
    ['{"message":"ok","data":{}}', 'code is missing'],
    ['{"code":"0","message":"ok"}', 'code is not an integer'],
    ['{"code":0.5}', 'code is not an integer'],
    ['{"code":0,"data":"x"}', 'data is not an object but a string'],
    ['{"code":0,"data":[1]}', 'data is not an object but an array'],
    ['<html>', 'a body that is not a JSON envelope'],
    ['', 'a body that is not a JSON envelope: an empty body'],
  ])('exits with 5: %s', async (text, message) => {
    const { env, requests } = await answering(text);
    const result = await mop(['call', 'x', '--json'], { env });
    expect([result.code, result.stdout, requests.length]).toEqual([5, '', 1]);
    expect(errorOf(result)).toMatchObject({ code: 'api', exit_code: 5, retryable: false });
    expect(errorOf(result).message).toContain(message);
  });
});

describe('an answer that is not UTF-8', () => {
  it('exits with 5 and prints no replacement characters', async () => {
    const { env } = await platform((_, response) => {
      response.end(Buffer.from('{"code":0,"data":{"name":"\xd5\xc5"}}', 'latin1'));
    });
    expectFailure(await mop(['call', 'x'], { env }), 5, 'the body is not UTF-8');
  });

  it('accepts a byte order mark', async () => {
    const { env } = await answering('\ufeff{"code":0,"data":{}}');
    expect((await mop(['call', 'x'], { env })).stdout).toBe('{}\n');
  });
});

describe('an HTTP status of a failure', () => {
  it.each([
    [404, 0, 5],
    [302, 0, 5],
    [503, 1001, 6],
    [429, 429, 6],
    [500, 1001, 5],
    [400, 1001, 5],
  ])('%i with code %i exits with %i', async (status, code, exit) => {
    const { env } = await answering(`{"code":${code},"message":"m","data":{}}`, status);
    const result = await mop(['call', 'x'], { env });
    expectFailure(result, exit, '');
  });
});

describe('text from a platform', () => {
  const evil = 'a\u001b[2J\u009b31m\u202e\nmop: forged';

  it.each(['--verbose', '--debug', '--quiet'])(
    'does not control the terminal, with %s',
    async (flag) => {
      const { env } = await answering(JSON.stringify({ code: 1001, message: evil }));
      const { stderr } = await mop(['call', 'x', flag], { env });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
      expect(stderr).not.toMatch(/[\u001b\u009b\u202e]|^mop: forged/m);
    },
  );

  it('does not control the terminal with --verbose if it is not JSON', async () => {
    const { env } = await answering(evil);
    const { stderr } = await mop(['call', 'x', '-v'], { env });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
    expect(stderr).not.toMatch(/[\u001b\u009b\u202e]|^mop: forged/m);
  });
});

it('reads an answer of several megabytes', async () => {
  const long = 'x'.repeat(2_000_000);
  const bill = await answering(`{"code":0,"data":{"download_url":"https://h/${long}"}}`);
  expect((await mop(['call', 'x', '-v'], { env: bill.env })).code).toBe(0);
  const junk = await answering(`{"sign":"${long}`);
  expectFailure(await mop(['call', 'x'], { env: junk.env }), 5, 'not a JSON envelope');
});

describe('a retry', () => {
  it.each([
    ['code -1', '{"code":-1,"message":"busy"}', 200],
    ['HTTP 503', 'busy', 503],
    ['HTTP 429', 'busy', 429],
  ])('is not done by default after %s', async (_, text, status) => {
    const { env, requests } = await answering(text, status);
    const result = await mop(['call', 'x'], { env });
    expectFailure(result, 6, '', 'the server may have executed the request');
    expect([requests.length, result.waits]).toEqual([1, []]);
  });

  it('is not done by default when the connection breaks', async () => {
    const { env, requests } = await platform((_, response) => response.destroy());
    expectFailure(await mop(['call', 'x'], { env }), 6, 'broke', 'may have executed the request');
    expect(requests).toHaveLength(1);
  });

  it('is not done after a signal', async () => {
    const controller = new AbortController();
    const stop = new MopError('interrupted', 'interrupted');
    const { env } = await platform(() => controller.abort(stop));
    const result = await mop(['call', 'x'], { env, signal: controller.signal });
    expectFailure(result, 130, 'interrupted', 'the server may have executed the request');
  });

  it('is not done with --retries 0, and the hint says that the call may have been executed', async () => {
    const { env } = await answering('{"code":-1,"message":"busy"}');
    const result = await mop(['call', 'x', '--retries', '0'], { env });
    expectFailure(result, 6, '', 'the server may have executed the request');
  });

  it('is done with --retries', async () => {
    const { env, requests } = await platform((_, response, index) =>
      envelope(response, index < 2 ? -1 : 0),
    );
    const { code, waits } = await mop(['call', 'x', '--retries', '2'], { env });
    expect([code, waits.length, requests.length]).toEqual([0, 2, 3]);
    const fresh = requests.map(({ body }) => JSON.parse(body));
    for (const field of ['seq_id', 'nonce', 'sign']) {
      expect(new Set(fresh.map((body) => body[field])).size).toBe(3);
    }
  });

  it('is done by default when nothing reached the platform', async () => {
    const env = pointAt('http://127.0.0.1:1');
    const result = await mop(['call', 'x'], { env });
    expectFailure(result, 6, 'refused the connection');
    expect(result.stderr).not.toContain('may have executed the request');
    expect(result.waits).toHaveLength(4);
  });
});

describe('a wrong clock', () => {
  it.each([
    ['behind', 3600],
    ['ahead of', -3600],
  ])(
    '%s the platform is reported, and the call uses the time of the platform',
    async (word, skew) => {
      const { env, log } = await sandbox([`skew=${skew}`]);
      for (const mode of ['body', 'header']) {
        const { code, stderr, waits } = await mop(['call', 'user/sync', '--mode', mode], { env });
        expect({ code, waits }).toEqual({ code: 0, waits: [] });
        expect(stderr).toContain(`warning: the clock of this machine is 3600 s ${word}`);
      }
      expect(log.map((line) => line.split(' ').at(-1))).toEqual(['1055', '0', '1055', '0']);
    },
  );

  it('is not corrected if the request has its own timestamp', async () => {
    const { env, log } = await sandbox();
    const args = [
      ['{"timestamp":1000000000}'],
      ['{}', '--mode', 'header', '-H', 'X-TMS-Timestamp: 1000000000'],
    ];
    for (const own of args) {
      const result = await mop(['call', 'user/sync', ...own], { env });
      expectFailure(result, 4, 'the platform answered 1055');
    }
    expect(log).toHaveLength(2);
  });

  it('is corrected only once', async () => {
    const { env, log } = await sandbox(['code=1055']);
    const result = await mop(['call', 'user/sync'], { env });
    expect([result.code, log.length]).toEqual([4, 2]);
    expect(result.stderr).toContain('although the clocks agree');
  });
});

describe('every documented result code', () => {
  it.each(RESULT_CODES)('$code has the documented outcome', async ({ code, meaning, action }) => {
    const { env } = await sandbox([`code=${code}`]);
    const result = await mop(['call', 'user/sync', '--json'], { env });
    if (code === 0 || code === 2303) {
      expect(result.code).toBe(0);
      return;
    }
    const exit = code === -1 ? 6 : [1002, 1003, 1055].includes(code) ? 4 : 5;
    expect([result.code, result.stdout]).toEqual([exit, '']);
    expect(errorOf(result)).toMatchObject({
      message: `the platform answered ${code}: ${meaning}`,
      platform_code: code,
      exit_code: exit,
      retryable: code === -1,
      seq_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const hint: Record<number, string> = {
      1052: 'choose another date; the platform keeps the bills of the last three months',
      2000: 'check the path and the mode of the operation, and that your account may call it',
    };
    const correct = 'correct the fields of the request; a trace (--verbose) shows it';
    const general = action === 'Check parameters, retry' ? correct : action;
    if (exit === 5) expect(errorOf(result).hint).toBe(hint[code] ?? general);
  });
});

it('reads the body before it loads credentials', async () => {
  expectFailure(await mop(['call', 'x', '{']), 2, 'not JSON');
  expectFailure(await mop(['call', 'x', '{}']), 3, 'api_key');
});

it.each([
  [['call', 'x']],
  [['bill', 'info']],
  [['decode', 'x', 'y']],
  [['estimate', '--city', '1', '--lat', '1']],
])('%j names the seq_id of a refused request', async (argv) => {
  const { env } = await platform((_, response) => envelope(response, 1004, {}, 'no'));
  const { stderr } = await mop(argv, { env });
  expect(stderr).toMatch(/^mop: the platform answered 1004: .* \(seq_id [\da-f-]{36}\)\nhint: /);
});

it('needs the address of its mode', async () => {
  const env = { ...CREDENTIALS, MOP_BASE_URL: 'http://127.0.0.1:1' };
  expectFailure(
    await mop(['call', 'x', '--mode', 'header'], { env }),
    3,
    'open_base_url is not set',
  );
});
