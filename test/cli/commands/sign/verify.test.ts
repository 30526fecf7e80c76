import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../../src/signing/capture/read-capture.ts';
import { verifySignature } from '../../../../src/signing/verification/verify.ts';
import { errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { CREDENTIALS, configuration, expectFailure, KEY, SECRET } from '../../support.ts';

const NOW_SECONDS = NOW / 1000;

/** A request of body mode whose signature is the MD5 of `signed`, by default the right string. */
function request(
  fields: Record<string, unknown> = {},
  signed: (canonical: string) => string = (canonical) => canonical + SECRET,
): string {
  const body = {
    city: '杭州',
    remark: 'a b',
    api_key: KEY,
    seq_id: 'seq-1',
    timestamp: NOW_SECONDS,
    nonce: 'abcdefghij',
    ...fields,
  };
  const text = JSON.stringify({ ...body, sign: '' });
  return JSON.stringify({ ...body, sign: md5(signed(canonicalOf(text))) });
}

/** The right canonical string of a body without nested values. */
function canonicalOf(text: string): string {
  const { sign: _, ...fields } = JSON.parse(text) as Record<string, unknown>;
  return Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex').toUpperCase();
}

const RIGHT = request();
/** A mistake that the search finds at once. */
const joined = (canonical: string): string => `${canonical}&key=${SECRET}`;

const JOINED = request({}, joined);
/** Without business fields, because the search tries more ways for each. */
const UNEXPLAINED = request({ city: undefined, remark: undefined }, () => 'nobody knows');

/** For a search that finds nothing, and whose extent does not matter: a full one takes a second. */
const QUICK = ['--effort', 'low'];

const verify = (argv: readonly string[], env: Record<string, string> = CREDENTIALS) =>
  mop(['sign', 'verify', ...argv], { env });

describe('the verdict for a person', () => {
  it('reports a right signature, its secret, and the clock', async () => {
    const { code, stdout, stderr } = await verify([RIGHT]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(
      'Right: the signature fits protocol 1.0 and the secret of MOP_API_SECRET',
    );
    expect(lines).toContain(`   timestamp ${NOW_SECONDS}, the same as the clock (${NOW_SECONDS})`);
    expect(stdout).not.toContain('Warnings');
  });

  it('does not read a plain body without its tags, or signed headers without its body', async () => {
    const tags = request(
      { remark: '<em>a</em>' },
      (right) => right.replace(/<.?em>/g, '') + SECRET,
    );
    const { stdout } = await verify([tags, ...QUICK]);
    expect(stdout).toMatch(/^Wrong: texts were signed without tags/);
    const own = `X-TMS-Api-Key=${KEY}&X-TMS-Nonce=n&X-TMS-Seq-Id=1&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=${NOW_SECONDS}`;
    const headers = Object.fromEntries(own.split('&').map((pair) => pair.split('=')));
    const signed = { ...headers, 'X-TMS-Sign': md5(own + SECRET) };
    const axios = JSON.stringify({ config: { headers: signed, params: {}, data: '{"a":1}' } });
    expect((await verify([axios, ...QUICK])).stdout).toMatch(/^Wrong: .*\(field-missing\)\n/);
  });

  it('explains the reading of a capture that has a mistake, not the first one', async () => {
    const canonical = `X-TMS-Api-Key=${KEY}&X-TMS-Nonce=n&X-TMS-Seq-Id=1&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=${NOW_SECONDS}&a=1`;
    const headers = canonical.replace('&a=1', '').replaceAll('&', ', ');
    const sign = md5(`${canonical}&key=${SECRET}`);
    const log = `INFO ${headers}, X-TMS-Sign=${sign} data={"user":7} content={"a":1}`;
    const { stdout } = await verify([log, ...QUICK]);
    expect(stdout).toMatch(/^Wrong: .* \(secret-joined\)\n/);
    expect(stdout).toContain('the capture has several readings');
  });

  it('begins with the mistake and the fix, like the error', async () => {
    const { code, stdout, stderr } = await verify([JOINED]);
    const lines = stdout.split('\n');
    expect(code).toBe(4);
    expect(lines[0]).toMatch(/^Wrong: the api secret was .*"&key=".* \(secret-joined\)$/);
    expect(lines[1]).toMatch(/^Fix: {3}append the api secret directly/);
    expect(stderr).toMatch(
      /^mop: the signature is wrong: secret-joined\nhint: append the api secret directly.*\n$/,
    );
  });

  it('shows both strings and marks the differences, without the secret', async () => {
    const { stdout } = await verify([JOINED]);
    const common = `api_key=${KEY}&city=杭州&nonce=abcdefghij&remark=a·b&seq_id=seq-1&timestamp=${NOW_SECONDS}`;
    expect(stdout).toContain(`   signed    ${common}⟦&key=⟧<secret>\n`);
    expect(stdout).toContain(`   right     ${common}⟦⟧<secret>\n`);
    // 杭州 has six bytes.
    const bytes = common.length - 2 + 6 - 1 + 1;
    expect(stdout).toContain(
      `first difference at byte ${bytes}; signed ${bytes + 5} bytes, right ${bytes} bytes`,
    );
    expect(stdout).not.toContain(SECRET);
  });

  it('shows the fields that differ, invisible characters made visible', async () => {
    const wrong = request(
      { extra: 'x\u200bname\u00a0' },
      (canonical) =>
        `${canonical.replace('x\u200bname\u00a0', 'x%E2%80%8Bname%C2%A0').replace('a b', 'a%20b').replace('杭州', '%E6%9D%AD%E5%B7%9E')}${SECRET}`,
    );
    const { stdout } = await verify([wrong]);
    expect(stdout.split('\n')[0]).toContain('(value-url-encoded)');
    expect(stdout).toContain('   extra\n     signed  x⟦%E2%80%8B⟧name⟦%C2%A0⟧\n');
    expect(stdout).toContain('     right   x⟦<U+200B>⟧name⟦<U+00A0>⟧\n');
    expect(stdout).toContain('     right   a⟦·⟧b\n');
  });

  it('reports a right string with a wrong digest', async () => {
    const { sign } = JSON.parse(RIGHT) as { sign: string };
    const { stdout } = await verify([RIGHT.replace(sign, sign.toLowerCase())]);
    expect(stdout.split('\n')[0]).toBe('Wrong: the signature is not in upper case (hex-lowercase)');
    expect(stdout).toContain('The string to sign is right\n   [api_key=');
    expect(stdout).toContain('bytes in UTF-8, and 32 of the secret');
  });

  it('reports the extent of a search without a result, and the remaining suspects', async () => {
    const { code, stdout, stderr } = await verify([UNEXPLAINED, ...QUICK]);
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /^Wrong: [\d,]+ ways to sign were tried, and none gives this signature\nNext: {2}possible causes: /,
    );
    expect(stderr).toMatch(
      /hint: .*another secret .*, a change after signing, a field that was signed and not sent.*--theirs @FILE/,
    );
  });

  it('has colours only on request', async () => {
    const colour = '\u001b[';
    expect((await verify([JOINED], { ...CREDENTIALS, FORCE_COLOR: '1' })).stdout).toContain(colour);
    expect((await verify([JOINED])).stdout).not.toContain(colour);
  });

  it('escapes control characters of the request', async () => {
    const wrong = request({ 'a\u001b[31m\n': 'x\u001b]0;t\u0007' }, joined);
    const { stdout, stderr } = await verify([wrong]);
    expect(stdout).toContain('a<U+001B>[31m');
    for (const control of ['\u001b', '\u0007']) expect(stdout + stderr).not.toContain(control);
  });
});

describe('--json', () => {
  it('writes the keys of the contract', async () => {
    const result = await verify([JOINED, '--json']);
    expect(result.code).toBe(4);
    const { canonical, ...rest } = JSON.parse(result.stdout);
    expect(canonical).toMatch(/^api_key=.*&timestamp=\d+$/);
    expect(rest).toEqual({
      valid: false,
      mode: 'body',
      received: JSON.parse(JOINED).sign,
      expected: JSON.parse(RIGHT).sign,
      diagnosis: [
        {
          id: 'secret-joined',
          title: expect.stringContaining('&key='),
          fields: [],
          fix: expect.any(String),
        },
      ],
      candidates: expect.any(Number),
      clock: { timestamp: NOW_SECONDS, now: NOW_SECONDS, skew_seconds: 0, within_limit: true },
      warnings: [],
    });
    expect(errorOf(result)).toMatchObject({ code: 'auth', exit_code: 4, retryable: false });
  });

  it('is valid for a right signature', async () => {
    const { code, stdout } = await verify([RIGHT, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, diagnosis: [], candidates: 1 });
  });

  it('has an empty diagnosis for an unexplained signature', async () => {
    const { stdout } = await verify([UNEXPLAINED, '--json', ...QUICK]);
    const { diagnosis, candidates } = JSON.parse(stdout);
    expect(diagnosis).toEqual([]);
    expect(candidates).toBeGreaterThan(1000);
  });

  it('warns of other mistakes with the same result', async () => {
    const wrong = request({ empty: '' }, (canonical) => canonical.replace('empty=&', '') + SECRET);
    const { stdout } = await verify([wrong, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnosis: [{ id: 'empty-dropped', fields: ['empty'] }],
      warnings: ['the mistake field-missing would give this request the same signature'],
    });
  });
});

describe('the request', () => {
  const curl = `curl -X POST https://host/open/v1/x \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '${JOINED}' | jq .`;
  const http = `POST /open/v1/x HTTP/1.1\r\nHost: host\r\nContent-Length: ${Buffer.byteLength(JOINED)}\r\n\r\n${JOINED}`;
  const har = JSON.stringify({
    log: {
      entries: [RIGHT, JOINED].map((text) => ({
        request: { method: 'POST', url: 'https://host/open/v1/x', headers: [], postData: { text } },
      })),
    },
  });

  it.each([
    ['a curl command', [curl], 4],
    ['an HTTP message', [http], 4],
    ['the first signed entry of a HAR file', [har], 0],
    ['another entry of a HAR file', [har, '--entry', '2'], 4],
    ['a call of fetch', [`fetch("https://host/open/v1/x", {body: ${JSON.stringify(RIGHT)}})`], 0],
    ['a PowerShell command', [`irm https://host/open/v1/x -Body '${RIGHT}'`], 0],
    ['a request of an .http file', [`### a\nPOST https://host/open/v1/x\n\n${RIGHT}\n`], 0],
  ])('is %s', async (_, argv, code) => {
    expect((await verify([...argv, '--json'])).code).toBe(code);
  });

  it('is a file, or standard input', async () => {
    const path = join(await temporaryDirectory(), 'request.json');
    await writeFile(path, JOINED);
    expect((await verify([`@${path}`])).code).toBe(4);
    const piped = await mop(['sign', 'verify', '-'], { env: CREDENTIALS, stdin: RIGHT });
    expect(piped.code).toBe(0);
  });

  it('is a curl command with its body in a file', async () => {
    const path = join(await temporaryDirectory(), 'body.json');
    await writeFile(path, `${RIGHT.replace('{', '{\n')}\n`);
    const { code, stdout } = await verify([`curl https://host -d @${path}`, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings).toEqual([
      expect.stringContaining('curl removes line ends'),
    ]);
  });

  it('is a curl command with a missing file: a usage error with one reason', async () => {
    const missing = join(await temporaryDirectory(), 'body.json');
    const reason = `--data: cannot read ${JSON.stringify(missing)}: there is no such file`;
    expectFailure(await verify([`curl https://host -d @${missing}`]), 2, reason);
  });

  it('is a body with its headers', async () => {
    const signed = await mop(['sign', '{"lat":30.10}', '--mode', 'header'], { env: CREDENTIALS });
    const headers = signed.stdout
      .trim()
      .split('\n')
      .flatMap((line) => ['-H', line]);
    const { code, stdout } = await verify(['{"lat":30.10}', ...headers, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, mode: 'header' });
    const lowered = headers.map((word) => word.replace(/^.*:/, (name) => name.toLowerCase()));
    const copied = await verify(['{"lat":30.10}', ...lowered, '--json']);
    expect(JSON.parse(copied.stdout).warnings).toContainEqual(
      expect.stringContaining('x-tms-nonce as X-TMS-Nonce'),
    );
  });

  it.each([
    ['nothing', [], 'nothing to verify'],
    ['an unknown format', ['hello'], 'in an unknown format'],
    ['broken JSON', ['{"a":'], 'read as a JSON body'],
    ['an open quote', ["curl https://host -d '{"], 'read as a curl command'],
    ['no signature', ['{"a":1}'], 'carries no signature'],
    ['a missing entry', [har, '--entry', '3'], 'read as a HAR file'],
    ['a body, with entry 2', [RIGHT, '--entry', '2'], 'it has no entry 2, only one request'],
    ['--all and one entry', [har, '--all', '--entry', '1'], '--all verifies every request'],
    ['--all and --theirs', [har, '--all', '--theirs', 'a=1'], '--theirs is the string of one'],
    [
      '--all and --save-vector',
      [har, '--all', '--save-vector', 'x'],
      '--save-vector writes the vector of',
    ],
    ['--all without a signature', ['{"a":1}', '--all'], 'its request is not signed'],
    [
      '--all with an open quote',
      ["curl https://host -d '{", '--all'],
      'a single quote is not closed',
    ],
    ['an entry 0', [har, '--entry', '0'], '--entry must be a whole number, 1 or more, not "0"'],
    ['a missing file', ['@/nowhere/request.json'], 'cannot read'],
    ['a header without a colon', [RIGHT, '-H', 'nonsense'], "-H takes 'Name: value'"],
    ['saved to standard output', [RIGHT, '--save-vector', '-'], 'takes a file, not -'],
    ['a time in words', [RIGHT, '--now', 'noon'], '--now must be a whole number'],
  ])('that is %s is refused', async (_, argv, message) => {
    expectFailure(await verify(argv), 2, message);
  });

  it('does not accept the options of signing', async () => {
    const before = ['sign', '--mode', 'header', 'verify', RIGHT];
    expectFailure(await mop(before, { env: CREDENTIALS }), 2, 'verify takes no --mode');
    expectFailure(await verify([RIGHT, '-F', 'a=1']), 2, 'verify takes no --field');
  });
});

describe('--all', () => {
  const entry = (text: string, headers: object[] = []) => ({
    request: { method: 'POST', url: 'https://host/open/v1/x?y=1', headers, postData: { text } },
  });
  const har = (...entries: object[]) => JSON.stringify({ log: { entries } });
  const header = { name: 'X-TMS-Sign', value: 'AB' };

  it('prints a line for each signed request', async () => {
    const { code, stdout, stderr } = await verify([
      har(entry('{}'), entry(RIGHT), entry(JOINED)),
      '--all',
    ]);
    const [right, wrong, ...rest] = stdout.split('\n');
    expect(right).toBe('2  POST /open/v1/x  right');
    expect(wrong).toMatch(
      /^3 {2}POST \/open\/v1\/x {2}wrong: secret-joined \(the api secret was .*\)$/,
    );
    expect(rest).toEqual(['']);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^mop: 1 of 2 signed requests failed: .*secret-joined\nhint: .*--entry 3/,
    );
  });

  it('prints the documents of single requests with their numbers', async () => {
    const capture = har(entry('{}'), entry(RIGHT), entry(JOINED));
    const { code, stdout } = await verify([capture, '--all', '--json']);
    expect(code).toBe(4);
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { entry, ...document } of documents) {
      const { stdout: single } = await verify([capture, '--entry', `${entry}`, '--json']);
      expect(document).toEqual(JSON.parse(single));
    }
    expect(documents).toMatchObject([
      { entry: 2, valid: true },
      { entry: 3, valid: false },
    ]);
  });

  it('accepts a capture of one request', async () => {
    const { code, stdout } = await verify([RIGHT, '--all']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1  a body  right\n' });
  });

  it('continues after a request that cannot be read', async () => {
    const capture = har(entry('{"a"', [header]), entry(RIGHT));
    const { code, stdout } = await verify([capture, '--all']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^1 {2}unreadable: read as a HAR file: .*\n2 .* right\n$/);
    const { stdout: lines } = await verify([capture, '--all', '--json']);
    const [broken, right] = lines.split('\n').map((line) => JSON.parse(line || '{}'));
    expect(broken).toMatchObject({ entry: 1, error: { code: 'usage', exit_code: 2 } });
    expect(right).toMatchObject({ entry: 2, valid: true });
  });

  it('runs the command of a secret once', async () => {
    const log = join(await temporaryDirectory(), 'runs');
    const { env } = await configuration({
      profiles: {
        default: { api_key: KEY, api_secret: SECRET },
        vault: { api_key: 'k', api_secret_command: `echo run >> '${log}' && echo x` },
      },
    });
    const unexplained = entry(UNEXPLAINED);
    expect((await verify([har(unexplained, unexplained), '--all', ...QUICK], env)).code).toBe(4);
    expect(await readFile(log, 'utf8')).toBe('run\n');
  });

  it('exits with 12 for failures of different kinds', async () => {
    expect((await verify([har(entry('{"a"', [header]), entry(JOINED)), '--all'])).code).toBe(12);
  });
});

describe('a request that the platform refuses with any signature', () => {
  it('is sent to the address of the other mode', async () => {
    const curl = `curl https://host/api/open/trade/bill -d '${RIGHT}'`;
    const { code, stdout, stderr } = await verify([curl]);
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /^Wrong: a request of body mode was sent to \/api\/open, .*wrong-scheme/,
    );
    expect(stdout).toContain(', which is right\n');
    expect(stderr).toContain('mop: the platform refuses the request: wrong-scheme\n');
  });

  it.each([
    ['a right signature', true, /^Wrong: X-TMS-Sign-Ver is not 2\.0 \(version\)\nFix: .*\n\nSig/],
    ['a wrong signature', false, /^Wrong: [\d,]+ ways .*\nNext: .*\nWrong: X-TMS-Sign-Ver/],
  ])('is wrong with another version and %s', async (_, isRight, headline) => {
    const version = ['-H', 'X-TMS-Sign-Ver: 2'];
    const argv = ['sign', '{"a":"1"}', '--mode', 'header', ...version];
    const { stdout: signed } = await mop(argv, { env: CREDENTIALS });
    const headers = signed.trim().split('\n');
    const sent = isRight
      ? headers
      : headers.map((l) => l.replace(/^(X-TMS-Sign): .*/, `$1: ${md5('another string')}`));
    const given = sent.flatMap((line) => ['-H', line]);
    const { code, stdout } = await verify(['{"a":"1"}', ...given, ...QUICK]);
    expect(code).toBe(4);
    expect(stdout).toMatch(headline);
  });
});

