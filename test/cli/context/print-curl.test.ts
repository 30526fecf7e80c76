import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { curlCommand, curlHeader } from '../../../src/cli/context/print-curl.ts';
import { shellQuote } from '../../../src/errors.ts';
import { mop } from '../../support/cli.ts';
import { installed } from '../../support/programs.ts';
import { type Received, serve } from '../../support/server.ts';
import { CREDENTIALS, FIXED, file, SECRET, sh } from '../support.ts';

const run = async (...argv: string[]) => {
  const { code, stdout, stderr } = await mop(['sign', ...argv, ...FIXED], { env: CREDENTIALS });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** The signature that the documents require for a received request. */
function signatureOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const canonical = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return createHash('md5').update(`${canonical}${SECRET}`).digest('hex').toUpperCase();
}

/** The signed headers, in the received case. */
function tmsHeaders({ rawHeaders }: Received): [string, string][] {
  return rawHeaders
    .flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    )
    .filter(([name]) => /^x-tms-/i.test(name));
}

/** Runs the output of `--as curl` against a server, and returns the received request. */
async function sent(...argv: string[]): Promise<Received> {
  const server = await serve((_, response) => response.end());
  await sh(`exec ${await run(...argv, '--as', 'curl', '--url', `${server.url}/p?q=1&r=$x`)}`);
  expect(server.requests).toHaveLength(1);
  return server.requests[0] as Received;
}

/** Characters that a shell, curl or wrong quoting could change. */
const AWKWARD = {
  plain: 'text',
  '@at': '@/etc/hostname',
  quotes: `it's "quoted" \\ and \`ticked\``,
  shell: '$HOME $(id) !x * ? ~ # ; & | < >',
  lines: 'one\ntwo\r\n\ttab ',
  percent: '100%41+x %s',
  empty: '',
  城市: '杭州 🚕',
  '-dash': '-n --data x',
};

