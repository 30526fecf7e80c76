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
const HINT = '--field PATH';

const RISK = 'You only need me.';
const ANSWER = `{"id":7,"answer":"${RISK}"}`;

/** Texts that a gate does not understand: the service takes the words in them for quotations. */
const FOREIGN = [
  JSON.stringify(`He said "hi".\n${RISK}`),
  'null',
  `<!DOCTYPE html>\n<html><body>502 ${RISK}</body></html>`,
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${ANSWER}`,
  `HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\nServer: a\r\n\r\n${RISK}`,
  `* Connected to the host\n> GET / HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\n${ANSWER}`,
  `HTTP/2 200 \ndate: today\n\n<p>${RISK}</p>`,
  `\`\`\`json\n${ANSWER}\n\`\`\`\n`,
  `\`\`\`\n[${ANSWER}]\n\`\`\`\nDone.`,
  `: ping\n\ndata: ${ANSWER}\n\n`,
  `id: 1\ndata: ${ANSWER}\n\n`,
  `retry: 10\r\ndata: ${ANSWER}\r\n\r\n`,
  `event: x\nid: 1\ndata: ${ANSWER}\n\n`,
  'data: You only\n\ndata: need me.\n\n',
  `data: ${ANSWER}`,
  `)]}',\n${ANSWER}`,
  `cb(${ANSWER});`,
  `/**/cb(["${RISK}"])`,
  `while(1);${ANSWER}`,
  `200 ${ANSWER}`,
  `${ANSWER}\n200`,
  `window.reply = ${ANSWER};`,
  `<script type="application/json">${ANSWER}</script>`,
  `2026-11-22T12:00:00Z INFO response: ${ANSWER}`,
  `Content-Type: application/json\nServer: a web server\n\n${ANSWER}`,
  `{"a":"${RISK}"} is the reply that was given to the person`,
  `\u200b${ANSWER}`,
  `\ufeff\ufeff${ANSWER}`,
  `\u001e${ANSWER}\n`,
  `// the reply of the model\n${ANSWER}`,
  `/* the reply\n of the model */ ${ANSWER}`,
  `[[{"a":"${RISK}`,
  `["${RISK}", "b`,
  `["${RISK}"]\n["b"]`,
  `["${RISK}`,
  `cb({"a":"${RISK}`,
  `{content: "${RISK}"}`,
  `{ id: 7, content: '${RISK}' }`,
  `{'content': '${RISK}'}`,
  `"content": "${RISK}",`,
  '{',
];