describe('--reading', () => {
  it('selects the spelling of header names', async () => {
    const argv = ['sign', '{"a":"1"}', '--mode', 'header'];
    const { stdout: signed } = await mop(argv, { env: CREDENTIALS });
    const sent = signed.trim().replaceAll('X-TMS-', 'X-Tms-').split('\n');
    const request = ['{"a":"1"}', ...sent.flatMap((line) => ['-H', line])];
    for (const [reading, code] of [
      [[], 0],
      [['--reading', 'header-names=documented'], 0],
      [['--reading', 'header-names=as-sent'], 4],
    ] as const) {
      expect((await verify([...request, ...reading])).code).toBe(code);
    }
    const nested = JSON.stringify({ a: { b: 1 } }).replace(':1', ':  1');
    const argvAsSent = ['sign', 'explain', nested, '--reading', 'nested-json=as-sent', '--json'];
    const { body } = JSON.parse((await mop(argvAsSent, { env: CREDENTIALS })).stdout);
    const any = await verify([body]);
    expect(any.code).toBe(0);
    expect(any.stdout).toContain(
      '! the signature is right under the reading nested-json=as-sent; the',
    );
    const compact = await verify([body, '--reading', 'nested-json=compact']);
    expect(compact.code).toBe(4);
    expect(compact.stdout).toContain('(nested-spacing)');
    const message = 'unknown reading "clock"; known readings: nested-json';
    expectFailure(await verify([RIGHT, '--reading', 'clock=any']), 2, message, 'mop help readings');
  });
});

