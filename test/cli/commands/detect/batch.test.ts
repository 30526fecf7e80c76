import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { parseXml } from '../../../detection/xml.ts';
import { errorOf, temporaryDirectory } from '../../../support/cli.ts';
import { expectFailure, file } from '../../support.ts';

import { answer, jsonLines, literal, service } from './support.ts';

describe('a batch', () => {
  it('takes JSON lines and keeps their order, for any order of answers', async () => {
    const { detect, requests } = await service(async (request, response, index) => {
      while (index === 0 && requests.length < 3) await new Promise((done) => setImmediate(done));
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