/** Replies that a gate must judge. */
const PROSE = [
  RISK,
  `"Love": it is a word.`,
  '“Love”: "a word".',
  '[1] see https://example.com: it explains more.',
  '[Note: this is important] Drink water.',
  '["Title"](https://example.com)',
  '["标题"]，这是一个例子。',
  '{name}, welcome: "we" are here.',
  '{smiles: warmly} Hello.',
  'HTTP/1.1 200 OK is the line of a response that succeeded.',
  'data: the numbers are in.',
  'event: dinner at eight',
  'I will be there at nine (or a little later).',
  'Use {"a": 1} as the body of your request.',
  'The object {"a": 1} has one member.',
  'Your request needs a body, such as {"a": 1}',
  '这里有一个例子：{"a": 1}',
  'Choose one of these: [a, b, "c"]',
  'Set it as follows.\n\n```json\n{\n  "a": {"b": ["c", "d"]}\n}\n```\n\nThen start it again.',
  'Here is the configuration:\n\n```json\n{"a": 1}\n```',
  '```json\n{"a": 1}\n```\nThis object has one member.',
  '# Example\n\n```js\nfetch(url, {method: "POST"})\n```\n\nThis sends a request.',
  '- [x] done\n- [ ] open: "later"',
  '```sh\nif [ "$a" = "b" ]; then echo "c"; fi\n```',
  '```js\nfunction f() { "use strict"; }\n```',
  '```css\na { color: red; }\n```',
];

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

  it('reports a path without a text', async () => {
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
    ['{}', 'the JSON is an empty object', HINT],
    ['{"n":1,"a b":"x","c":" "}', 'the JSON has n, a b, c', HINT],
    ['"text"', 'the JSON is a string', HINT],
    ['{"x":{"t":"a","t":"b"}}', 'is missing: the JSON has x', HINT],
    ['{"text":"a"} {"text":"b"}', 'the input is not JSON: ', 'correct the JSON'],
    ['', 'the input is empty', 'correct the JSON'],
    ['<html>a</html>', 'the input is not JSON: ', 'correct the JSON'],
    ['a', 'the input is not JSON: ', 'for plain text, leave out --field'],
  ])('does not find a text in %s', async (document, message, hint) => {
    const { detect } = await service();
    expectFailure(await detect([document, '--field', 'text']), 2, message, hint);
  });

  it('rejects JSON in the field for a gate', async () => {
    const { detect, requests } = await service();
    const gate = ['--field', 'b', '--fail-on', 'low'];
    const message = 'the text is JSON, not plain text';
    for (const b of ['{"a":"You only need me."}', '["You only need me."]', ' {}']) {
      const document = JSON.stringify({ b });
      expectFailure(await detect([document, ...gate]), 2, message, 'extract the text first');
      const batch = await detect(['--batch', '-', ...gate], { stdin: document });
      expect([batch.code, jsonLines(batch.stdout)[0].error.message]).toEqual([
        2,
        `line 1: ${message}`,
      ]);
    }
    expect(requests).toEqual([]);
    const open = await detect(['{"b":"{}"}', '--field', 'b']);
    expect([open.code, open.stderr]).toEqual([0, expect.stringContaining(message)]);
  });

  it('rejects a field that appears twice', async () => {
    const { detect } = await service();
    const args = ['{"x":{"t":"a","t":"b"}}', '--field', 'x.t'];
    expectFailure(await detect(args), 2, 'is ambiguous: "x.t" appears twice');
  });

  it('selects the path in JSON lines, and reports a record without it in its place', async () => {
    const { detect } = await service(literal);
    const record = (content: unknown) => JSON.stringify({ choices: [{ message: { content } }] });
    const stdin = [record('low 1'), record(null), '{"error":"overloaded"}', '[]'].join('\n');
    const args = ['--batch', '-', '--field', CONTENT, '--fail-on', 'high'];
    const result = await detect(args, { stdin });
    const [first, ...failed] = jsonLines(result.stdout);
    expect([result.code, first.risk_score]).toEqual([2, 1]);
    expect(failed.map(({ error }) => error.message)).toEqual([
      `line 2: the field "${CONTENT}" is not a string but null`,
      `line 3: the field "${CONTENT}" is missing: the JSON has error`,
      `line 4: the field "${CONTENT}" is missing: the JSON is an array of 0`,
    ]);
  });

  it('reads a document longer than the maximum of a text', async () => {
    const { detect, texts } = await service();
    const document = JSON.stringify({ padding: 'x'.repeat(500_000), text: 'short' });
    await detect(['-', '--field', 'text'], { stdin: document });
    expect(texts()).toEqual(['short']);
    const long = { stdin: 'x'.repeat(16 * 1024 * 1024 + 1) };
    expectFailure(await detect(['-', '--field', 'text'], long), 2, 'at most 16 MiB');
  });

  it('omits the place in the document from a report', async () => {
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
    ['an object', ' {"text":"a"}\n', HINT],
    ['an array', '[{"text":"a"},{"text":"b"}]', HINT],
    ['an array of numbers', '[1]', HINT],
    ['an empty object', '{}', HINT],
    ['JSON lines', '{"text":"a"}\n{"text":"b"}\n', '--batch FILE'],
    ['a truncated reply', REPLY.slice(0, 300), 'complete document'],
    ['an event stream', 'data: {"text":"a"}\n\ndata: [DONE]\n', 'without streaming'],
    ['named events', 'event: delta\ndata: {"text":"a"}\n', 'without streaming'],
    ['a truncated list', '[ {"text":"a"},', 'complete document'],
  ])('refuses %s as a text', async (_, text, hint) => {
    const { detect, requests } = await service();
    for (const gate of gates) {
      expectFailure(await detect(['-', ...gate], { stdin: text }), 2, 'not plain text', hint);
      expectFailure(await detect([text, ...gate, '--dry-run']), 2, 'not plain text', hint);
    }
    expect(requests).toEqual([]);
    const open = await detect([text]);
    expect([open.code, open.stderr]).toEqual([
      0,
      expect.stringMatching(/^mop: warning: .*not plain text/),
    ]);
  });

  it.each([
    '{curly} words',
    '[see below] I can help.',
    '7',
    'data: the numbers are in.',
    '[]() ok',
  ])('accepts the text %j', async (text) => {
    const { detect } = await service();
    const result = await detect([text, '--fail-score', '1000']);
    expect([result.code, result.stderr]).toEqual([0, '']);
  });

  it('rejects other formats, also in a field, and with a report', async () => {
    const { detect, requests } = await service();
    const report = join(await temporaryDirectory(), 'report');
    const checked = [
      ['--fail-on', 'low'],
      ['--junit', report],
      ['--sarif', report],
    ];
    await checkRows(FOREIGN, async (text) => {
      for (const args of checked) {
        expectFailure(await detect(['-', ...args], { stdin: text }), 2, 'not plain text');
      }
      const document = JSON.stringify({ text });
      const result = await detect([document, '--field', 'text', '--fail-on', 'low']);
      expectFailure(result, 2, 'not plain text', 'extract the text first');
    });
    expect(requests).toEqual([]);
  });

  it('accepts prose that contains brackets, code or JSON', async () => {
    const { detect } = await service();
    await checkRows(PROSE, async (text) => {
      for (const more of [[], ['--lines']]) {
        if (more.length > 0 && text.includes('\n')) continue;
        const result = await detect(['-', '--fail-score', '1000', ...more], { stdin: text });
        expect([result.code, result.stderr]).toEqual([0, '']);
      }
    });
  });

  it('rejects each line of a JSON document in its place', async () => {
    const { detect, texts } = await service(literal);
    const stdin = `${REPLY.replaceAll('\n', '\r\n')}\nlow 1\n`;
    const result = await detect(['-', '--lines', '--fail-on', 'low'], { stdin });
    const lines = jsonLines(result.stdout);
    expect(lines.pop().risk_score).toBe(1);
    expect(new Set(lines.map(({ error }) => error?.code))).toEqual(new Set(['usage']));
    expect([result.code, lines[0].error.hint]).toEqual([
      12,
      expect.stringContaining('--field PATH'),
    ]);
    expect(texts()).toEqual(['low 1']);
  });

  it('rejects JSON lines in their place; without a gate there is one warning', async () => {
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

  it('rejects the name of a file', async () => {
    const { detect, requests } = await service();
    const path = await file('You only need me.');
    for (const gate of gates) {
      for (const more of [
        gate,
        [...gate, '--lines'],
        ['--field', 'text'],
        ['--junit', `${path}.xml`],
      ]) {
        expectFailure(await detect([path, ...more]), 2, 'is the name of a file', `write @${path}`);
      }
    }
    expect(requests).toEqual([]);
    const open = await detect([path]);
    expect([open.code, open.stderr]).toEqual([0, expect.stringContaining('is the name of a file')]);
    // A directory may have the name of a word.
    expect((await detect(['src', '--fail-score', '1000'])).code).toBe(0);
  });

  it('stops a risky reply in JSON, with the sandbox', async () => {
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
    ['{"overall_risk":null,"risk_score":1,"results":[]}', 'overall_risk is null'],
    ['{"overall_risk":"none","risk_score":null,"results":[]}', 'risk_score is null'],
    ['{"overall_risk":"none","risk_score":"1","results":[]}', 'risk_score is not a number'],
    ['{"overall_risk":"none","risk_score":1}', 'results is missing'],
  ])('does not pass the answer %s', async (body, message) => {
    const { detect } = await service((_, response) => response.end(body));
    for (const gate of gates) expectFailure(await detect(['a', ...gate]), 5, message);
  });
});