describe('the clock', () => {
  const at = (seconds: number, ...argv: readonly string[]) =>
    verify([RIGHT, '--now', String(NOW_SECONDS + seconds), ...argv]);

  it('refuses a right signature whose timestamp differs from the time of --now', async () => {
    const { code, stdout, stderr } = await at(300);
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /^Refused: the timestamp is 300 s behind the time of sending; .* 1055\nFix: {3}set the clock/,
    );
    expect(stdout).toContain(', which is right\n');
    expect(stderr).toMatch(/^mop: the platform refuses the request: the timestamp is 300 s /);
    const document = JSON.parse((await at(300, '--json')).stdout);
    const refused = { reason: expect.any(String), fix: expect.any(String) };
    expect(document).toMatchObject({ valid: true, refused, diagnosis: [], warnings: [] });
    expect((await at(300, '--all')).stdout).toMatch(/^1 {2}a body {2}refused: the timestamp/);
    expect((await at(300, '--max-skew', '600')).stdout).toMatch(/^Right:/);
  });

  it('names hours and the time zone of a local time', async () => {
    const zone = '8 hours ahead: a local time of UTC+8 was read as UTC';
    expect((await at(-8 * 3600)).stdout).toContain(zone);
  });

  it('only warns about an old request of unknown time', async () => {
    const { code, stdout } = await mop(['sign', 'verify', RIGHT], {
      env: CREDENTIALS,
      now: () => NOW + 8 * 3_600_000,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Right:/);
    expect(stdout).toContain('! the timestamp is 28800 s behind the clock, more than 60 s: if');
  });

  it('is that of a Date header of the request', async () => {
    const date = new Date(NOW + 300_000).toUTCString();
    const { code, stdout } = await verify([
      `curl https://h/open/v1/x -H 'Date: ${date}' -d '${RIGHT}'`,
    ]);
    expect({ code, start: stdout.slice(0, 8) }).toEqual({ code: 4, start: 'Refused:' });
  });
});

