import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { detectionObject, FAILED, hit } from '../../../detection/support.ts';
import { errorOf, mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { configuration, expectFailure, file } from '../../support.ts';

import { answer, literal, service } from './support.ts';

describe('mop detect', () => {
  it('shows the findings', async () => {
    const { detect } = await service();
    const { code, stdout, stderr } = await detect(['You only need me.']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`high      score 72

high      Claims to be all that the person needs
          "You only need me"
          It draws a person away from people who can help.
          emotional dependency, rule dependency.only-me, characters 0 to 16

high      Embedded model: probability of risk 91%, score 62
          kinds of risk: guilt 83%, emotional dependency 41%, all others at most
          7%
          words that counted most: "need me", "only"
          A statistical estimate, learned from texts of which half are risky:
          not a judgement. Version 1.0.0+3f2a9c1e

safer text
          I can help, and so can others.
`);
  });

  it.each(['0', '0.93', '1234.5', '-3'])('shows a score of %s', async (score) => {
    const { detect } = await service(answer({ risk_score: Number(score) }));
    expect((await detect(['a'])).stdout).toContain(`high      score ${score}\n`);
  });

  it.each([
    ['none', '\u001b[32mnone\u001b[39m '],
    ['low', '\u001b[36mlow\u001b[39m '],
    ['medium', '\u001b[33mmedium\u001b[39m '],
    ['high', '\u001b[31mhigh\u001b[39m '],
    ['critical', '\u001b[31m\u001b[1m\u001b[7mcritical\u001b[27m\u001b[22m\u001b[39m '],
    ['severe', '\u001b[35msevere\u001b[39m '],
  ])('colours %s on a terminal', async (overall_risk, painted) => {
    const { detect } = await service(answer({ overall_risk, results: [] }));
    const { stdout } = await detect(['a'], { stdoutIsTerminal: true });
    expect(stdout.startsWith(painted)).toBe(true);
    const plain = await detect(['a', '--no-color'], { stdoutIsTerminal: true });
    expect(plain.stdout).not.toContain('\u001b');
  });

  it('wraps lines at the width of the terminal, and counts Chinese characters twice', async () => {
    const why = `${'只有我理解你，'.repeat(9)} ${'word '.repeat(30)}`;
    const { detect } = await service(answer({ results: [hit({ rule_name: why, why })] }));
    for (const columns of [40, 61]) {
      const { stdout } = await detect(['a'], { columns });
      const widths = stdout
        .split('\n')
        .map((line) =>
          [...line].reduce((sum, each) => sum + (/[\u3000-\uffee]/.test(each) ? 2 : 1), 0),
        );
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      expect(Math.max(...widths)).toBeGreaterThan(columns - 3);
    }
  });

  it('prints no control characters of the service', async () => {
    const wild = 'a\u001b[2J\u009b1m\r\n\u202eb\u0000';
    const { detect } = await service(
      answer({
        overall_risk: wild,
        results: [
          hit({ rule_name: wild, level: wild, matched_text: wild, why: wild, [wild]: [wild] }),
        ],
        ai_analysis: { status: wild, [wild]: { [wild]: [wild] } },
        safe_rewrite: wild,
      }),
    );
    for (const args of [['--json'], ['--lines', '--json'], ['--lines', '--rewrite']]) {
      const { stdout } = await detect(['a', '--no-color', ...args], { stdoutIsTerminal: true });
      expect(stdout).not.toMatch(/[^\P{C}\n]/u);
      expect(stdout).toContain('\\u202e');
    }
    for (const args of [[], ['--lines'], ['--fail-on', 'low'], ['--rewrite']]) {
      const { stdout, stderr } = await detect(['a', ...args, '--no-color'], {
        stdoutIsTerminal: true,
        columns: 200,
      });
      expect(stdout + stderr).not.toMatch(/[^\P{C}\n]/u);
      expect(stdout).toContain('a<U+001B>[2J');
    }
  });

  it('shows a rewrite of many lines', async () => {
    const { detect } = await service(answer({ safe_rewrite: 'a\n'.repeat(300_000) }));
    const { code, stdout } = await detect(['a']);
    expect([code, stdout.split('\n').length > 300_000]).toEqual([0, true]);
  });

  it('omits an unchanged rewrite and a missing model', async () => {
    const { detect } = await service(
      answer({ safe_rewrite: 'a', ai_analysis: undefined, overall_risk: 'none', results: [] }),
    );
    expect((await detect(['a'])).stdout).toBe('none      score 72\n');
  });

  it('shows the verdict of an external model', async () => {
    const ai_analysis = {
      status: 'ok',
      provider: 'external',
      model: 'm-1',
      level: 'low',
      score: 7,
      reasons: ['guilt: it begs', 'isolation'],
      latency: 12,
    };
    const { detect } = await service(answer({ ai_analysis }));
    const { stdout, stderr } = await detect(['a']);
    expect(stdout).toContain(`
low       External model m-1: score 7
          guilt: it begs
          isolation
          latency: 12
`);
    expect(stderr).toBe('');
  });

  it('shows a failed model with a warning, and the estimate used instead', async () => {
    const { detect } = await service(answer({ ai_analysis: FAILED }));
    const shown = await detect(['a'], { columns: 40 });
    expect(shown.stdout).toContain(`
failed    External model judge
          timeout: too slow

high      Embedded model, used instead:
          probability of risk 91%, score
          62
`);
    const warning = 'the model failed, the embedded model was used instead: timeout: too slow';
    expect(shown.stderr).toBe(`mop: warning: ${warning}\n`);
    const json = await detect(['a', '--json']);
    expect(JSON.parse(json.stderr).warning.message).toBe(warning);
  });

  it('shows every field of an unknown analysis and of a rule, with all digits', async () => {
    const text = `{"overall_risk":"low","risk_score":7,
      "results":[{"rule_name":"a","level":"low","weight":1.50,"why":["b",{"c":null}]}],
      "ai_analysis":{"verdict":"fine","n":12345678901234567890,"scores":[1.0,2e5,-0],"none":[],
        "votes":[{"by":"x","for":true},{"by":"y, z"}],"a":{"b":{"c":{"d":{"e":"f,g"}}}},"":""}}`;
    const { detect } = await service((_, response) => response.end(text));
    expect((await detect(['a'])).stdout).toBe(`low       score 7

low       a
          weight: 1.50
          why:
            - b
            - c: null

          AI analysis
          verdict: fine
          n: 12345678901234567890
          scores: [1.0, 2e5, -0]
          none: []
          votes:
            - by: x
              for: true
            - by: y, z
          a:
            b:
              c:
                d: {"e":"f,g"}
          "": ""
`);
  });

  it.each([
    [null, 'null'],
    ['looks fine', 'looks fine'],
    [['x', 1], '- x\n          - 1'],
    [{ status: 'off', message: 'none' }, 'status: off\n          message: none'],
  ])('shows the analysis %j', async (ai_analysis, words) => {
    const { detect } = await service(answer({ ai_analysis, results: [], safe_rewrite: 'a' }));
    const { stdout, stderr } = await detect(['a']);
    expect({ stdout, stderr }).toEqual({
      stdout: `high      score 72\n\n          AI analysis\n          ${words}\n`,
      stderr: '',
    });
  });

  it('truncates a long analysis, with a hint', async () => {
    const list = Array.from({ length: 50_000 }, (_, index) => `item ${index}`);
    const ai_analysis = { long: 'x'.repeat(1_000_000), list };
    const { detect } = await service(answer({ ai_analysis, results: [hit({ list })] }));
    const { stdout } = await detect(['a']);
    expect(stdout).toContain('(1000000 characters, --json shows all)');
    expect(stdout.match(/\.\.\. --json shows the rest\n/g)).toHaveLength(2);
    expect(stdout.split('\n').length).toBeLessThan(110);
  });

  it('prints the document of the service with --json, with all digits', async () => {
    const text = '{"overall_risk":"low","risk_score":7.0,"results":[],"n":12345678901234567890}';
    const { detect } = await service((_, response) => response.end(text));
    expect((await detect(['a', '--json'])).stdout).toBe(`${text}\n`);
  });

  it('prints nothing with --quiet, but applies the gate', async () => {
    const { detect } = await service();
    expect(await detect(['a', '-q'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await detect(['a', '-q', '--fail-on', 'low'])).toMatchObject({ code: 10, stdout: '' });
  });

  it('sends the text unchanged, from every source', async () => {
    const { detect, texts } = await service();
    const text = ' two\r\nlines \n';
    await detect([text]);
    await detect([`@${await file(text)}`]);
    await detect(['-'], { stdin: text });
    expect(texts()).toEqual([text, text, text]);
  });

  it('finds the service of the embedded sandbox', async () => {
    const { code, stdout } = await mop(['detect', 'Good morning.', '--env', 'sandbox', '--json']);
    expect([code, JSON.parse(stdout).text]).toEqual([0, 'Good morning.']);
  });
});

describe('bad input sends nothing', () => {
  it.each([
    { args: [], message: 'nothing to check', hint: '--batch FILE' },
    { args: [''], message: 'the text is empty' },
    { args: [' \n\t\u3000'], message: 'the text is empty' },
    { args: ['-'], message: 'the text is empty' },
    { args: ['😀'.repeat(100_001)], message: 'at most 100000 characters', hint: '--lines' },
    { args: ['@/does/not/exist'], message: 'there is no such file' },
    { args: ['a\0'], message: 'U+0000', hint: 'iconv' },
    { args: ['a', '--batch', '-'], message: 'not both' },
    {
      args: ['a', '--field', 'x'],
      message: 'the input is not JSON',
      hint: 'for plain text, leave out --field',
    },
    { args: ['-', '--lines', '--field', 'x'], message: '--lines reads plain text' },
    { args: ['--batch', '-', '--lines', '--field', 'x'], message: '--lines reads plain text' },
    { args: ['a', '--concurrency', '2'], message: '--concurrency belongs to' },
    { args: ['--batch', '-', '--concurrency', '0'], message: '--concurrency' },
    { args: ['--batch', '-', '--concurrency', '257'], message: 'from 1 to 256' },
    { args: ['--lines'], message: 'nothing to check' },
    {
      args: ['a', '--fail-on', 'severe'],
      message: '--fail-on "severe" is not one of none < low < medium < high < critical',
      hint: "--levels 'safe<low<high'",
    },
    {
      args: ['a', '--levels', 'safe<low', '--fail-on', 'high'],
      message: 'is not one of safe < low',
    },
    { args: ['a', '--levels', 'a<<b'], message: 'a level is empty', hint: "'safe<low<high'" },
    { args: ['a', '--levels', 'high'], message: 'only one level', hint: "'safe<low<high'" },
    { args: ['a', '--fail-score', 'x'], message: '--fail-score', hint: '' },
    { args: ['a', '--fail-score', ''], message: '--fail-score' },
    { args: ['a', '--fail-score', '1e999'], message: '--fail-score' },
    { args: ['a', '--include-text'], message: '--include-text belongs to' },
    { args: ['a', '--junit', '-'], message: 'not to "-"' },
    { args: ['a', '--sarif', ''], message: 'not to ""' },
    { args: ['a', '--sarif', 'x/'], message: 'not to "x/"' },
    { args: ['a', '--sarif', 'x', '--junit', 'test/../x'], message: 'would overwrite' },
    { args: ['--batch', '-', '--dry-run'], message: '--dry-run shows one request' },
    { args: ['a', '--lines', '--dry-run'], message: '--dry-run shows one request' },
    { args: ['a', '-H', 'Authorization canary'], message: "-H takes 'Name: value'" },
    { args: ['a', '-H', 'X-A: ü密'], message: 'cannot be sent' },
  ])('$args', async ({ args, message, hint }) => {
    const { detect, requests } = await service();
    const result = await detect(args, { stdin: '' });
    expectFailure(result, 2, message, hint);
    expect(result.stderr).not.toContain('canary');
    expect(requests).toEqual([]);
  });

  it('is read only up to the maximum length of a text', async () => {
    const { detect, requests } = await service();
    let produced = 0;
    const stdin = Readable.from(
      (function* () {
        for (; produced < 1000; produced++) yield Buffer.alloc(65_536, 'a');
      })(),
      { highWaterMark: 1 },
    );
    expectFailure(await detect(['-'], { stdin }), 2, 'at most 100000 characters', '--lines');
    expect(produced).toBeLessThan(20);
    const long = await file(`\ufeff${'💙'.repeat(100_000)}`);
    expect((await detect([`@${long}`])).code).toBe(0);
    expectFailure(await detect([`@${await file('💙'.repeat(100_001))}`]), 2, 'at most 100000');
    expect(requests).toHaveLength(1);
  });

  it('is reported for UTF-16, even if it is valid UTF-8', async () => {
    const { detect, requests } = await service();
    const stdin = Buffer.from('You only need me.', 'utf16le');
    expectFailure(await detect(['-', '--fail-on', 'low'], { stdin }), 2, 'it is UTF-16');
    expect(requests).toEqual([]);
  });

  it.each([
    [
      {},
      'detect_url is not set',
      'set MOP_DETECT_URL, add --env sandbox, or run: mop config set detect_url https://HOST',
    ],
    [{ MOP_DETECT_URL: 'h.example' }, 'it is not a URL', ''],
    [{ MOP_DETECT_URL: 'https://h.example/api/detect' }, 'remove /api/detect', ''],
  ])('%j is configuration', async (env, message, hint) => {
    expectFailure(await mop(['detect', 'a'], { env }), 3, message, hint);
  });
});

describe('headers', () => {
  it('are sent', async () => {
    const { detect, requests } = await service();
    await detect(['a', '-H', 'X-Trace: 1', '-H', 'Authorization: Bearer t']);
    expect(requests[0]?.headers).toMatchObject({ 'x-trace': '1', authorization: 'Bearer t' });
  });

  it('have the language of the locale, which -H overrides', async () => {
    const rows = [
      [{ LANG: 'zh_CN.UTF-8' }, [], 'zh'],
      [{ LC_ALL: 'de', LANG: 'zh_CN.UTF-8' }, [], 'de'],
      [{ LC_MESSAGES: 'fr_FR@euro', LANG: 'zh_CN.UTF-8' }, [], 'fr'],
      [{ LC_ALL: '', LANG: 'en-GB' }, [], 'en'],
      [{ LANG: 'C' }, [], undefined],
      [{ LC_ALL: 'C.UTF-8', LANG: 'zh_CN.UTF-8' }, [], undefined],
      [{ LANG: 'POSIX' }, [], undefined],
      [{ LANG: 'zh\r\nX-A: 1' }, [], undefined],
      [{}, [], undefined],
      [{ LANG: 'zh_CN.UTF-8' }, ['-H', 'accept-language: en'], 'en'],
    ] as const;
    await checkRows(rows, async ([env, headers, language]) => {
      const { detect, requests } = await service();
      expect((await detect(['a', ...headers], { env: { ...env } })).code).toBe(0);
      expect((await detect(['a', '--lines', ...headers], { env: { ...env } })).code).toBe(0);
      const sent = requests.map((request) => request.headers['accept-language']);
      expect(sent).toEqual([language, language]);
    });
  });

  it.each([
    'Authorization: canary',
    'X-API-Key:canary',
    'cookie: canary',
    'X-Session: canary',
    'X-Foo: Bearer canary',
  ])('%s is not sent over plain http to another machine', async (line) => {
    const result = await mop(['detect', 'a', '-H', line], {
      env: { MOP_DETECT_URL: 'http://h.example' },
    });
    expectFailure(result, 2, 'looks like a credential', 'https');
    expect(result.stderr).not.toContain('canary');
  });

  it('with credentials are redacted', async () => {
    const { detect } = await service((_, response) => response.writeHead(400).end('no canary'));
    const values = ['X-Foo: Basic canary', 'X-Api-Key: canary', 'X-Trace: 7'];
    const args = ['a', ...values.flatMap((value) => ['-H', value])];
    for (const more of [['--verbose'], ['--dry-run'], ['--dry-run', '--json']]) {
      const { stdout, stderr } = await detect([...args, ...more]);
      expect(stdout + stderr).not.toContain('canary');
      expect(stdout + stderr).toMatch(/X-Api-Key"?: ?"?<redacted>/);
      expect(stdout + stderr).toMatch(/X-Trace"?: ?"?7/);
    }
  });
});

describe('--dry-run', () => {
  it('prints the request as a curl command, or as JSON', async () => {
    const { detect, requests, url } = await service();
    const { stdout } = await detect(["it's", '--dry-run', '--junit', '/does/not/exist/x']);
    expect(stdout).toBe(`curl -X POST ${url}/api/detect \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json' \\
  --data-raw '{"text":"it'\\''s"}'
`);
    const twice = ['a', '-H', 'X-A: 1', '-H', 'X-A: 2', '--dry-run'];
    expect((await detect(twice)).stdout).toContain("-H 'X-A: 1' \\\n  -H 'X-A: 2' \\\n");
    const { headers } = JSON.parse((await detect([...twice, '--json'])).stdout);
    expect(headers).toMatchObject({ 'X-A': '1, 2', Accept: 'application/json' });
    const json = JSON.parse((await detect(['a', '--dry-run', '--json'])).stdout);
    expect(json).toMatchObject({ method: 'POST', body: '{"text":"a"}' });
    expect(requests).toEqual([]);
  });
});

describe('a failing service', () => {
  it.each([
    [400, '{"error":{"code":"bad_text","message":"no"}}', 5, 'HTTP 400: bad_text: no'],
    [401, '', 4, 'HTTP 401'],
    [403, '', 4, 'HTTP 403'],
    [200, 'fine', 5, 'is not a JSON object'],
    [200, '{"risk_score":1}', 5, 'overall_risk is missing'],
    [503, 'busy', 6, 'HTTP 503'],
  ])('HTTP %d with %j', async (status, body, code, message) => {
    const { detect } = await service((_, response) => response.writeHead(status).end(body));
    expectFailure(await detect(['a']), code, message);
  });

  it('is retried, up to a limit', async () => {
    const { detect, requests } = await service((_, response, index) =>
      index < 2 ? response.writeHead(500).end() : response.end(JSON.stringify(detectionObject())),
    );
    expect(await detect(['a'])).toMatchObject({
      code: 0,
      waits: [expect.anything(), expect.anything()],
    });
    expect(requests).toHaveLength(3);
  });
});

describe('gates', () => {
  it.each([
    ['high 72', ['--fail-on', 'high'], 10],
    ['medium 30', ['--fail-on', 'high'], 0],
    ['none 0', ['--fail-on', 'none'], 10],
    ['high 72', ['--fail-score', '73'], 0],
    ['high 72', ['--fail-score', '72'], 10],
    ['low 72', ['--fail-on', 'critical', '--fail-score', '50'], 10],
    ['HIGH 72', ['--fail-on', ' High'], 10],
    ['none 0.7', ['--fail-score', '0.7'], 10],
    ['none 0.69', ['--fail-score', '.7'], 0],
    ['none -3', ['--fail-score', '-2.5'], 0],
    ['none -2', ['--fail-score', '-2.5'], 10],
    ['none 900', ['--fail-score', '1e2'], 10],
    ['low 1', ['--levels', 'Safe < low < high', '--fail-on', 'high'], 0],
    ['low 1', ['--levels', 'Safe < low < high', '--fail-on', 'LOW'], 10],
    ['safe 1', ['--levels', 'Safe < low < high', '--fail-on', 'low'], 0],
    ['severe 3', ['--fail-score', '50'], 0],
  ])('%s with %j exits with %d', async (text, gate, code) => {
    const { detect } = await service(literal);
    const result = await detect([text, ...gate]);
    expect(result.code).toBe(code);
    expect(result.stdout).toContain(` ${text.split(' ')[1]}\n`);
  });

  it('report the reason after the findings', async () => {
    const { detect } = await service();
    const result = await detect(['a', '--fail-on', 'low', '--json']);
    expect(JSON.parse(result.stdout).overall_risk).toBe('high');
    expect(errorOf(result)).toMatchObject({
      code: 'risk',
      exit_code: 10,
      retryable: false,
      message: 'the risk is high with a score of 72: stopped by --fail-on low',
      hint: expect.stringContaining('--rewrite'),
    });
  });

  it('fail for an unknown level', async () => {
    const { detect } = await service(literal);
    const { code, stderr } = await detect(['severe', '--fail-on', 'critical']);
    expect(code).toBe(10);
    expect(stderr).toMatch(/^mop: warning: the level "severe" does not pass: .*--levels/);
  });

  it('use the levels of the setting, which the option overrides', async () => {
    const { detect } = await service(literal);
    const { env } = await configuration({ profiles: { default: { detect_levels: 'low<safe' } } });
    const code = async (...args: string[]) => (await detect(['low', ...args], { env })).code;
    expect(await code('--fail-on', 'safe')).toBe(0);
    expect(await code('--fail-on', 'high')).toBe(2);
    expect(await code('--fail-on', 'safe', '--levels', 'safe<low')).toBe(10);
    const bad = await configuration({ profiles: { default: { detect_levels: 'low' } } });
    expectFailure(await detect(['low'], bad), 3, 'it has only one level', 'mop help settings');
  });

  it('keep their exit code when the reader closes the pipe', async () => {
    const { detect } = await service();
    const closed = { stdoutError: 'EPIPE' };
    expect((await detect(['a', '--fail-on', 'low'], closed)).code).toBe(10);
    expect((await detect(['a'], closed)).code).toBe(0);
    const lines = await detect(
      ['a\nb\nc', '--lines', '--fail-on', 'low', '--concurrency', '1'],
      closed,
    );
    expect(lines.code).toBe(10);
    expect(lines.stderr).toContain('3 of 3 lines failed');
  });
});

describe('--rewrite', () => {
  it('prints only the safer text', async () => {
    const { detect } = await service(answer({ safe_rewrite: ' two\u0007\nlines ' }));
    expect((await detect(['a', '--rewrite'])).stdout).toBe(' two\u0007\nlines \n');
    expect((await detect(['a', '--rewrite'], { stdoutIsTerminal: true })).stdout).toBe(
      ' two<U+0007>\nlines \n',
    );
    expect((await detect(['a', '--rewrite', '--json'])).stdout).toBe('" two\\u0007\\nlines "\n');
  });

  it('is checked by a gate', async () => {
    const { detect } = await service();
    const { code, stdout } = await detect(['a', '--rewrite', '--fail-on', 'low']);
    expect([code, stdout]).toEqual([10, 'I can help, and so can others.\n']);
  });

  it.each([undefined, null])('is an error if it is %s', async (safe_rewrite) => {
    const { detect } = await service(answer({ safe_rewrite }));
    expectFailure(await detect(['a', '--rewrite']), 5, 'safe_rewrite is missing');
    const gated = await detect(['a', '--rewrite', '--fail-on', 'low']);
    expectFailure(gated, 10, 'stopped by --fail-on low');
  });

  it('prints strings in a batch', async () => {
    const { detect } = await service(literal);
    const { stdout } = await detect(['low 1\nlow 2', '--lines', '--rewrite']);
    expect(stdout).toBe('"safe low 1"\n"safe low 2"\n');
  });
});

it('needs a time zone only for the sandbox', async () => {
  const { detect } = await service();
  const env = { MOP_TIMEZONE: 'Nowhere' };
  expect((await detect(['a'], { env })).code).toBe(0);
  expectFailure(await detect(['a', '--env', 'sandbox'], { env }), 3, 'MOP_TIMEZONE is "Nowhere"');
});
