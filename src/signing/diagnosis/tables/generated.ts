import { COMMON_FIELDS, PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { commonField, commonFieldText, type Field, scalarText } from '../../received-request.ts';
import {
  type Evidence,
  fewFields,
  mistake,
  RARE,
  type Table,
  UNCOMMON,
  USUAL,
  VERY_RARE,
} from '../mistake.ts';
import { type PairEdit, withText } from '../signer.ts';
import { camelName, each, type Row, table } from '../steps.ts';
import { instantForms, instantOf } from './date-text.ts';

// Generated fields whose value was generated again, or read again from the clock, for sending.

type StaleText = readonly [text: string, how: string, cost: number];

const stale = (cost: number, how: string, ...texts: readonly string[]): readonly StaleText[] =>
  texts.map((text) => [text, how, cost]);

export const fieldsStale = mistake('fields-stale', [], {
  'a generated field was signed with another value than sent: up to 60 s or 8 hours earlier or later; in another unit; as the text of a date; in another case; without dashes; cut; the value of another common field; before it was generated; another version':
    (evidence) => [
      ...COMMON_FIELDS.flatMap((name) =>
        staleRows(commonField(evidence, name), (sent) =>
          name === 'timestamp' ? timestampTexts(sent) : identifierTexts(sent, evidence),
        ),
      ),
      ...otherVersions(evidence),
    ],
});

export const fieldsStaleLater = mistake('fields-stale', [], {
  'the clock was read in milliseconds, within a second': (evidence) =>
    staleRows(commonField(evidence, 'timestamp'), nearbyTexts),
  'the placeholders of several generated fields were not replaced': severalPlaceholders,
  'a placeholder such as {{name}} was not replaced': ({ fields, signatureName }) =>
    fields
      .filter(({ name, source }) => name !== signatureName && source !== 'business')
      .flatMap((field) =>
        staleRows(field, () => stale(RARE, 'a placeholder', ...placeholderTexts(field.name))),
      ),
});

/** Two or three generated fields that a template contains as placeholders of one form. */
function severalPlaceholders(evidence: Evidence): Table {
  const fields = ['timestamp', 'nonce', 'seq_id'] as const;
  const sets = [fields, ...fields.map((left) => fields.filter((field) => field !== left))];
  return sets.flatMap((set) => {
    const names = new Map(set.map((name) => [commonField(evidence, name)?.position, name]));
    return table(
      'pair',
      `${set.join(', ')} were signed as`,
      PLACEHOLDERS.map((form) => [
        `${form.replace('*', '…')}, placeholders that were not replaced`,
        RARE,
        (pair) => {
          const name = names.get(pair.position);
          return name === undefined ? pair : { ...pair, value: form.replace('*', () => name) };
        },
      ]),
    );
  });
}

function nearbyTexts(sent: string): readonly StaleText[] {
  if (!/^\d{10}(?:\d{3})?$/.test(sent)) return [];
  const isSeconds = sent.length === 10;
  const start = Number(sent) * (isSeconds ? 1000 : 1);
  return (isSeconds ? range(-1000, 1999) : range(-500, 500)).flatMap((distance) => {
    const how = isSeconds ? 'in milliseconds' : shiftText(distance, 'ms');
    return stale(VERY_RARE, how, String(start + distance));
  });
}

function otherVersions({ mode, fields }: Evidence): Table {
  const fix = `send and sign ${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header}`;
  const texts = stale(4, 'another version', '1.0', '2', 'v2', '2.0.0', 'V2.0', 'v2.0');
  return fields
    .filter(({ name }) => mode === 'header' && sameName(name, SIGN_HEADERS.version))
    .flatMap((field) => staleRows(field, () => texts).map((row) => ({ ...row, fix })));
}

/** The rows of a field. Fields are generated independently, so each has its own slot. */
function staleRows(
  field: Field | undefined,
  textsOf: (sent: string) => readonly StaleText[],
): Table {
  const sent = field && scalarText(field);
  if (field === undefined || sent === undefined) return [];
  const { name, position } = field;
  return table(
    'pair',
    `${name} was signed as`,
    textsOf(sent)
      .filter(([text]) => text !== sent)
      .map(([text, how, cost]) => [
        `${JSON.stringify(text)}, ${how}, but sent as ${JSON.stringify(sent)}`,
        cost,
        withText(position, text),
      ]),
    { fields: [name], slot: `stale ${name}` },
  );
}

function timestampTexts(sent: string): readonly StaleText[] {
  const seconds = Number(sent);
  if (/^\d{10}$/.test(sent)) {
    return [
      ...stale(RARE, 'in microseconds', `${sent}000000`),
      ...stale(RARE, 'in nanoseconds', `${sent}000000000`),
      ...range(-60, 60).flatMap((shift) => {
        const distance = Math.abs(shift);
        const cost = distance === 1 ? USUAL : distance <= 5 ? 4 : VERY_RARE;
        return stale(cost, shiftText(shift, 's'), String(seconds + shift));
      }),
      ...stale(RARE, '8 hours earlier', String(seconds - 8 * 3600)),
      ...stale(RARE, '8 hours later', String(seconds + 8 * 3600)),
      ...otherForms(seconds * 1000),
    ];
  }
  if (!/^\d{13}(?:\d{3}){0,2}$/.test(sent)) return otherForms(instantOf(sent));
  const milliseconds = Math.trunc(Number(sent.slice(0, 13)));
  const floor = Math.trunc(milliseconds / 1000);
  return [
    ...stale(USUAL, 'in seconds, rounded up or later', String(floor + 1)),
    ...stale(4, 'in seconds, earlier', String(floor - 1)),
    ...stale(USUAL, 'in whole seconds', `${floor}000`),
    ...otherForms(milliseconds),
  ];
}

function shiftText(shift: number, unit: string): string {
  return `${Math.abs(shift)} ${unit} ${shift < 0 ? 'earlier' : 'later'}`;
}

function otherForms(milliseconds: number | undefined): readonly StaleText[] {
  if (milliseconds === undefined) return [];
  return [
    ...stale(USUAL, 'in seconds', String(Math.trunc(milliseconds / 1000))),
    ...stale(USUAL, 'in milliseconds', String(milliseconds)),
    ...instantForms(milliseconds).flatMap(({ form, zone, text }) => stale(RARE, form + zone, text)),
  ];
}

function identifierTexts(sent: string, evidence: Evidence): readonly StaleText[] {
  return [
    ...stale(4, 'in upper case', sent.toUpperCase()),
    ...stale(4, 'in lower case', sent.toLowerCase()),
    ...stale(4, 'without dashes', sent.replaceAll('-', '')),
    ...stale(RARE, 'in braces', `{${sent}}`),
    ...stale(RARE, 'in braces and in upper case', `{${sent.toUpperCase()}}`),
    ...[8, 10, 16, 32].flatMap((length) =>
      stale(RARE, `cut to ${length} characters`, sent.slice(0, length)),
    ),
    ...COMMON_FIELDS.flatMap((other) => {
      const text = commonFieldText(evidence, other);
      if (text === undefined || text === sent) return [];
      return [
        ...stale(4, `the value of ${other}`, text),
        ...stale(RARE, `the value of ${other} without dashes`, text.replaceAll('-', '')),
      ];
    }),
    ...stale(4, 'before it was generated', '', 'null'),
    ...stale(RARE, 'before it was generated', 'undefined', 'None', '<nil>', 'nil'),
  ];
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export const oneValueLost = mistake('value-reformatted', [], {
  'a single field was signed without its value, as empty text or a word such as null': (evidence) =>
    ofEachField(evidence, () => ({
      rows: [
        // An empty text may also be a truncated string.
        ...each(UNCOMMON, LOST, [''], (text) => text),
        ...each(4, LOST, ['null', 'undefined'], (text) => text),
        ...each(RARE, LOST, LOST_TEXTS, (text) => text),
      ],
      fix: 'sign the value that is sent, and do not change it after signing',
    })),
  'a placeholder such as {{name}} was not replaced': (evidence) =>
    ofEachField(evidence, (name) => ({
      rows: each(
        RARE,
        '"*", not as the value of its variable',
        placeholderTexts(name),
        (text) => text,
      ),
      fix: `replace the variable of ${name} before you sign, not after`,
    })),
});

const LOST = '"*", not as its value';
const LOST_TEXTS = ['None', '<nil>', 'nil', '[object Object]', 'NaN', 'false', '0'];

function ofEachField(
  evidence: Evidence,
  textsOf: (name: string) => { readonly rows: readonly Row<string>[]; readonly fix: string },
): Table {
  const own = fewFields(evidence).filter(
    ({ name, source, value }) =>
      name !== evidence.signatureName && source === 'business' && value.kind !== 'null',
  );
  return own.flatMap(({ name, position }) => {
    const { rows, fix } = textsOf(name);
    const changes = rows.map(
      ([how, cost, text]): Row<PairEdit> => [how, cost, withText(position, text)],
    );
    return table('pair', `${name} was signed as`, changes, { fields: [name], fix });
  });
}

/** The forms of placeholders in templates; `*` is a name. */
const PLACEHOLDERS = `{{*}}, {{ * }}, \${*}, {*}, $*, {{$*}}, #{*}, :*, <*>, %*%`.split(', ');

function placeholderTexts(name: string): readonly string[] {
  const field = name
    .replace(/^X-TMS-/, '')
    .replaceAll('-', '_')
    .toLowerCase();
  const names = [...new Set([name, field, camelName(field), 'guid', 'timestamp', 'randomUUID'])];
  return names.flatMap((each) => PLACEHOLDERS.map((form) => form.replace('*', () => each)));
}
