import type { Field } from '../../received-request.ts';
import { type Evidence, fewFields, mistake, RARE, type Table, UNCOMMON } from '../mistake.ts';
import { withText } from '../signer.ts';
import { shownText, tableOf } from '../steps.ts';

/** Another text of a single business field. */

export const oneValueLost = mistake('value-reformatted', [], {
  'a single field was signed without its value, as empty text or a word such as null': lostValues,
  'a placeholder such as {{name}} was not replaced': placeholders,
});

function lostValues(evidence: Evidence): Table {
  const rows: readonly OtherText[] = [
    // An empty text may also be a truncated string.
    ['', UNCOMMON],
    ['null', 4],
    ['undefined', 4],
    ...['None', '<nil>', 'nil', '[object Object]', 'NaN', 'false', '0'].map(rare),
  ];
  const fix = 'sign the value that is sent, and do not change it after signing';
  return businessFields(evidence).flatMap((field) => otherTexts(field, rows, 'its value', fix));
}

function placeholders(evidence: Evidence): Table {
  return businessFields(evidence).flatMap((field) => {
    const fix = `replace the variable of ${field.name} before you sign, not after`;
    const rows = placeholderTexts(field.name).map(rare);
    return otherTexts(field, rows, 'the value of its variable', fix);
  });
}

type OtherText = readonly [text: string, cost: number];

function rare(text: string): OtherText {
  return [text, RARE];
}

/** The forms of placeholders in templates; `*` is a name. */
export const PLACEHOLDERS = `{{*}}, {{ * }}, \${*}, {*}, $*, {{$*}}, #{*}, :*, <*>, %*%`.split(
  ', ',
);

/** The placeholders of templates for a field, with its name in snake_case or camelCase. */
export function placeholderTexts(name: string): readonly string[] {
  const field = name
    .replace(/^X-TMS-/, '')
    .replaceAll('-', '_')
    .toLowerCase();
  const camel = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [...new Set([name, field, camel, 'guid', 'timestamp', 'randomUUID'])];
  return names.flatMap((each) => PLACEHOLDERS.map((form) => form.replace('*', () => each)));
}

function businessFields(evidence: Evidence): readonly Field[] {
  const { signatureName } = evidence;
  return fewFields(evidence).filter(
    ({ name, source, value }) =>
      name !== signatureName && source === 'business' && value.kind !== 'null',
  );
}

function otherTexts(
  { name, position }: Field,
  rows: readonly OtherText[],
  lost: string,
  fix: string,
): Table {
  return tableOf(
    'pair',
    `${name} was signed as`,
    rows.map(([text, cost]) => [
      `${shownText(text)}, not as ${lost}`,
      cost,
      withText(position, text),
    ]),
    { fields: [name], fix },
  );
}