describe('text in place of the signature', () => {
  it('is named, with its fix', async () => {
    const { sign } = JSON.parse(RIGHT);
    const { code, stdout, stderr } = await verify([RIGHT.replace(sign, '[object Promise]')]);
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /^Wrong: the signature "\[object Promise\]" is a promise, .* \(signature-format\)\nFix: {3}.*await/,
    );
    expect(stderr).toMatch(/^mop: the signature is wrong: signature-format\nhint: .*await/);
    expect(stdout).not.toContain('ways to sign');
  });
});

describe('--theirs', () => {
  const THEIRS = canonicalOf(JOINED).replace('a b', 'a+b');

  it('rejects the name of a file', async () => {
    const result = await verify([RIGHT, '--theirs', 'package.json']);
    expectFailure(result, 2, 'is the name of a file', 'write --theirs @package.json');
  });

  it.each([
    ['plain', THEIRS],
    ['with the secret', THEIRS + SECRET],
    ['with &amp;', THEIRS.replaceAll('&', '&amp;')],
    ['in brackets, with a line end', `[${THEIRS}]\n`],
    ['with the secret hidden', `${THEIRS}********`],
  ])('compares a string pasted %s', async (_, theirs) => {
    const { stdout } = await verify([RIGHT, '--theirs', theirs, '--json']);
    expect(JSON.parse(stdout).theirs).toEqual({
      canonical: THEIRS,
      signed: false,
      same: false,
      fields: [{ name: 'remark', theirs: 'a+b', ours: 'a b' }],
    });
    expect(stdout).not.toContain(SECRET);
  });

  it('proves that the string was signed', async () => {
    const odd = request({}, (right) => `${right.replace('a b', 'something else')}${SECRET}`);
    const theirs = canonicalOf(odd).replace('a b', 'something else');
    const { stdout } = await verify([odd, '--theirs', theirs, ...QUICK]);
    expect(stdout).toMatch(
      /^Wrong: the signer's string was signed, and it is not the right string\nFix: {3}correct the fields/,
    );
    expect(stdout).toContain('it is the string that was signed');
    expect(stdout).toContain('     theirs  ⟦something⟧·⟦else⟧\n     right   ⟦a⟧·⟦b⟧\n');
  });

  it('names the mistakes of an unsigned string, field by field', async () => {
    const fields = { on: true, price: '1', empty: '', note: 'x' };
    const sent = request(fields, () => 'with another secret').replace(
      '"price":"1"',
      '"price":1.50',
    );
    const theirs = canonicalOf(sent)
      .replace('on=true', 'on=True')
      .replace('&empty=', '')
      .replace('note=x', 'note=unknown');
    const { stdout } = await verify([sent, '--theirs', theirs, ...QUICK]);
    expect(stdout).toMatch(
      /^Wrong: [\d,]+ ways .*\nNext: .*correct the mistakes in the string of --theirs/,
    );
    expect([...stdout.matchAll(/^ {3}Wrong: .*\((\S+)\)$/gm)].map(([, id]) => id)).toEqual([
      'empty-dropped',
      'number-reformatted',
      'boolean-reformatted',
    ]);
  });

  it('explains a signed string with a mistake in each of many fields', async () => {
    const fields = { on: true, none: '', url: 'a b', list: 'x', tail: 'y ' };
    const wrong = (canonical: string) =>
      canonical
        .replace('on=true', 'on=1')
        .replace('&none=', '')
        .replace('url=a b', 'url=a%20b')
        .replace('list=x', 'list="x"')
        .replace('tail=y ', 'tail=y');
    const sent = request(fields, (canonical) => wrong(canonical) + SECRET);
    const { stdout, stderr } = await verify([sent, '--theirs', wrong(canonicalOf(sent)), ...QUICK]);
    expect(stdout).not.toContain('ways to sign');
    expect(stderr).toMatch(
      /^mop: the signature is wrong: empty-dropped, .*boolean-reformatted, .*string-quoted/,
    );
  });

  it.each([
    ['before the fields', (text: string) => `${SECRET}${text}`],
    ['among the fields', (text: string) => text.replace('&city', `&api_secret=${SECRET}&city`)],
    ['percent-encoded', (text: string) => `${text}&key=${encodeURIComponent(SECRET)}&z=1`],
  ])('keeps a secret %s out of the output, and proves the unchanged string', async (_, with_) => {
    const theirs = with_(canonicalOf(RIGHT));
    const odd = request({}, () => theirs);
    const { stdout, stderr } = await verify([odd, '--theirs', theirs, ...QUICK, '--json']);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(JSON.parse(stdout).theirs.signed).toBe(true);
  });

  it('hides the secret of another profile too, even for a right signature', async () => {
    const shop = { api_key: 'key-of-shop', api_secret: 'Secret/of=shop' };
    const profiles = { default: { api_key: KEY, api_secret: SECRET }, shop };
    const { env } = await configuration({ profiles });
    const theirs = `${canonicalOf(RIGHT)}${shop.api_secret}`;
    const { code, stdout } = await verify([RIGHT, '--theirs', `${theirs}zz`, ...QUICK], env);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/ecret\/of|of=shop/);
    expect(stdout).toMatch(/<secret>⟧?zz/);
  });

  it.each([
    ['an empty string', [RIGHT, '--theirs', ''], '--theirs is empty'],
    ['standard input twice', ['-', '--theirs', '-'], 'cannot both be read from stdin'],
  ])('refuses %s', async (_, argv, message) => {
    expectFailure(await verify(argv), 2, message);
  });

  it('reports a right string, and one that differs only in order', async () => {
    const right = canonicalOf(RIGHT);
    expect((await verify([RIGHT, '--theirs', right])).stdout).toContain('It is the right string.');
    const reordered = right.split('&').reverse().join('&');
    const { stdout } = await verify([RIGHT, '--theirs', reordered]);
    expect(stdout).toMatch(/the same pairs in another order; moved: \w+, /);
  });
});

