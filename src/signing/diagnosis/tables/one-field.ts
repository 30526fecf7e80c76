import { COMMON_FIELDS, HEADER_OF_FIELD } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, RARE, UNCOMMON, type Variant, VERY_RARE } from '../mistake.ts';
import { fieldText, RIGHT_STYLE } from '../print-style.ts';
import { type Row, shownText, table } from '../steps.ts';

/** Another text of a single field. */

/** Words that languages print for a missing value. An empty text may also be a truncated string. */
const MISSING_VALUES: readonly (readonly [word: string, cost: number])[] = [
  ['', UNCOMMON],
  ['null', 4],
  ['undefined', 4],
  ...['None', '<nil>', 'nil', '[object Object]', 'NaN', 'false', '0'].map(
    (word): [string, number] => [word, RARE],
  ),
];

/** Placeholders of templates, for a variable that was not replaced. */
const PLACEHOLDERS: readonly ((name: string) => string)[] = [
  (name) => `{{${name}}}`,
  (name) => `{{ ${name} }}`,
  (name) => `\${${name}}`,
  (name) => `{${name}}`,
  (name) => `$${name}`,
  (name) => `{{$${name}}}`,
  (name) => `#{${name}}`,
  (name) => `:${name}`,
  (name) => `<${name}>`,
  (name) => `%${name}%`,
];

const LOST_FIX = 'sign the value that is sent, and do not change it after signing';

/** A single field signed without its value. */
export function lostValues(evidence: Evidence): readonly Variant[] {
  return businessFields(evidence)
    .filter(({ value }) => value.kind !== 'null')
    .flatMap((field) =>
      MISSING_VALUES.map(([word, cost]) =>
        variant(field, word, cost, `signed as ${shownText(word)}, not as its value`),
      ),
    )
    .map((each) => ({ ...each, fix: LOST_FIX }));
}

/** A single field signed as a placeholder, with the name of the field in any spelling. */
export function placeholders({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields
    .filter(({ name }) => name !== signatureName)
    .flatMap((field) => {
      const common = COMMON_FIELDS.find((each) => sameName(HEADER_OF_FIELD[each], field.name));
      const isGenerated = field.source !== 'business';
      const names = [field.name, camelName(field.name), ...(common ? [common] : [])];
      if (isGenerated) names.push(...['guid', 'timestamp', 'randomUUID', 'isoTimestamp']);
      return [...new Set(names)].flatMap((name) =>
        PLACEHOLDERS.map((placeholder): Variant => {
          const text = placeholder(name);
          const how = `signed as ${JSON.stringify(text)}, a placeholder that was not replaced`;
          return {
            ...variant(field, text, RARE, how),
            ...(isGenerated && { id: 'fields-stale', slot: `stale ${field.name}` }),
            fix: `replace the variables of ${field.name} before signing, and sign the text that is sent`,
          };
        }),
      );
    });
}

/** A single field with its text truncated, as a database column of limited length does. */
export function truncatedTexts(evidence: Evidence): readonly Variant[] {
  return businessFields(evidence).flatMap((field) => {
    const { value } = field;
    if (value.kind !== 'string') return [];
    const count = Math.min(value.value.length - 1, MAX_TRUNCATED_LENGTH);
    return Array.from({ length: Math.max(count, 0) }, (_, index) => {
      const how = `signed with only its first ${index + 1} characters`;
      return variant(field, value.value.slice(0, index + 1), VERY_RARE, how);
    });
  });
}

const MAX_TRUNCATED_LENGTH = 63;

/** A single business field signed with the value of another one. */
export function valuesOfOthers(evidence: Evidence): readonly Variant[] {
  const texts = businessFields(evidence).flatMap((field) => {
    const text = fieldText(field.value, RIGHT_STYLE) ?? '';
    return text.length < MIN_VALUE_LENGTH ? [] : [{ field, text }];
  });
  if (texts.length > MAX_VALUES) return [];
  return texts.flatMap(({ field }) =>
    texts
      .filter((other) => other.field !== field)
      // A date in another zone, in one field alone, costs 6.
      .map((other) =>
        variant(field, other.text, 5, `signed with the value of ${other.field.name}`),
      ),
  );
}

/** Shorter values, such as `true`, are equal by chance. */
const MIN_VALUE_LENGTH = 6;
/** More fields give too many combinations. */
const MAX_VALUES = 40;

function businessFields({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name, source }) => name !== signatureName && source === 'business');
}

function variant({ name, position }: Field, text: string, cost: number, how: string): Variant {
  const row: Row<'pair'> = [
    how,
    cost,
    (pair) => (pair.position === position ? { ...pair, value: text } : pair),
    { fields: [name] },
  ];
  return table('value-reformatted', 'pair', `${name} was`, [row])[0] as Variant;
}

function camelName(name: string): string {
  return name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
