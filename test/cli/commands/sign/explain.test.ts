import { beforeEach, describe, expect, it } from 'vitest';
import { mop } from '../../../support/cli.ts';
import { installed } from '../../../support/programs.ts';
import { CREDENTIALS, expectFailure, FIXED, file, SECRET, sh } from '../../support.ts';

const run = (...argv: string[]) => mop(['sign', ...argv], { env: CREDENTIALS });

/** The lines of `sign explain`. */
async function explain(...argv: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run('explain', ...argv, ...FIXED);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n');
}

/** The lines under a heading that starts like this. */
function under(lines: readonly string[], heading: string): string[] {
  const start = lines.findIndex((line) => line.startsWith(heading));
  expect(start, heading).toBeGreaterThanOrEqual(0);
  const rest = lines.slice(start + 1);
  const end = rest.indexOf('');
  return rest.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
}

describe('body mode', () => {
  const body = '{"b":"x y","a":[1.0],"none":null,"empty":"","sign":"OLD"}';

  it('shows each field with its source, and the reason for including or omitting it', async () => {
    expect(under(await explain(body), '1.')).toEqual([
      expect.stringMatching(/^in +b +business field +x·y$/),
      expect.stringMatching(/^in +a +business field +\[1\.0\]$/),
      expect.stringMatching(/^in +empty +business field +\(empty, included\)$/),
      expect.stringMatching(/^in +api_key +common field +key-of-the-test$/),
      expect.stringMatching(/^in +seq_id +common field +seq-1$/),
      expect.stringMatching(/^in +timestamp +common field +1795132800$/),
      expect.stringMatching(/^in +nonce +common field +abcdefghij$/),
      expect.stringMatching(/^out +none +null is left out$/),
      expect.stringMatching(/^out +sign +the signature does not sign itself$/),
    ]);
  });

  it('shows the layers from the sorted pairs to the MD5', async () => {
    const lines = await explain(body);
    expect(lines[0]).toMatch(/^Protocol 1\.0: .*body/);
    const pairs = [
      ...['a=[1.0]', 'api_key=key-of-the-test', 'b=x·y', 'empty='],
      ...['nonce=abcdefghij', 'seq_id=seq-1', 'timestamp=1795132800'],
    ];
    expect(under(lines, '2.')).toEqual(pairs);
    expect(under(lines, '3.')).toEqual([`[${pairs.join('&')}]`, '95 bytes in UTF-8']);
    expect(under(lines, '4.')).toEqual([`[${pairs.join('&')}<secret: 32 characters>]`]);
    const { stdout } = await run(body, ...FIXED, '--as', 'sign');
    expect(under(lines, '5.')).toEqual([stdout.trim()]);
  });

  it('counts bytes of UTF-8, and the characters of the secret', async () => {
    const env = { ...CREDENTIALS, MOP_API_SECRET: '密钥🔑' };
    const argv = ['sign', 'explain', '{"a":"杭🚕"}', ...FIXED];
    const { stdout } = await mop(argv, { env });
    expect(stdout).toContain('\n   84 bytes in UTF-8\n');
    expect(stdout).toContain('<secret: 3 characters>]');
  });
});