describe('a canonical string as the request', () => {
  const canonical = canonicalOf(RIGHT);
  const log = `2026-11-20 10:00:00 DEBUG string to sign: ${canonical}${SECRET}\n`;

  it.each([
    ['swapped with --theirs', [canonical, '--theirs', RIGHT]],
    ['swapped with --theirs, in a log line', [log, '--theirs', RIGHT]],
    ['below the request', [`${RIGHT}\n${log}`]],
    ['above the request', [`${log}${RIGHT}`]],
    ['below an HTTP message', [`POST /open/v1/x HTTP/1.1\nHost: host\n\n${RIGHT}\n${log}`]],
    [
      'below an HTTP message with a length',
      [`POST /x HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(RIGHT)}\r\n\r\n${RIGHT}\r\n${log}`],
    ],
    ['in JSON below the request', [`${RIGHT}\n${JSON.stringify({ level: 'debug', msg: log })}\n`]],
  ])('is --theirs %s', async (_, argv) => {
    const { code, stdout } = await verify([...argv, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).theirs).toEqual({ canonical, signed: true, same: true, fields: [] });
  });

  it('is a value of the request if it is within the body', async () => {
    const { stdout } = await verify([request({ log: canonical }), '--json']);
    expect(JSON.parse(stdout)).not.toHaveProperty('theirs');
  });

  const alone = 'a canonical string alone has no signature to verify';
  const { sign: _, ...fields } = JSON.parse(RIGHT) as Record<string, unknown>;
  const headers =
    'X-TMS-Api-Key=k&X-TMS-Nonce=n&X-TMS-Seq-Id=1&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1';

  it.each([
    ['right', canonical, alone],
    ['of header mode', headers, alone],
    ['with the secret', canonical + SECRET, `${alone}; this one ends with the api secret`],
    ['in a log line', log, `${alone}; this one ends with the api secret`],
    ['in a JSON log line', JSON.stringify({ msg: log }), 'this one ends with the api secret'],
    [
      'not sorted',
      canonical.replace('api_key', 'zapi_key'),
      'is not sorted by name (zapi_key before city), lacks api_key',
    ],
    ['with white space', `${canonical} `, 'this one begins or ends with white space'],
    ['with a line end', `${canonical}\n\n`, 'this one begins or ends with white space'],
    ['with the signature', `${canonical}&sign=0`, 'contains the signature (sign), is not sorted'],
    [
      'with a pair twice',
      `city=1&${canonical}`,
      'contains city twice, is not sorted by name (city before api_key)',
    ],
    ['without common fields', 'a=1&b=2', 'lacks api_key, seq_id, timestamp, nonce'],
  ])('cannot be verified alone: %s', async (_, text, message) => {
    const result = await verify([text]);
    expectFailure(result, 2, message, 'mop sign verify --last');
    expect(result.stderr).not.toContain(SECRET);
  });

  it.each([
    ['signed', `api_key=key-1&city=%E6%9D%AD%E5%B7%9E&sign=${md5('')}`],
    ['with an X-TMS-Sign', `a=1&x-tms-sign=${md5('').toLowerCase()}\n`],
  ])('is not a urlencoded form: %s', async (_, form) => {
    expectFailure(await verify([form]), 2, 'the request is a urlencoded form', 'JSON object');
  });

  it('is not searched for in an invalid request', async () => {
    const broken = JSON.stringify(fields).slice(0, -1);
    expectFailure(await verify([broken]), 2, 'read as a JSON body');
    expectFailure(await verify([`${broken}\n${log}`]), 2, 'read as a JSON body');
    expectFailure(await verify([canonical, '--theirs', broken]), 2, 'read as a JSON body');
  });
});