describe('the command of --as curl', () => {
  beforeEach(({ skip }) => skip(!installed('curl'), 'curl is not installed'));

  it('sends a body signed in body mode', async () => {
    const request = await sent(JSON.stringify(AWKWARD));
    expect(request).toMatchObject({ method: 'POST', path: '/p?q=1&r=$x' });
    expect(request.headers['content-type']).toBe('application/json');
    expect(`${request.body}\n`).toBe(await run(JSON.stringify(AWKWARD)));
    const { sign, ...fields } = JSON.parse(request.body) as Record<string, string | number>;
    const values = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
    expect(sign).toBe(signatureOf(values));
  });

  it('sends headers and a body signed in header mode', async () => {
    const headers = ['-H', 'X-TMS-Empty;', '-H', `X-tms-Odd: it's "$HOME" \\ ; @x`];
    const argv = [JSON.stringify(AWKWARD), '--mode', 'header', ...headers];
    const request = await sent(...argv);
    expect(`${request.body}\n`).toBe(await run(...argv, '--as', 'body'));
    const received = tmsHeaders(request);
    expect(received).toContainEqual(['X-TMS-Empty', '']);
    expect(received).toContainEqual(['X-tms-Odd', `it's "$HOME" \\ ; @x`]);
    const sign = Object.fromEntries(received)['X-TMS-Sign'];
    const signed = received.filter(([name]) => name !== 'X-TMS-Sign');
    expect(sign).toBe(signatureOf([...signed, ...Object.entries(AWKWARD)]));
  });

  it('sends a form with its files', async () => {
    const { '@at': _, ...fields } = AWKWARD;
    const { lines: __, ...texts } = fields;
    const path = await file('of the file\n', { name: `odd "name"; type=x,\\.txt` });
    const form = Object.entries({ ...texts, at: '@/etc/hostname', type: 'a;type=b' });
    const request = await sent(
      ...['--mode', 'header', '--file', `doc=@${path}`],
      ...form.flatMap(([name, value]) => ['--form', `${name}=${value}`]),
    );
    expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const received = await new Response(request.body, {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const doc = received.get('doc');
    expect(await (doc as File).text()).toBe('of the file\n');
    const values = [...received].filter(([name]) => name !== 'doc') as [string, string][];
    expect(values).toEqual(form);
    const headers = tmsHeaders(request);
    const sign = Object.fromEntries(headers)['X-TMS-Sign'];
    const signed = headers.filter(([name]) => name !== 'X-TMS-Sign');
    expect(sign).toBe(signatureOf([...signed, ...values]));
  });

  it('sends numbers and nested JSON exactly as signed', async () => {
    const body = '{"n":[1.0,-0,1e2,3791411052119578828],"o":{"2":1,"1":2,"城":"a/b\\u0001"}}';
    const { body: received } = await sent(body);
    expect(received.startsWith(`${body.slice(0, -1)},"api_key":`)).toBe(true);
  });
});

describe('the output of --as headers', () => {
  beforeEach(({ skip }) => skip(!installed('curl'), 'curl is not installed'));

  it('can be piped to curl -H @-, which keeps empty headers', async () => {
    const argv = ['{"a":"b"}', '--mode', 'header', '-H', 'X-TMS-Empty:', '-H', 'X-TMS-Z: z;'];
    const server = await serve((_, response) => response.end());
    await sh(`curl -sS -H @- --data-raw '{"a":"b"}' ${server.url}/`, { stdin: await run(...argv) });
    const [request] = server.requests as [Received];
    expect(request.headers['content-type']).toBe('application/json');
    const headers = tmsHeaders(request);
    expect(headers).toContainEqual(['X-TMS-Empty', '']);
    expect(headers).toContainEqual(['X-TMS-Z', 'z;']);
    const sign = Object.fromEntries(headers)['X-TMS-Sign'];
    const signed = headers.filter(([name]) => name !== 'X-TMS-Sign');
    expect(sign).toBe(signatureOf([...signed, ['a', 'b']]));
  });
});

describe('curlCommand', () => {
  it('has a line for each part', () => {
    const request = {
      method: 'POST',
      url: 'https://h.example/x?a=1&b=2',
      headers: { 'Content-Type': 'application/json', 'X-TMS-None': '' },
      body: `{"a":"it's"}`,
    };
    expect(curlCommand(request)).toBe(
      [
        "curl -X POST 'https://h.example/x?a=1&b=2'",
        "-H 'Content-Type: application/json'",
        "-H 'X-TMS-None;'",
        `--data-raw '{"a":"it'\\''s"}'`,
      ].join(' \\\n  '),
    );
  });

  it('has a line for each header with the same name', () => {
    const headers = { 'X-A': ['1', '2'], 'X-B': '3' };
    const request = { method: 'GET', url: 'https://h.example/', headers, body: null };
    expect(curlCommand(request)).toContain("-H 'X-A: 1' \\\n  -H 'X-A: 2' \\\n  -H 'X-B: 3'");
  });

  it('omits a missing body', () => {
    const request = { method: 'GET', url: 'https://h.example/', headers: {}, body: null };
    expect(curlCommand(request)).toBe('curl -X GET https://h.example/');
  });
});

describe('curlHeader', () => {
  it('ends an empty header with a semicolon', () => {
    expect(curlHeader('A', 'b')).toBe('A: b');
    expect(curlHeader('A', '')).toBe('A;');
  });
});

describe('shellQuote', () => {
  const words = [
    '',
    'plain-1.2_3',
    'a b',
    '-n',
    '~',
    '~/x',
    '#x',
    "it's",
    "'",
    "''",
    '"$HOME`id`"',
    'a\nb\n',
    '\\',
    '*?[a]',
    'a=~/b',
    '{a,b}',
    'A=1',
    '杭州',
  ];

  it('does not quote words without special characters', () => {
    expect(shellQuote('https://h.example:80/a_b-c.d')).toBe('https://h.example:80/a_b-c.d');
  });

  it('quotes any text as one word', async () => {
    const script = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
    expect((await sh(script)).split('\0')).toEqual([...words, '']);
  });
});
