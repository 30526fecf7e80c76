import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';

import { jsonLines, literal, service } from './support.ts';

/** An answer of a chat API with a risky reply. */
const REPLY = JSON.stringify(
  {
    id: 'chatcmpl-0123456789012345678901234567890123456789',
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'You only need me.', refusal: null } },
      { index: 1, message: { role: 'assistant', content: 'The bus leaves at nine.' } },
    ],
    'a.b': { 'c.d': 'dotted', twice: 1 },
  },
  null,
  2,
);
const CONTENT = 'choices.0.message.content';
const HINT = `--field ${CONTENT} (other texts: id, object)`;

describe('--field', () => {
  it.each([
    [CONTENT, 'You only need me.'],
    ['choices.1.message.content', 'The bus leaves at nine.'],
    ['object', 'chat.completion'],
  ])('selects %s in one document', async (path, text) => {
    const { detect, texts } = await service();
    const args = ['--field', path];
    await detect([REPLY, ...args]);
    await detect([`@${await file(`\ufeff${REPLY}`)}`, ...args]);
    await detect(['-', ...args], { stdin: REPLY });
    expect(texts()).toEqual([text, text, text]);
  });

  it('prefers a field whose name is the rest of the path', async () => {
    const { detect, texts } = await service();
    await detect(['{"a":{"b":"nested"},"a.b":"dotted"}', '--field', 'a.b']);
    await detect(['{"x":[{"a.b":"last"}]}', '--field', 'x.0.a.b']);
    expect(texts()).toEqual(['dotted', 'last']);
  });

  it('says what is there instead, and which texts there are', async () => {
    const { detect, requests } = await service();
    await checkRows(
      [
        ['reply', 'is missing: the JSON has id, object, choices, a.b'],
        ['choices.2.message.content', 'is missing: "choices" is an array of 2'],
        ['choices.00', 'is missing: "choices" is an array of 2'],
        ['choices.0.text', 'is missing: "choices.0" has index, message'],
        [`${CONTENT}.text`, `is missing: "${CONTENT}" is a string`],
        ['choices.0.message.refusal', 'is not a string but null'],
        ['choices', 'is not a string but an array'],
        ['choices.0.index', 'is not a string but a number'],
        ['', 'is missing: the JSON has id'],
      ],
      async ([path, message]) => {
        const result = await detect([REPLY, '--field', path, '--fail-on', 'low']);
        expectFailure(result, 2, `the field ${JSON.stringify(path)} ${message}`, HINT);
      },
    );
    expect(requests).toEqual([]);
  });

  it.each([
    ['{}', 'the JSON is an empty object', 'no text that --field could select'],
    ['{"n":1,"a b":"x","c":" "}', 'the JSON has n, a b, c', 'no text that --field could select'],
    ['"text"', 'the JSON is a string', 'no text that --field could select'],
    ['{"x":{"t":"a","t":"b"}}', 'is missing: the JSON has x', '--field x.t'],
    ['{"text":"a"} {"text":"b"}', 'the input is not JSON: ', '--batch FILE'],
    ['', 'the input is not JSON: ', '--batch FILE'],
  ])('does not find a text in %s', async (document, message, hint) => {
    const { detect } = await service();
    expectFailure(await detect([document, '--field', 'text']), 2, message, hint);
  });

  it('refuses a field that appears twice: parsers take one or the other', async () => {
    const { detect } = await service();
    const args = ['{"x":{"t":"a","t":"b"}}', '--field', 'x.t'];
    expectFailure(await detect(args), 2, 'is ambiguous: "x.t" appears twice');
  });

  it('takes a path in JSON lines, and reports a record without it in its place', async () => {
    const { detect } = await service(literal);
    const record = (content: unknown) => JSON.stringify({ choices: [{ message: { content } }] });
    const stdin = [record('low 1'), record(null), '{"error":"overloaded"}', '[]'].join('\n');
    const args = ['--batch', '-', '--field', CONTENT, '--fail-on', 'high'];
    const result = await detect(args, { stdin });
    const [first, ...failed] = jsonLines(result.stdout);
    expect([result.code, first.risk_score]).toEqual([2, 1]);
    expect(failed.map(({ error }) => [error.message, error.hint])).toEqual([
      [
        `line 2: the field "${CONTENT}" is not a string but null`,
        expect.stringContaining('no text'),
      ],
      [
        `line 3: the field "${CONTENT}" is missing: the JSON has error`,
        'select the text, such as --field error',
      ],
      [`line 4: the field "${CONTENT}" is missing: the JSON is an array of 0`, expect.anything()],
    ]);
  });

  it('reads a document that is longer than a text may be', async () => {
    const { detect, texts } = await service();
    const document = JSON.stringify({ padding: 'x'.repeat(500_000), text: 'short' });
    await detect(['-', '--field', 'text'], { stdin: document });
    expect(texts()).toEqual(['short']);
    const long = { stdin: 'x'.repeat(16 * 1024 * 1024 + 1) };
    expectFailure(await detect(['-', '--field', 'text'], long), 2, 'at most 16 MiB');
  });

  it('names no place in the document in a report', async () => {
    const { detect } = await service();
    const sarif = join(await temporaryDirectory(), 'r.sarif');
    expect((await detect([REPLY, '--field', CONTENT, '--sarif', sarif])).code).toBe(0);
    const [run] = JSON.parse(await readFile(sarif, 'utf8')).runs;
    expect(run.results).not.toEqual([]);
    expect(JSON.stringify(run)).not.toContain('region');
  });
});