describe('--save-vector', () => {
  const save = async (text: string) => {
    const path = join(await temporaryDirectory(), 'case.json');
    const result = await verify([text, '--save-vector', path, ...QUICK]);
    return { path, result };
  };

  it('writes the request with a dummy secret, signed again with the same mistake', async () => {
    const { path, result } = await save(JOINED);
    expect(result.code).toBe(4);
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(JSON.parse(JOINED).sign);
    const { mode, vectors } = JSON.parse(text);
    const [vector] = vectors;
    expect({ mode, ...vector }).toMatchObject({
      mode: 'body',
      id: 'secret-joined',
      result: 'invalid',
      diagnosis: [{ id: 'secret-joined', fields: [] }],
    });
    const body = Buffer.from(vector.request.body, 'base64').toString();
    const verdict = verifySignature(await readCapture(body), vector.secret, { now: 0 });
    expect(verdict.diagnosis).toMatchObject([{ id: 'secret-joined' }]);
    expect(verdict.expected).toBe(vector.signature);
    expect(vector.stages.string_to_sign).toBe(verdict.canonical + vector.secret);
  });

  it('keeps an existing file', async () => {
    const { path } = await save(JOINED);
    const before = await readFile(path, 'utf8');
    const again = await verify([RIGHT, '--save-vector', path]);
    expectFailure(again, 13, 'a file or directory with this name exists');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('writes a vector with the same mistake, despite the dummy secret', async () => {
    // A Java signer that loses the zeros at the start of a digest.
    const zeros = Array.from({ length: 500 }, (_, index) => request({ index })).find((text) =>
      /^0/.test(JSON.parse(text).sign),
    );
    const { sign } = JSON.parse(zeros ?? '');
    const { path } = await save((zeros ?? '').replace(sign, sign.replace(/^0+/, '')));
    const [vector] = JSON.parse(await readFile(path, 'utf8')).vectors;
    const body = Buffer.from(vector.request.body, 'base64').toString();
    const verdict = verifySignature(await readCapture(body), vector.secret, { now: 0 });
    expect(verdict.diagnosis).toMatchObject([{ id: 'signature-format' }]);
  });

  it('writes no vector for a request that contains the secret, with a warning', async () => {
    const { path, result } = await save(request({ api_secret: SECRET }));
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(`${path} was not written: the request contains the secret`);
    expect(result.stdout).toContain(
      '! api_secret contains the api secret, which must never be sent',
    );
    expect(result.stdout).not.toContain(SECRET);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('writes no vector if the secret is a number in the request', async () => {
    const path = join(await temporaryDirectory(), 'case.json');
    const env = { MOP_API_KEY: KEY, MOP_API_SECRET: '20261121' };
    const text = request({ date: 20261121 }, (canonical) => `${canonical}20261121`);
    const { stderr } = await verify([text, '--save-vector', path], env);
    expect(stderr).toContain('the request contains the secret');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('writes no vector for an unexplained signature, and reports the reason', async () => {
    const { path, result } = await save(UNEXPLAINED);
    expect(result.stderr).toContain(`mop: warning: ${path} was not written`);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });
});

describe('secrets', () => {
  const shop = { api_key: 'key-of-shop', api_secret: 'secret-of-shop' };
  const both = { default: { api_key: KEY, api_secret: SECRET }, shop };

  it('of other profiles are tried', async () => {
    const { env } = await configuration({ profiles: both });
    const wrong = request({}, (canonical) => `${canonical}secret-of-shop`);
    const { stdout } = await verify([wrong, ...QUICK], env);
    expect(stdout.split('\n')[0]).toBe(
      'Wrong: the request was signed with the secret of profile shop (secret-other-profile)',
    );
    expect(stdout).not.toContain('secret-of-shop');
  });

  it('of other profiles are reported if the request contains them', async () => {
    const { env } = await configuration({ profiles: both });
    const wrong = request({ remark: shop.api_secret }, joined);
    const { stdout } = await verify([wrong, '--theirs', 'a=1', ...QUICK], env);
    expect(stdout).toContain('! remark contains the api secret, which must never be sent');
    expect(stdout).not.toContain(shop.api_secret);
  });

  it('belong to the api_key of the request, for any current profile', async () => {
    const { env } = await configuration({ profiles: both });
    const text = request({ api_key: 'key-of-shop' }, (canonical) => `${canonical}secret-of-shop`);
    const { code, stdout } = await verify([text], env);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toContain('the secret of profile shop');
  });

  it('of another account is wrong, even when it is current', async () => {
    const { env } = await configuration({ profiles: both });
    const { code, stdout } = await verify([request({ api_key: 'key-of-shop' })], env);
    expect(code).toBe(4);
    expect(stdout.split('\n')[0]).toContain('the secret of profile default (secret-other-profile)');
  });

  it('of any profile are used if there is no current secret', async () => {
    const { env } = await configuration({ profiles: { shop: { api_secret: SECRET } } });
    const { code, stdout } = await verify([RIGHT], env);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toContain('the secret of profile shop');
  });

  it('of an unknown api_key cause a warning', async () => {
    const { code, stdout } = await verify([request({ api_key: 'key-of-nobody' })]);
    expect(code).toBe(0);
    expect(stdout).toContain("! the request's api_key is key-of-nobody, which has no known secret");
  });

  it('of the sandbox are known', async () => {
    const wrong = request({}, (canonical) => `${canonical}sandbox-secret`);
    expect((await verify([wrong])).stdout.split('\n')[0]).toContain('the secret of the sandbox');
  });

  it.each([
    ['without a configuration', {}, 0],
    ['of another account', CREDENTIALS, 0],
    ['of another account, unless that account signed', CREDENTIALS, 4],
  ])('of the sandbox belong to its api_key, %s', async (_, env, code) => {
    const secret = code === 0 ? 'sandbox-secret' : SECRET;
    const text = request({ api_key: 'sandbox' }, (canonical) => `${canonical}${secret}`);
    const result = await verify([text, ...QUICK], env);
    expect(result.code).toBe(code);
    expect(result.stdout).not.toContain('has no known secret');
  });

  it('that cannot be loaded are named, and the others tried', async () => {
    const profiles = { ...both, gone: { api_key: 'k', api_secret_file: '/nowhere/secret' } };
    const { env } = await configuration({ profiles });
    const { code, stderr } = await verify([UNEXPLAINED, ...QUICK], env);
    expect(code).toBe(4);
    expect(stderr).toContain('the secret of profile gone cannot be loaded and is not tried');
    expect(stderr).not.toContain('/nowhere');
  });

  it('of commands are loaded only when the first secret explains nothing', async () => {
    const marker = join(await temporaryDirectory(), 'asked');
    const profiles = {
      ...both,
      vault: { api_key: 'k', api_secret_command: `touch '${marker}' && echo x` },
    };
    const { env } = await configuration({ profiles });
    expect((await verify([RIGHT], env)).code).toBe(0);
    expect((await verify([JOINED], env)).code).toBe(4);
    await expect(readFile(marker)).rejects.toThrow('ENOENT');
    await verify([UNEXPLAINED, ...QUICK], env);
    await expect(readFile(marker, 'utf8')).resolves.toBe('');
  });

  it("are the sandbox's own with --env sandbox", async () => {
    const right = request({}, (canonical) => `${canonical}sandbox-secret`);
    const { code, stdout } = await verify([right, '--env', 'sandbox'], {});
    expect(code).toBe(0);
    expect(stdout).toContain(`! the request's api_key is ${KEY}`);
  });

  it('are required', async () => {
    expectFailure(await verify([RIGHT], {}), 3, 'no api secret');
    expect((await verify([RIGHT], { MOP_API_SECRET: SECRET })).code).toBe(0);
  });

  it('are hidden in a string into which the signer sorted them', async () => {
    const wrong = request({}, (canonical) =>
      canonical.replace('&city', `&api_secret=${SECRET}&city`),
    );
    const { stdout, stderr } = await verify([wrong, '--verbose', '--debug']);
    expect(stdout.split('\n')[0]).toContain('(secret-sorted-in)');
    expect(stdout).toContain('⟦&api_secret=<secret>⟧&city');
    expect(stdout + stderr).not.toContain(SECRET);
  });
});

it('warns of a request to another environment', async () => {
  const profiles = {
    default: { api_key: KEY, api_secret: SECRET, test_base_url: 'https://test.example' },
  };
  const { env } = await configuration({ profiles });
  const { stdout } = await verify([`curl https://test.example/open/v1/x -d '${RIGHT}'`], env);
  expect(stdout).toContain(
    '! the request went to test_base_url, but the environment is production',
  );
});
