import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { parseXml } from '../../../detection/xml.ts';
import { errorOf, temporaryDirectory } from '../../../support/cli.ts';
import { expectFailure, file } from '../../support.ts';

import { answer, jsonLines, literal, service } from './support.ts';

describe('a batch', () => {
  it('takes JSON lines and keeps their order, for any order of answers', async () => {
    const { detect, requests } = await service(async (request, response, index) => {
      if (index === 0)
        await vi.waitFor(() => expect(requests).toHaveLength(3), { timeout: 30_000 });
      literal(request, response, index);
    });
    const stdin = '{"text":"low 1"}\n\n{"text":"low 2","x":1,"x":2}\r\n{"a":1,"text":"low 3"}';
    const result = await detect(['--batch', '-', '--concurrency', '3'], { stdin });
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(jsonLines(result.stdout).map(({ risk_score }) => risk_score)).toEqual([1, 2, 3]);
  });

  it('keeps at most --concurrency texts in flight', async () => {
    let [inFlight, most] = [0, 0];
    const { detect } = await service(async (request, response, index) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      literal(request, response, index);
    });
    await detect(['low 1\n'.repeat(20), '--lines', '--concurrency', '3']);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it.each([
    [
      'a file of JSON lines',
      (path: string) => ['--batch', path],
      '{"text":"a "}\n{"text":"b\\n"}\n',
      ['a ', 'b\n'],
    ],
    [
      'another field',
      (path: string) => ['--batch', path, '--field', 'reply'],
      '{"reply":"a"}',
      ['a'],
    ],
    [
      'a file of lines',
      (path: string) => ['--batch', path, '--lines'],
      'a \r\n b\n\n{"c":1}',
      ['a ', ' b', '{"c":1}'],
    ],
    ['@FILE with --lines', (path: string) => [`@${path}`, '--lines'], 'a\nb\r\r\n', ['a', 'b\r']],
  ])('takes %s', async (_, args, content, expected) => {
    const { detect, texts } = await service();
    const { code } = await detect([...args(await file(content)), '--concurrency', '1']);
    expect([code, texts()]).toEqual([0, expected]);
  });

  it.each([
    ['-', '--lines'],
    ['--batch', '-', '--lines'],
  ])('takes lines of stdin: %s %s', async (...args) => {
    const { detect, texts } = await service();
    await detect([...args.filter(Boolean), '--concurrency', '1'], { stdin: 'a\r\nb' });
    expect(texts()).toEqual(['a', 'b']);
  });

  it('reports an invalid record in its place and continues', async () => {
    const { detect, requests } = await service((request, response, index) =>
      JSON.parse(request.body).text === 'refused'
        ? response.writeHead(400).end('{"error":{"code":"bad_text","message":"no"}}')
        : literal(request, response, index),
    );
    const records = [
      '{"text":"low 1"}',
      'nothing',
      '["low 2"]',
      '{"txt":"low 3"}',
      '{"text":7}',
      '{"text":"low 3","text":"critical 99"}',
      '{"text":" "}',
      '{"text":"refused"}',
      '{"text":"low 4"}',
    ];
    const result = await detect(['--batch', '-'], { stdin: records.join('\n') });
    const [first, ...rest] = jsonLines(result.stdout);
    expect([first.risk_score, rest.at(-1).risk_score]).toEqual([1, 4]);
    expect(rest.slice(0, -1).map(({ error }) => [error.code, error.message])).toEqual([
      ['usage', expect.stringContaining('line 2: the input is not JSON: ')],
      ['usage', 'line 3: the field "text" is missing: the JSON is an array of 1'],
      ['usage', 'line 4: the field "text" is missing: the JSON has txt'],
      ['usage', 'line 5: the field "text" is not a string but a number'],
      ['usage', 'line 6: the field "text" is ambiguous: "text" appears twice'],
      ['usage', 'line 7: the text is empty'],
      ['api', expect.stringContaining('HTTP 400: bad_text: no')],
    ]);
    expect(result.code).toBe(12);
    expect(result.stderr).toContain('mop: 7 of 9 lines failed, for example: line 2: ');
    expect(requests).toHaveLength(3);
  });

  it('prints every text, and exits with the code of the gate', async () => {
    const { detect } = await service(literal);
    const text = 'low 1\nhigh 72\nodd 0\ncritical 90';
    const result = await detect([text, '--lines', '--fail-on', 'high']);
    expect(jsonLines(result.stdout)).toHaveLength(4);
    expect(result.code).toBe(10);
    const [warning, message] = result.stderr.split('\n');
    expect(warning).toBe(
      'mop: warning: line 3: the level "odd" does not pass: it is not one of none < low < medium < high < critical; --levels sets the order',
    );
    expect(message).toBe(
      'mop: 3 of 4 lines failed, for example: line 2: the risk is high with a score of 72: stopped by --fail-on high',
    );
  });

  it('without records fails a gate, and its report is empty', async () => {
    const { detect } = await service();
    const junit = join(await temporaryDirectory(), 'r.xml');
    for (const stdin of ['', '\n \n']) {
      const [gate, score] = [
        ['--fail-on', 'low'],
        ['--fail-score', '1'],
      ] as const;
      for (const more of [gate, score, ['--junit', junit]]) {
        const result = await detect(['-', '--lines', ...more], { stdin });
        expectFailure(result, 2, 'there was nothing to check');
      }
      expect(await detect(['-', '--lines'], { stdin })).toMatchObject({ code: 0, stderr: '' });
    }
    expect(parseXml(await readFile(junit, 'utf8')).attributes.tests).toBe('0');
  });

  it('exits with the code of the gate even if rewrites are missing', async () => {
    const { detect } = await service(answer({ safe_rewrite: undefined }));
    const junit = join(await temporaryDirectory(), 'r.xml');
    const args = ['a\nb', '--lines', '--rewrite'];
    const open = await detect(args);
    expect(jsonLines(open.stdout).map(({ error }) => error.code)).toEqual(['api', 'api']);
    expect(open.code).toBe(5);
    const gated = await detect([...args, '--fail-on', 'low', '--junit', junit]);
    expect(jsonLines(gated.stdout).map(({ error }) => error.code)).toEqual(['risk', 'risk']);
    expect(gated.code).toBe(10);
    expect(parseXml(await readFile(junit, 'utf8')).attributes.failures).toBe('2');
  });

  it('exits with 12 when a gate and a record fail', async () => {
    const { detect } = await service(literal);
    const stdin = '{"text":"high 72"}\n{}\n';
    const result = await detect(['--batch', '-', '--fail-on', 'high', '--json'], { stdin });
    expect([result.code, errorOf(result).code]).toEqual([12, 'mixed']);
  });

  it('warns once of a failed model', async () => {
    const ai_analysis = { status: 'error', error: { code: 'http', message: 'HTTP 500' } };
    const { detect } = await service(answer({ ai_analysis }));
    const { stderr } = await detect(['a\nb\nc', '--lines']);
    expect(stderr.match(/warning: line 1: the model failed: http: HTTP 500/g)).toHaveLength(1);
    expect(stderr.match(/warning/g)).toHaveLength(1);
  });

  it('ends immediately for closed output without a gate', async () => {
    const { detect, requests } = await service();
    const lines = 'a\n'.repeat(500);
    const result = await detect([lines, '--lines'], { stdoutError: 'EPIPE' });
    expect(result.code).toBe(0);
    expect(requests.length).toBeLessThan(100);
  });

  it('ends after a signal, even with endless input, and writes no report', async () => {
    const controller = new AbortController();
    const { detect } = await service((request, response, index) => {
      if (index === 2) controller.abort(new MopError('interrupted', 'interrupted'));
      literal(request, response, index);
    });
    const directory = await temporaryDirectory();
    // More may come at any time.
    const stdin = new PassThrough();
    stdin.write('low 1\n'.repeat(100));
    const result = await detect(
      ['-', '--lines', '--concurrency', '1', '--junit', join(directory, 'r.xml')],
      { stdin, signal: controller.signal },
    );
    expect(result.code).toBe(130);
    expect(await readdir(directory)).toEqual([]);
  });

  it('does not read ahead of its requests', async () => {
    let [produced, answered, most] = [0, 0, 0];
    const { detect } = await service((request, response, index) => {
      most = Math.max(most, produced - answered++);
      literal(request, response, index);
    });
    const stdin = Readable.from(
      (function* () {
        for (; produced < 1_000; produced++) yield Buffer.from(`low ${produced % 25}\n`);
      })(),
      { highWaterMark: 1 },
    );
    const result = await detect(['-', '--lines', '--fail-on', 'high'], { stdin });
    expect([result.code, answered]).toEqual([0, 1_000]);
    expect(most).toBeLessThan(100);
  });
});

describe('each result of a batch', () => {
  it('begins with the line and the id of its record', async () => {
    const { detect } = await service(literal);
    const stdin = [
      '{"id":"a1","text":"low 1"}',
      '',
      '{"id":9007199254740993,"text":"low 2"}',
      '{"text":"low 3"}',
      '{"id":"a5"}',
      '["low 6"]',
      '{"id":{"x":1.50},"text":"high 7"}',
    ].join('\n');
    const result = await detect(['--batch', '-', '--fail-on', 'high'], { stdin });
    const lines = result.stdout.trimEnd().split('\n');
    expect(lines.map((line) => /^.*?"(?:text|error)"/.exec(line)?.[0])).toEqual([
      '{"line":1,"id":"a1","text"',
      '{"line":3,"id":9007199254740993,"text"',
      '{"line":4,"text"',
      '{"line":5,"id":"a5","error"',
      '{"line":6,"error"',
      '{"line":7,"id":{"x":1.50},"text"',
    ]);
    expect(result.code).toBe(12);
  });

  it('replaces a line and an id of the answer', async () => {
    const { detect } = await service(answer({ line: 70, id: 'of the answer' }));
    const stdin = '{"id":"a1","text":"a"}\n{"text":"b"}';
    const { stdout } = await detect(['--batch', '-'], { stdin });
    expect(stdout.match(/"line":/g)).toHaveLength(2);
    expect(jsonLines(stdout)).toMatchObject([
      { line: 1, id: 'a1', overall_risk: 'high' },
      { line: 2, id: 'of the answer', overall_risk: 'high' },
    ]);
  });

  it('has the line with --lines', async () => {
    const { detect } = await service(literal);
    const { stdout } = await detect(['low 1\n\n{"id":2}', '--lines']);
    expect(jsonLines(stdout).map(({ line, id }) => [line, id])).toEqual([
      [1, undefined],
      [3, undefined],
    ]);
  });
});

describe('the table of a batch on a terminal', () => {
  const stdin = [
    '{"id":"a1","text":"high 72"}',
    '{"id":2,"text":"low 3 只有我理解你，只有我能帮助你，别人都不会明白你的心情，也不会像我一样爱你"}',
    '{"id":3}',
    '{"text":"none 0 \\u001b[2J and a longer text of many words that a terminal must cut"}',
  ].join('\n');
  const terminal = { stdin, stdoutIsTerminal: true, env: { NO_COLOR: '1' } };
  /** Chinese is twice as wide. */
  const widthOf = (line: string) =>
    [...line].reduce((sum, each) => sum + (/[\u3000-\uffee]/.test(each) ? 2 : 1), 0);

  it.each([44, 60, 100])('has a row for each line, cut to %d columns', async (columns) => {
    const { detect } = await service(literal);
    const result = await detect(['--batch', '-'], { ...terminal, columns });
    const [headings, ...rows] = result.stdout.trimEnd().split('\n');
    expect(headings).toMatch(/^ LINE {2}LEVEL +SCORE {2}TEXT$/);
    expect(rows.map((row) => row.slice(0, 30))).toEqual([
      '    1  high         72  a1: hi',
      '    2  low           3  2: low',
      '    3  failed        -  the fi',
      '    4  none          0  none 0',
    ]);
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
    expect(widthOf(rows[1] ?? '')).toBeGreaterThan(columns - 3);
    expect(result.stdout).not.toContain('\u001b');
    expect(result.code).toBe(2);
  });

  it('colours the level', async () => {
    const { detect } = await service(literal);
    const { stdout } = await detect(['--batch', '-'], { stdin, stdoutIsTerminal: true });
    expect(stdout).toContain('    1  \u001b[31mhigh\u001b[39m         72  a1: high 72\n');
  });

  it('is not printed with --json, --quiet or --rewrite', async () => {
    const { detect } = await service(literal);
    const { stdout } = await detect(['--batch', '-', '--json', '--no-color'], terminal);
    expect(jsonLines(stdout).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect((await detect(['--batch', '-', '--quiet'], terminal)).stdout).toBe('');
    const rewritten = await detect(['--batch', '-', '--rewrite', '--no-color'], terminal);
    expect(rewritten.stdout).toMatch(/^"safe high 72"\n/);
  });

  it('redacts a secret before a row is cut', async () => {
    const secret = 'Bearer canary-0123456789-0123456789-0123456789';
    const { detect } = await service((_, response) =>
      response.writeHead(400).end(JSON.stringify({ error: { code: 'x', message: secret } })),
    );
    const argv = ['--batch', '-', '-H', `Authorization: ${secret}`];
    for (const columns of [60, 70, 80, 90, 100, 200]) {
      const { stdout } = await detect(argv, { ...terminal, stdin: '{"text":"a"}', columns });
      expect(stdout).toContain('failed');
      expect(stdout).not.toContain('canary');
    }
  });
});
