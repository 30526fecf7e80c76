import { afterAll, describe, expect, it, test } from 'vitest';
import {
  bodyIn,
  exchangeRaw,
  expectServing,
  openRaw,
  startSandboxProcess,
  statusesIn,
} from './sandbox-process.ts';

const sandbox = await startSandboxProcess();
afterAll(() => sandbox.end());

const HOST = 'Host: 127.0.0.1\r\n';
const GET = `GET /api/health HTTP/1.1\r\n${HOST}`;
const POST = `POST /open/v1/user/sync HTTP/1.1\r\n${HOST}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** Follows each attack. Its answer is the last, because the sandbox then closes the connection. */
const LAST = `GET /none HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
/** A request that an attacker hides in another one. */
const HIDDEN = `GET /api-docs HTTP/1.1\r\n${HOST}\r\n`;

const mebibyteOf = (text: string): string => text.repeat(Math.ceil(1024 ** 2 / text.length));

describe('a request is refused, and its connection closed', () => {
  it.each([
    ['a header line of 64 KiB', `${GET}X: ${'x'.repeat(65_536)}\r\n\r\n`],
    ['a path of 1 MiB', `GET /${mebibyteOf('x')} HTTP/1.1\r\n${HOST}\r\n`],
    ['a method of 1 MiB', `${mebibyteOf('X')} / HTTP/1.1\r\n${HOST}\r\n`],
    ['10,000 header lines', `${GET}${'X: 1\r\n'.repeat(10_000)}\r\n`],
    ['endless headers', `${GET}${mebibyteOf('X: 1\r\n')}`],
    ['NUL in a value', `${GET}X: a\0b\r\n\r\n`],
    ['NUL in a name', `${GET}X\0: a\r\n\r\n`],
    ['NUL in the path', `GET /\0 HTTP/1.1\r\n${HOST}\r\n`],
    ['lines that end with LF only', 'GET / HTTP/1.1\nHost: 127.0.0.1\n\n'],
    ['one line that ends with LF only', `${GET}X: a\nY: b\r\n\r\n`],
    ['a CR within a value', `${GET}X: a\rY: b\r\n\r\n`],
    ['a folded header', `${GET}X: a\r\n b\r\n\r\n`],
    ['a space before the colon', `${GET}X : a\r\n\r\n`],
    ['no Host', 'GET /api/health HTTP/1.1\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the start of TLS', '\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03'],
    ['Content-Length twice', `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'two different lengths',
      `${POST}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a list of lengths', `${POST}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length and chunks', `${POST}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n${HIDDEN}`],
    ['chunks and a length', `${POST}${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['an unknown coding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    [
      'chunked before another coding',
      `${POST}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'a space before the colon of Transfer-Encoding',
      `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['\\v before the coding', `${POST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['a negative length', `${POST}Content-Length: -1\r\n\r\n${HIDDEN}`],
    ['a length with a sign', `${POST}Content-Length: +2\r\n\r\n{}`],
    ['a length in hex', `${POST}Content-Length: 0x2\r\n\r\n{}`],
    ['a length of 2^64', `${POST}Content-Length: 18446744073709551616\r\n\r\n{}`],
    ['an empty length', `${POST}Content-Length:\r\n\r\n${HIDDEN}`],
    ['1 MiB of chunk extensions', `${POST}${CHUNKED}\r\n1;${mebibyteOf('x')}\r\na\r\n0\r\n\r\n`],
    ['a chunk of 2^64', `${POST}${CHUNKED}\r\n10000000000000000\r\na`],
    ['a negative chunk', `${POST}${CHUNKED}\r\n-1\r\na\r\n0\r\n\r\n`],
    ['a chunk size in 0x', `${POST}${CHUNKED}\r\n0x1\r\na\r\n0\r\n\r\n`],
    ['a chunk longer than its size', `${POST}${CHUNKED}\r\n1\r\naXX0\r\n\r\n${HIDDEN}`],
    ['1 MiB of trailers', `${POST}${CHUNKED}\r\n0\r\nX: ${mebibyteOf('x')}\r\n\r\n`],
  ])('%s', async (_, request) => {
    const received = await exchangeRaw(sandbox, request + LAST);
    // If much was left unread, a reset can overtake the answer.
    const [status = 400, ...more] = statusesIn(received);
    expect([Math.floor(status / 100), more]).toEqual([4, []]);
    expect(received.length).toBeLessThan(400);
    await expectServing(sandbox);
  });

  it('two Hosts', async () => {
    const received = await exchangeRaw(sandbox, `${GET}Host: other.example\r\n\r\n${LAST}`);
    expect(statusesIn(received)[0]).toBe(400);
  });
});

describe('each intended request gets one answer', () => {
  const smuggled = `Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`;
  const offer = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  const fill = 'a:\r\n'.repeat(1500);

  const cases: readonly (readonly [string, string])[] = [
    ['with a body that no route reads', `POST /none HTTP/1.1\r\n${HOST}${smuggled}`],
    ['with a GET that has a body', `${GET}${smuggled}`],
    [
      'with a body in one chunk',
      `${POST}${CHUNKED}\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ],
    ['with a tab before the coding', `${POST}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`],
    ['with 1,500 headers', `POST /none HTTP/1.1\r\n${HOST}${fill}${smuggled}`],
    ['with an unknown expectation', `${GET}Expect: x\r\n\r\n`],
  ];
  it.each(cases)('%s', async (_, request) => {
    expect(statusesIn(await exchangeRaw(sandbox, request + LAST))).toEqual([
      expect.any(Number),
      404,
    ]);
    await expectServing(sandbox);
  });

  it.each([
    ['of a request with a body', `POST /none HTTP/1.1\r\n${HOST}${offer}${smuggled}`, 404],
    ['with 1,500 headers', `POST /none HTTP/1.1\r\n${HOST}${offer}${fill}${smuggled}`, 404],
    ['and further ones', `${GET}${offer}\r\n`.repeat(3), 200],
  ])('for an offer of HTTP/2 %s, which closes the connection', async (_, request, status) => {
    expect(statusesIn(await exchangeRaw(sandbox, request + LAST))).toEqual([status]);
  });

  it('for a hundred requests in one packet', async () => {
    const received = await exchangeRaw(sandbox, `${GET}\r\n`.repeat(100) + LAST);
    expect(statusesIn(received)).toEqual([...Array(100).fill(200), 404]);
  });
});

test.each([
  ['a length of 2^63', `${POST}Content-Length: 9223372036854775807\r\n\r\n{}`],
  ['a chunk of 2^63', `${POST}${CHUNKED}\r\n8000000000000000\r\n{}`],
  ['a body announced with Expect', `${POST}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`],
])('the sandbox waits for %s until the client disconnects', async (_, request) => {
  const { socket, received, closed } = await openRaw(sandbox);
  socket.write(request);
  await expectServing(sandbox);
  expect(statusesIn(received()).filter((status) => status >= 200)).toEqual([]);
  socket.end();
  expect(statusesIn(await closed).filter((status) => status === 200)).toEqual([]);
});

/** Matches content of a file of the machine, of the package or of the bundle. */
const LEAK = /root:|PATH=|mop-cli|require\(/;

describe('a path does not reach a file', () => {
  it.each([
    ['/../'.repeat(3), 200],
    ['/../../etc/passwd', 404],
    ['/..%2f..%2fetc/passwd', 404],
    ['/%2e%2e%2f%2e%2e%2fetc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['//etc/passwd', 404],
    ['//evil.example/api/health', 404],
    ['/\\evil.example', 400],
    ['/..\\..\\etc\\passwd', 400],
    ['\\\\etc\\passwd', 400],
    ['/%00', 404],
    ['/assets/%00', 404],
    ['/assets/site.css%00', 404],
    ['/assets/..%2f..%2fpackage.json', 404],
    ['/assets/../../package.json', 404],
    ['/assets/%c0%ae%c0%ae%c0%afetc', 404],
    ['/assets/\xc0\xae\xc0\xae', 400],
    ['/assets/constructor', 404],
    ['/__proto__', 404],
    ['/%', 404],
    ['/%ff%zz', 404],
    ['/.env', 404],
    ['/package.json', 404],
    ['/dist/cli.cjs', 404],
    ['/proc/self/environ', 404],
    ['/download/../../etc/passwd', 404],
    ['/download/bill/../../etc/passwd', 404],
    ['/download/bill?date=../../etc/passwd&type=all&tar=gzip&expires=9999999999999', 403],
    ['http://evil.example/etc/passwd', 404],
    ['http://user:password@127.0.0.1/etc/passwd', 404],
    ['http://127.0.0.1:99999/', 400],
    ['http://[', 400],
    ['file:///etc/passwd', 400],
    ['ftp://evil.example/', 400],
    ['javascript:alert(1)', 400],
    ['evil.example:80', 400],
    ['*', 400],
    ['?x', 400],
    ['', 400],
    [`/${'x'.repeat(15_000)}`, 404],
    [`/${'../'.repeat(5000)}etc/passwd`, 404],
    [`/${'%2e%2e/'.repeat(2000)}etc/passwd`, 404],
  ])('%j', async (target, status) => {
    const request = `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const received = await exchangeRaw(sandbox, request);
    expect(statusesIn(received)).toEqual([status]);
    expect(received).not.toMatch(LEAK);
    if (status >= 400) expect(bodyIn(received).length).toBeLessThan(100);
  });

  it('.. within the address of a mode is resolved', async () => {
    const target = '/open/v1/../v1/trade/bill';
    const received = await exchangeRaw(
      sandbox,
      `POST ${target} HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(bodyIn(received)).toBe('{"code":1001,"message":"api_key is missing","data":{}}');
  });
});

describe('an unknown method', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['TRACE', '/', 405],
    ['TRACE', '/api/health', 405],
    ['TRACE', '/none', 404],
    ['TRACK', '/', 400],
    ['OPTIONS', '*', 400],
    ['OPTIONS', '/api/detect', 405],
    ['PROPFIND', '/', 405],
    ['DELETE', '/graphql', 405],
    ['get', '/', 400],
    ['MADE-UP', '/', 400],
  ];
  it.each(cases)(
    '%s %s is refused without an echo of its headers',
    async (method, target, status) => {
      const received = await exchangeRaw(
        sandbox,
        `${method} ${target} HTTP/1.1\r\n${HOST}X-Secret: canary\r\nConnection: close\r\n\r\n`,
      );
      expect([statusesIn(received), received.includes('canary')]).toEqual([[status], false]);
      expect(received).not.toMatch(/access-control-allow/i);
    },
  );

  it.each(['evil.example:443', '127.0.0.1:22', '/'])(
    'CONNECT %s closes the connection without an answer',
    async (target) => {
      expect(await exchangeRaw(sandbox, `CONNECT ${target} HTTP/1.1\r\n${HOST}\r\n`)).toBe('');
      await expectServing(sandbox);
    },
  );
});

describe('a Host', () => {
  const ask = (host: string, path: string): Promise<string> =>
    exchangeRaw(sandbox, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  it.each(['', 'a b', '[', 'evil\\x', '\xff', 'u@127.0.0.1', '127.0.0.1:99999', '127.0.0.1/../x'])(
    '%j is refused',
    async (host) => {
      expect(statusesIn(await ask(host, '/api/health'))).toEqual([400]);
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0'])(
    '%s cannot read GraphQL',
    async (host) => {
      expect(statusesIn(await ask(host, '/graphql?query={__typename}'))).toEqual([403]);
    },
  );
});