describe('header mode', () => {
  it('shows the same layers', async () => {
    const lines = await explain('{"b":1,"n":null}', '--mode', 'header', '-H', 'X-TMS-T: t');
    expect(lines[0]).toMatch(/^Protocol 2\.0: .*X-TMS-Sign/);
    expect(under(lines, '1.').filter((line) => !/ signed header /.test(line))).toEqual([
      expect.stringMatching(/^in +b +business field +1$/),
      expect.stringMatching(/^in +n +business field +\(empty, included\)$/),
      expect.stringMatching(/^out +X-TMS-Sign +the signature does not sign itself$/),
    ]);
    expect(under(lines, '2.')).toEqual([
      'X-TMS-Api-Key=key-of-the-test',
      'X-TMS-Nonce=abcdefghij',
      'X-TMS-Seq-Id=seq-1',
      'X-TMS-Sign-Ver=2.0',
      'X-TMS-T=t',
      'X-TMS-Timestamp=1795132800',
      'b=1',
      'n=',
    ]);
  });

  it('omits the fields that options omit', async () => {
    const path = await file('content');
    const form = ['--form', 'a=1', '--file', `doc=@${path}`];
    const lines = under(await explain('--mode', 'header', ...form), '1.');
    expect(lines).toContainEqual(expect.stringMatching(/^out +doc +a file's content/));
    const nulls = ['{"n":null}', '--mode', 'header', '--null-as', 'omit'];
    expect(under(await explain(...nulls), '1.')).toContainEqual(
      expect.stringMatching(/^out +n +null is left out$/),
    );
  });
});

describe('an invisible character', () => {
  it.each([
    { subject: 'a space', text: ' ', shown: '·' },
    { subject: 'a tab', text: '\t', shown: '→' },
    { subject: 'a line feed', text: '\n', shown: '↵' },
    { subject: 'a carriage return', text: '\r', shown: '<CR>' },
    { subject: 'a no-break space', text: '\u00a0', shown: '<U+00A0>' },
    { subject: 'an ideographic space', text: '\u3000', shown: '<U+3000>' },
    { subject: 'a zero-width space', text: '\u200b', shown: '<U+200B>' },
    { subject: 'a byte order mark', text: '\ufeff', shown: '<U+FEFF>' },
    { subject: 'a right-to-left override', text: '\u202e', shown: '<U+202E>' },
    { subject: 'a variation selector', text: '\ufe0f', shown: '<U+FE0F>' },
    { subject: 'a Hangul filler', text: '\u3164', shown: '<U+3164>' },
    { subject: 'a tag character', text: '\u{e0041}', shown: '<U+E0041>' },
    { subject: 'an escape', text: '\u001b', shown: '<U+001B>' },
  ])('$subject is made visible', async ({ text, shown }) => {
    const lines = await explain(JSON.stringify({ [`n${text}`]: `v${text}w` }));
    expect(under(lines, '1.')[0]).toMatch(`in  n${shown}`);
    expect(under(lines, '2.')).toContain(`n${shown}=v${shown}w`);
    expect(under(lines, '3.')[0]).toContain(`&n${shown}=v${shown}w&`);
    expect(under(lines, '4.')[0]).toContain(`&n${shown}=v${shown}w&`);
  });

  it('leaves other characters unchanged', async () => {
    const text = 'é杭🚕a\\"/%+';
    expect(under(await explain(JSON.stringify({ a: text })), '2.')).toContain(`a=${text}`);
  });

  it('distinguishes a mark from the character that it resembles', async () => {
    const lines = under(await explain(JSON.stringify({ a: 'x y·z' })), '2.');
    expect(lines).toContain('a=x·y<U+00B7>z');
  });
});

describe('warnings', () => {
  it('are part of the explanation', async () => {
    const lines = await explain('{"a":1.0,"b":{"c":[1e2]},"d":12345678901234567}');
    expect(under(lines, 'Warnings')).toEqual([
      expect.stringMatching(/^! a is 1\.0: /),
      expect.stringMatching(/^! b\.c\[0\] is 1e2: /),
      expect.stringMatching(/^! d is 12345678901234567: /),
    ]);
    const { stdout } = await run('explain', '{}', '--nonce', 'short');
    expect(under(stdout.split('\n'), 'Warnings')).toEqual([
      expect.stringMatching(/^! the nonce has 5/),
    ]);
  });

  it('have no heading for an empty list', async () => {
    expect(await explain('{}')).not.toContain('Warnings');
  });
});

describe('explain', () => {
  it('prints the same document as sign with --json', async () => {
    for (const mode of ['body', 'header']) {
      const argv = ['{"a":1,"b":null}', '--mode', mode, ...FIXED, '--json'];
      expect(await run('explain', ...argv)).toEqual(await run(...argv));
    }
  });

  it('accepts a body from the same sources as sign', async () => {
    const path = await file('{"a":1}');
    const inline = await explain('{"a":1}');
    expect(await explain(`@${path}`)).toEqual(inline);
    expect(await explain('-F', 'a=1')).toEqual(inline);
    const argv = ['sign', 'explain', '-', ...FIXED];
    const { stdout } = await mop(argv, { env: CREDENTIALS, stdin: '{"a":1}' });
    expect(stdout.split('\n')).toEqual(inline);
  });

  it('never shows the secret', async () => {
    expect((await explain('{"a":1}')).join('\n')).not.toContain(SECRET);
  });

  it('fails like sign', async () => {
    expectFailure(await run('explain'), 2, 'nothing to sign');
    expectFailure(await run('explain', '[]'), 2, 'not an object');
    expectFailure(await mop(['sign', 'explain', '{}']), 3, 'no api_key');
    expectFailure(await run('explain', '{}', '--as', 'sign'), 2, 'takes no --as', '--json');
  });
});

describe('the openssl line', () => {
  beforeEach(({ skip }) => skip(!installed('openssl'), 'openssl is not installed'));

  const line = (lines: readonly string[]) => {
    const text = lines.join('\n');
    const start = text.indexOf("   printf '%s%s' ");
    const end = text.indexOf('tr a-f A-F', start);
    expect(start).toBeGreaterThan(0);
    expect(end).toBeGreaterThan(start);
    return `${text.slice(start, end)}tr a-f A-F`;
  };

  it('takes the secret from a variable', async () => {
    expect(line(await explain('{}'))).toContain('"$MOP_API_SECRET"');
  });

  it.each([
    { body: '{}' },
    { body: '{"a":"plain"}' },
    { body: `{"a":"it's","b":"'"}` },
    { body: '{"a":"$HOME `id` $(id) !x \\\\ %s %n \\" *"}' },
    { body: '{"a":"two\\nlines\\r\\n\\n","b":"\\ttab "}' },
    { body: '{"城市":"杭州 🚕","u":"\\u200b"}' },
    { body: '{"-a":"-n","goods":{"b":[1.0,"x y"]}}' },
    { body: '{"a":"&b=2"}' },
  ])('reproduces the signature of $body', async ({ body }) => {
    for (const mode of ['body', 'header']) {
      const lines = await explain(body, '--mode', mode);
      const [expected] = under(lines, '5.');
      const printed = await sh(line(lines), { env: { MOP_API_SECRET: SECRET } });
      expect(printed).toBe(`${expected}\n`);
    }
  });

  it('uses the secret unchanged', async () => {
    const secret = ` %s\\n'"$x\` `;
    const env = { ...CREDENTIALS, MOP_API_SECRET: secret };
    const { stdout } = await mop(['sign', 'explain', '{"a":"b"}', ...FIXED], { env });
    const lines = stdout.split('\n');
    const printed = await sh(line(lines), { env: { MOP_API_SECRET: secret } });
    expect(printed).toBe(`${under(lines, '5.')[0]}\n`);
  });
});

it.each([
  [[], 'X-TMS-Nonce', ['! the header x-tms-nonce is sent and signed as X-TMS-Nonce']],
  [['--reading', 'header-names=as-sent'], 'x-tms-nonce', []],
])('with %j a header of -H is signed as %s', async (reading, name, warnings) => {
  const header = ['--mode', 'header', '-H', 'x-tms-nonce: 0123456789'];
  const { code, stdout } = await run('explain', '{}', ...header, ...reading);
  expect(code).toBe(0);
  expect(stdout).toContain(`   ${name}=0123456789\n`);
  expect(warnings.length === 0 ? [] : under(stdout.split('\n'), 'Warnings')).toEqual(warnings);
});

it('an unknown reading is rejected', async () => {
  const refused = await run('explain', '{}', '--reading', 'header-names=any');
  expectFailure(refused, 2, 'the unknown value "any"', 'documented, as-sent');
});

describe('readings', () => {
  const BODY = '{ "a": { "b": [1,  2.0] },  "n": null }';

  it.each([
    [[], '{"b":[1,2.0]}', ''],
    [['nested-json=compact'], '{"b":[1,2.0]}', ''],
    [['nested-json=as-sent'], '{ "b": [1,  2.0] }', ''],
    [['nested-json=any', 'null-in-header=any'], '{"b":[1,2.0]}', ''],
    [['null-in-header=empty'], '{"b":[1,2.0]}', ''],
    [['null-in-header=text', 'nested-json=as-sent'], '{ "b": [1,  2.0] }', 'null'],
    [['null-in-header=omit'], '{"b":[1,2.0]}', undefined],
  ])('with %j the object is signed and sent as %s', async (readings, nested, nullText) => {
    const chosen = readings.flatMap((reading) => ['--reading', reading]);
    for (const mode of ['body', 'header']) {
      const argv = ['explain', BODY, '--mode', mode, ...chosen, ...FIXED, '--json'];
      const { code, stdout } = await run(...argv);
      expect(code).toBe(0);
      const { body, entries, headers } = JSON.parse(stdout) as {
        readonly body: string;
        readonly entries: readonly { readonly name: string; readonly value: string }[];
        readonly headers: Readonly<Record<string, string>>;
      };
      const textOf = (name: string) => entries.find((entry) => entry.name === name)?.value;
      expect(textOf('a')).toBe(nested);
      expect(textOf('n')).toBe(mode === 'body' ? undefined : nullText);
      expect(body).toContain(`{"a":${nested},"n":null`);
      // The signature fits the bytes that are printed.
      const lines = mode === 'body' ? [] : Object.entries(headers);
      const sent = lines.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const verified = await run('verify', body, ...sent, ...chosen, '--json');
      expect(JSON.parse(verified.stdout)).toMatchObject({ valid: true });
    }
  });

  it('--null-as overrides the reading', async () => {
    const argv = ['--mode', 'header', '--null-as', 'omit', '--reading', 'null-in-header=text'];
    expect(under(await explain('{"n":null}', ...argv), '1.')).toContainEqual(
      expect.stringMatching(/^out +n +null is left out$/),
    );
  });

  it.each([
    [['--mode', 'header', '--nonce', 'short'], undefined],
    [['--mode', 'header', '--nonce', 'short', '--reading', 'nonce=10'], 'the nonce has 5'],
    [['--nonce', 'short'], 'the nonce has 5'],
    [['--nonce', 'short', '--reading', 'nonce=any'], undefined],
  ])('%j: %s', async (argv, warning) => {
    const { stdout } = await run('explain', '{}', ...argv);
    if (warning === undefined) expect(stdout).not.toContain('Warnings');
    else expect(under(stdout.split('\n'), 'Warnings')).toEqual([expect.stringContaining(warning)]);
  });
});
