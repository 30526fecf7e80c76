import fc from 'fast-check';
import { CHARACTER } from '../../support/character.ts';

/** A text that is JSON. */
export interface Json {
  readonly text: string;
  /** With unchanged order, duplicates and digits, and one spelling of each character. */
  readonly compact: string;
}

const space = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 }),
);

/** A JSON string token, with every spelling of a character. */
const stringToken = fc
  .array(
    fc.oneof(
      fc.string({ unit: CHARACTER, maxLength: 4 }).map((text) => text.replace(FORBIDDEN, '')),
      fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
      fc.constantFrom('\u2028', '\u007f', '\ufeff', '\u00a0', '\ud83d', '\ude95', '🚕', '杭', "'"),
      fc
        .tuple(
          fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x22, 0xd83d, 0xde95)),
          fc.boolean(),
        )
        .map(([code, upper]) => {
          const digits = code.toString(16).padStart(4, '0');
          return `\\u${upper ? digits.toUpperCase() : digits}`;
        }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join('')}"`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain these characters.
const FORBIDDEN = /[\u0000-\u001f"\\]/g;

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 30 });
const numberToken = fc.oneof(
  fc.constantFrom('-0', '0', '-0.0', '1.0', '1E+400', '1e-400', '-1e0', '0e0', '0.10', '1E00'),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.oneof(
        fc.constant('0'),
        digits.map((text) => `9${text}`),
      ),
      fc.oneof(
        fc.constant(''),
        digits.map((text) => `.${text}`),
      ),
      fc.oneof(
        fc.constant(''),
        fc.tuple(fc.constantFrom('e', 'E-', 'E+'), digits).map((e) => e.join('')),
      ),
    )
    .map((parts) => parts.join('')),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc
    .oneof(numberToken, fc.constantFrom('true', 'false', 'null'))
    .map((text) => ({ text, compact: text })),
  stringToken.map(compactString),
);
const name = fc.oneof(
  fc.constantFrom('"__proto__"', '"a"', '"\\u0061"', '"10"', '"2"', '"-1"', '""', '"constructor"'),
  stringToken,
);

function compactString(text: string): Json {
  return { text, compact: JSON.stringify(JSON.parse(text)) };
}

function joined(open: string, items: readonly Json[], close: string, gap: string): Json {
  return {
    text: `${open}${gap}${items.map(({ text }) => text).join(`${gap},`)}${close}`,
    compact: `${open}${items.map(({ compact }) => compact).join(',')}${close}`,
  };
}

const { value } = fc.letrec<{ value: Json; member: Json }>((tie) => ({
  value: fc
    .tuple(
      space,
      fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        scalar,
        fc
          .tuple(fc.array(tie('value'), { maxLength: 5 }), space)
          .map(([items, gap]) => joined('[', items, ']', gap)),
        fc
          .tuple(fc.array(tie('member'), { maxLength: 5 }), space)
          .map(([members, gap]) => joined('{', members, '}', gap)),
      ),
      space,
    )
    .map(([before, { text, compact }, after]) => ({ text: before + text + after, compact })),
  member: fc
    .tuple(space, name.map(compactString), space, tie('value'))
    .map(([gap, name, end, value]) => ({
      text: `${gap}${name.text}${end}:${value.text}`,
      compact: `${name.compact}:${value.compact}`,
    })),
}));

/** JSON with any structure, white space, escapes, digits and names. */
export const randomJson: fc.Arbitrary<Json> = value;
