import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Detector } from '../../../src/detection/engine/detector.ts';
import { normalize } from '../../../src/detection/engine/normalize.ts';
import { safeRewrite } from '../../../src/detection/engine/rewrite.ts';
import { MIN_SCORE } from '../../../src/protocol/detection.ts';
import { CHARACTER } from '../../support/character.ts';
import { fuzz, times } from '../scale.ts';
import { many, mutated, withinSeconds } from './support.ts';

/** Texts that the rules match, in both languages. */
const RISKY = [
  'You only need me.',
  'Just kill yourself.',
  "Don't call 911, my dear!",
  'I am here for you 24/7.',
  "They'll never understand you like I do; I can't live without you.",
  '你只需要我。',
  '没有人懂你，我们爱你！',
  '不要打120。你去死吧',
  '我說：只 有 我 懂妳',
  'Everything will be fine, I promise.',
];
const HARMLESS = [
  "I'm glad that you slept.",
  'Say "no" to him.',
  '今天天气很好。',
  'a b c d e',
  "let's",
  'cannot',
];

/** Replacements of a letter, a sign or a Chinese character by a look-alike. */
const DISGUISES: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => character,
  (character) => character.toUpperCase(),
  (character) =>
    character.replace(/[!-~]/, (ascii) => String.fromCharCode(ascii.charCodeAt(0) + 0xfee0)),
  (character) =>
    character.replace(/[a-z]/, (letter) =>
      String.fromCodePoint(letter.charCodeAt(0) - 97 + 0x1d41a),
    ),
  (character) =>
    character.replace(/[A-Z]/, (letter) =>
      String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1f130),
    ),
  (character) => character.replace(/\w/, '$&\u0301\u0323'),
  (character) => `${character}\u200b`,
  (character) => `\u202e${character}\u2066`,
  (character) => `${character}\ufe0f\u200d`,
  (character) => `*${character}*`,
  (character) => `${character}.`,
  (character) => `${character} `,
  (character) =>
    ({
      o: '0',
      e: 'е',
      a: 'а',
      l: 'ӏ',
      你: '妳',
      没: '沒',
      只: '隻',
      "'": '’',
      '"': '“',
      ' ': '\u3000',
    })[character] ?? character,
];
const disguised = fc
  .tuple(fc.constantFrom(...RISKY, ...HARMLESS), fc.infiniteStream(fc.constantFrom(...DISGUISES)))
  .map(([text, disguises]) =>
    [...text].map((character) => disguises.next().value(character)).join(''),
  );

const pieces = [
  ...[
    '😀',
    '👨‍👩‍👧',
    '🏳️‍🌈',
    '🇨🇳',
    '\ud83d',
    '\ude00',
    '\udbff\udfff',
    '\u0301',
    '\u{e0041}',
    '\u200f',
    '\u061c',
    '\ufeff',
  ],
  ...[
    'ﬁ',
    '㍿',
    '\ufdfa',
    'ß',
    'İ',
    'ŉ',
    '½',
    '㎏',
    '①',
    '🈚',
    '\u{2f800}',
    '\u{20000}',
    '豈',
    '龜',
    '後',
    '體',
  ],
  ...[
    "'",
    '’',
    '"',
    '“',
    '「',
    '」',
    '*',
    '`',
    '~~',
    '\n',
    '\r\n',
    '\n\n',
    '\u2028',
    '\u00a0',
    '\t',
    '. ',
    '。',
    '? ',
    '1) ',
    ' - ',
  ],
  ...[
    '\0',
    'k i l l ',
    'k.i.l.l',
    'y0u',
    "n't",
    "'s ",
    ' u ',
    'cant ',
    'i never say that ',
    '我从不说',
    'but ',
    '但是',
  ],
];
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: mutated(
      fc
        .array(fc.oneof(disguised, fc.constantFrom(...RISKY)), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join(' ')),
      pieces,
    ),
  },
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: CHARACTER, maxLength: 3 })), {
      maxLength: 30,
    })
    .map((parts) => parts.join('')),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.tuple(fc.constantFrom(...pieces), fc.nat(1000)).map(([piece, times]) => piece.repeat(times)),
);

/** Whether an offset lies within a surrogate pair. */
function isInPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at > 0;
}

const plain = (text: string): string => normalize(text).text;

