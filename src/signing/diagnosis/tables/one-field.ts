import type { Field } from '../../received-request.ts';
import { type Evidence, fewFields, mistake, RARE, type TableRow, UNCOMMON } from '../mistake.ts';
import { shownText, tableOf } from '../steps.ts';

/** Another text of a single business field. */

export const oneValueLost = mistake(
  'value-reformatted',
  [],
  ['a single field was signed without its value, as empty text or a word such as null', lostValues],
  [
    'a placeholder such as {{name}} was not replaced',
    (evidence) =>
      businessFields(evidence).flatMap((field) =>
        placeholderTexts(field.name).flatMap((text) =>
          otherText(field, text, RARE, 'its variable'),
        ),
      ),
  ],
);

const LOST_FIX = 'sign the value that is sent, and do not change it after signing';

function lostValues(evidence: Evidence): readonly TableRow[] {
  return businessFields(evidence).flatMap((field) => [
    // An empty text may also be a truncated string.
    ...otherText(field, '', UNCOMMON),
    ...['null', 'undefined'].flatMap((word) => otherText(field, word, 4)),
    ...['None', '<nil>', 'nil', '[object Object]', 'NaN', 'false', '0'].flatMap((word) =>
      otherText(field, word, RARE),
    ),
  ]);
}

/** The placeholders of templates for a field, with its name in snake_case or camelCase. */
export function placeholderTexts(name: string): readonly string[] {
  const field = name
    .replace(/^X-TMS-/, '')
    .replaceAll('-', '_')
    .toLowerCase();
  const camel = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [...new Set([name, field, camel, 'guid', 'timestamp', 'randomUUID'])];
  return names.flatMap((each) => [
    ...[`{{${each}}}`, `{{ ${each} }}`, `\${${each}}`, `{${each}}`, `$${each}`, `{{$${each}}}`],
    ...[`#{${each}}`, `:${each}`, `<${each}>`, `%${each}%`],
  ]);
}

function businessFields(evidence: Evidence): readonly Field[] {
  const { signatureName } = evidence;
  return fewFields(evidence).filter(
    ({ name, source, value }) =>
      name !== signatureName && source === 'business' && value.kind !== 'null',
  );
}

function otherText(
  { name, position }: Field,
  text: string,
  cost: number,
  lost = 'its value',
): readonly TableRow[] {
  const fix =
    lost === 'its value' ? LOST_FIX : `replace the variable of ${name} before you sign, not after`;
  return tableOf('pair', `${name} was signed as`, cost, [text], () => [
    `${shownText(text)}, not as ${lost === 'its value' ? lost : 'the value of its variable'}`,
    (pair) => (pair.position === position ? { ...pair, value: text } : pair),
    { fields: [name], fix },
  ]);
}