describe('a gate', () => {
  const gates = [
    ['--fail-on', 'critical'],
    ['--fail-score', '1000'],
  ];

  it.each([
    ['an API reply', REPLY, HINT],
    ['an object', ' {"text":"a"}\n', '--field text'],
    ['an array', '[{"text":"a"},{"text":"b"}]', '--field 0.text'],
    ['an array of numbers', '[1]', 'no text'],
    ['an empty object', '{}', 'no text'],
    ['JSON lines', '{"text":"a"}\n{"text":"b"}\n', '--batch FILE'],
    ['a reply that was cut off', REPLY.slice(0, 300), 'complete document'],
    ['an event stream', 'data: {"text":"a"}\n\ndata: [DONE]\n', 'complete document'],
    ['named events', 'event: delta\ndata: {"text":"a"}\n', 'complete document'],
    ['a list that was cut off', '[ {"text":"a"},', 'complete document'],
  ])('refuses %s as a text', async (_, text, hint) => {
    const { detect, requests } = await service();
    for (const gate of gates) {
      expectFailure(await detect(['-', ...gate], { stdin: text }), 2, 'JSON', hint);
      expectFailure(await detect([text, ...gate, '--dry-run']), 2, 'JSON', hint);
    }
    expect(requests).toEqual([]);
    const open = await detect([text]);
    expect([open.code, open.stderr]).toEqual([0, expect.stringMatching(/^mop: warning: .*JSON/)]);
  });

  it.each([
    '{curly} words',
    '[see below] I can help.',
    '"You only need me."',
    '7',
    'data: the numbers are in.',
    'null',
    '{',
    '[](',
  ])('takes %j for a text', async (text) => {
    const { detect } = await service();
    const result = await detect([text, '--fail-score', '1000']);
    expect([result.code, result.stderr]).toEqual([0, '']);
  });

  it('refuses lines that are JSON in their place, and without it warns once', async () => {
    const { detect, texts } = await service(literal);
    const lines = 'low 1\n{"text":"critical 99"}\n["critical 99"]\nlow 2';
    const gated = await detect([lines, '--lines', '--fail-on', 'high']);
    const [first, ...rest] = jsonLines(gated.stdout);
    expect([gated.code, first.risk_score, rest[2].risk_score]).toEqual([2, 1, 2]);
    expect(rest.slice(0, 2).map(({ error }) => [error.message, error.hint])).toEqual(
      [2, 3].map((line) => [
        `line ${line}: the text is JSON, not plain text`,
        expect.stringContaining('--batch FILE'),
      ]),
    );
    expect(texts().sort()).toEqual(['low 1', 'low 2']);
    const open = await (await service()).detect([lines, '--lines']);
    expect([open.code, open.stderr.match(/warning/g)]).toEqual([0, ['warning']]);
  });

  it('refuses the name of a file', async () => {
    const { detect, requests } = await service();
    const path = await file('You only need me.');
    for (const gate of gates) {
      for (const more of [gate, [...gate, '--lines'], ['--field', 'text']]) {
        expectFailure(await detect([path, ...more]), 2, 'is the name of a file', `write @${path}`);
      }
    }
    expect(requests).toEqual([]);
    const open = await detect([path]);
    expect([open.code, open.stderr]).toEqual([0, expect.stringContaining('is the name of a file')]);
    // A directory may have the name of a word.
    expect((await detect(['.', '--fail-score', '1000'])).code).toBe(0);
  });

  it('stops a risky reply within JSON, with the sandbox', async () => {
    const path = join(await temporaryDirectory(), 'reply.json');
    await writeFile(path, REPLY);
    const gate = ['detect', `@${path}`, '--fail-on', 'low', '--env', 'sandbox'];
    const refused = await mop(gate);
    expectFailure(refused, 2, 'the text is JSON', HINT);
    expect((await mop([...gate, '--field', CONTENT])).code).toBe(10);
    expect((await mop([...gate, '--field', 'choices.1.message.content'])).code).toBe(0);
  });

  it.each([
    ['{"risk_score":1,"results":[]}', 'overall_risk is missing'],
    ['{"overall_risk":null,"risk_score":1,"results":[]}', 'overall_risk is missing'],
    ['{"overall_risk":"none","risk_score":null,"results":[]}', 'risk_score is missing'],
    ['{"overall_risk":"none","risk_score":"1","results":[]}', 'risk_score is no number'],
    ['{"overall_risk":"none","risk_score":1}', 'results is missing'],
  ])('does not pass the answer %s', async (body, message) => {
    const { detect } = await service((_, response) => response.end(body));
    for (const gate of gates) expectFailure(await detect(['a', ...gate]), 5, message);
  });
});
