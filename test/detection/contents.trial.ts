import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentsOf } from '../../src/detection/contents/contents.ts';
import { MAX_TEXT_LENGTH } from '../../src/protocol/detection.ts';
import { checkRows } from '../support/rows.ts';
import { withinSeconds } from '../trials/fuzz/support.ts';
import { RISK, RISK_ZH, resultOf, scoreOf, WRAPPINGS } from './wrappings.ts';

it('fails a risky text in each notation inside each other one', async () => {
  const wrappings = Object.entries(WRAPPINGS);
  const pairs = [RISK, RISK_ZH].flatMap((risk) =>
    wrappings.flatMap(([inner, wrap]) =>
      wrappings.map(([outer, wrapAgain]) => ({
        name: `${inner} in ${outer}`,
        text: wrapAgain(wrap(risk)),
      })),
    ),
  );
  await checkRows(
    pairs,
    ({ text }) => expect(resultOf(text)).not.toBe('passed'),
    ({ name, text }) => `${name}: ${text}`,
  );
});

it('raises no alarm in the texts of the training data, and refuses none', async () => {
  const texts = ['held-out', 'written', 'public'].flatMap((name) => {
    const file = new URL(`../../training/data/${name}.jsonl`, import.meta.url);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line): string => JSON.parse(line).text);
  });
  let unwrapped = 0;
  await checkRows(texts, (text) => {
    const contents = contentsOf(text);
    if (contents.length === 0) return;
    unwrapped++;
    const high = (score: number) => score >= 50;
    const inner = contents.map((content) => scoreOf(content.text));
    expect(high(Math.max(...inner)) && !high(scoreOf(text))).toBe(false);
  });
  expect(unwrapped / texts.length).toBeLessThan(0.002);
});

/** Beginnings and ends of notations. */
const PIECES = [
  '<!--',
  '<a ',
  '&#1',
  '%4',
  '=\n',
  '=41',
  '\\u0041',
  'a+b=',
  '=?utf-8?q?',
  'AAAAAAAAAAAAAAAA\n',
  'A1bAAAAAAAAAAAAA/',
  '41 ',
  '1, ',
  '- ',
  'a: "b\n',
  'a: |\n',
  'INFO "a" ',
  '[\n',
  '{"a":',
  '="',
  ',"',
  '"""',
  '"+"',
  '--a\n',
  'a\u200b',
  '\u{e0041}',
  '```\n',
  '0x41,',
  '&#x',
  "'a' ",
  "a'",
  '\u001b]',
  '\u200b\u200c',
  '-a "',
];

it('takes at most seconds for any piece, repeated to the longest text', async () => {
  await checkRows(PIECES, (piece) => {
    const text = piece.repeat(MAX_TEXT_LENGTH / [...piece].length);
    const start = process.cpuUsage();
    try {
      withinSeconds(60, () => contentsOf(text));
    } catch (error) {
      expect(error).toMatchObject({ code: 'usage' });
    }
    const { user, system } = process.cpuUsage(start);
    expect(user + system).toBeLessThan(5_000_000);
  });
});