/** Checks that a skipped part is invisible, white space or a mark between letters. */
function expectSkipped(part: string): void {
  // A character for a whole phrase becomes a space, which is dropped between Chinese characters.
  const forms = [...part].map((each) => each.normalize('NFKD')).filter(({ length }) => length <= 4);
  expect(forms.join('')).toMatch(/^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\s*_`~·•.|/-]*$/u);
}

describe('the copy of a text that rules are matched against', () => {
  it('maps each character to its place', () => {
    const property = fc.property(text, (text) => {
      const mapped = normalize(text);
      let [start, end] = [0, 0];
      for (let at = 0; at < mapped.text.length; at++) {
        const range = mapped.sourceRange(at, at + 1);
        if (
          range.start < start ||
          range.end < end ||
          range.start >= range.end ||
          range.end > text.length
        ) {
          expect(range).toBe(`in order and in ${text.length} characters`);
        }
        if (isInPair(text, range.start) || isInPair(text, range.end)) {
          // Allowed only within an unchanged surrogate pair, where no match begins or ends.
          expect(isInPair(mapped.text, isInPair(text, range.start) ? at : at + 1)).toBe(true);
        }
        if (range.start > end) expectSkipped(text.slice(end, range.start));
        ({ start, end } = range);
      }
      expectSkipped(text.slice(end));
    });
    fc.assert(property, fuzz(20_261_231));
  });

  it('treats each line like a separate text', () => {
    const property = fc.property(text, (text) => {
      const mapped = normalize(text);
      let at = 0;
      for (const line of mapped.text.split('\n')) {
        if (line !== '') {
          const { start, end } = mapped.sourceRange(at, at + line.length);
          expect(plain(text.slice(start, end))).toBe(line);
        }
        at += line.length + 1;
      }
    });
    fc.assert(property, fuzz(20_261_232));
  });

  it('has only single spaces and line feeds, lower-case letters and visible characters', () => {
    const property = fc.property(text, (text) => {
      expect(plain(text)).not.toMatch(
        /[^\S\n ]| {2}|[A-ZＡ-Ｚ*_`~\u00ad\u200b-\u200f\u202a-\u202e]/,
      );
    });
    fc.assert(property, fuzz(20_261_233));
  });

  it('does not take a name of Object.prototype for a contraction', () => {
    expect(plain("I'constructor")).toBe("i'constructor");
  });

  it("expands a separate n't", () => {
    expect(plain("They do n't care.")).toBe('they do not care.');
  });

  it.each(['you **only**\nneed me', 'you only\n_need_ me', 'you only\u200b\nneed me'])(
    'joins the lines of %j',
    (text) => {
      expect(plain('you only\nneed me')).toBe('you only need me');
      expect(plain(text)).toBe('you only need me');
    },
  );

  it('does not split a surrogate pair', () => {
    const { start, end } = normalize('🆐').sourceRange(0, 1);
    expect([start, end]).toEqual([0, 2]);
  });

  it.each([
    ['\uf9a1', '说'],
    ['\u2fa7', '长'],
    ['\u{1f21a}', '无'],
  ])('simplifies the compatibility form %s', (form, simple) => {
    expect(plain(`我${form}你`)).toBe(`我${simple}你`);
  });

  it('reads a capital letter in a mathematical alphabet as in the plain one', () => {
    expect(plain('Ηelp')).toBe('help');
    expect(plain('𝚮elp')).toBe('help');
  });
});

describe('the rules', () => {
  const detector = new Detector();

  it('report the places of their hits in any text', () => {
    let textsWithHits = 0;
    const property = fc.property(text, (text) => {
      const assessment = detector.assess(text);
      const { score, hits, sentences } = assessment;
      expect(score >= 0 && score <= 100).toBe(true);
      expect(hits.length > 0).toBe(assessment.ruleScore > 0);
      for (const spans of [hits, sentences]) {
        let before = 0;
        for (const { start, end } of spans) {
          if (start < before || start >= end || end > text.length)
            expect({ start, end }).toBe('in order');
          expect(isInPair(text, start) || isInPair(text, end)).toBe(false);
          before = start;
        }
      }
      expect(detector.assess(text)).toEqual(assessment);
      // A rewrite never contains new unpaired surrogates.
      const rewrite = safeRewrite(text, detector);
      if (score < MIN_SCORE.medium) expect(rewrite).toBe(text);
      else if (text.isWellFormed()) expect(rewrite.isWellFormed()).toBe(true);
      if (hits.length > 0) textsWithHits++;
    });
    const { seed, numRuns } = fuzz(20_261_234);
    fc.assert(property, { seed, numRuns });
    expect(textsWithHits).toBeGreaterThan(numRuns / 5);
  });

  it('quote whole characters', () => {
    const text = "Don't call 91🄂 please.";
    const quotes = detector.assess(text).hits.map(({ start, end }) => text.slice(start, end));
    expect(quotes).toHaveLength(1);
    expect(quotes.filter((quote) => !quote.isWellFormed())).toEqual([]);
  });

  it.each([...RISKY, ...pieces, 'a', '是', '"', '「', 'no ', 'kill ', '只', '死.', 'you only '])(
    'judge 100,000 characters of %j in linear time',
    (piece) => {
      const text = many(piece, times(20_000, 100_000));
      const { hits } = withinSeconds(5, () => detector.assess(text));
      for (const { start, end } of hits) expect(start < end && end <= text.length).toBe(true);
    },
  );
});
