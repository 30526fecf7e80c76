import { COMMON_FIELDS, PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { commonField, commonFieldText, type Field, scalarText } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL, VERY_RARE } from '../mistake.ts';
import { withText } from '../signer.ts';
import { tableOf } from '../steps.ts';
import { instantForms, instantOf } from './date-text.ts';
import { PLACEHOLDERS, placeholderTexts } from './one-field.ts';

/** Generated fields whose value was generated again, or read again from the clock, for sending. */

/** Another text of a generated field. */
type StaleText = readonly [text: string, how: string, cost: number];

export const fieldsStale = mistake('fields-stale', [], {
  'a generated field was signed with another value than sent: up to 60 s or 8 hours earlier or later; in another unit; as the text of a date; in another case; without dashes; cut; the value of another common field; before it was generated; another version':
    otherValues,
});

function otherValues(evidence: Evidence): Table {
  const ofCommonFields = COMMON_FIELDS.flatMap((name) => {
    const field = commonField(evidence, name);
    const sent = field && scalarText(field);
    if (field === undefined || sent === undefined) return [];
    const texts = name === 'timestamp' ? timestampTexts(sent) : identifierTexts(sent, evidence);
    return staleRows(field, texts);
  });
  return [...ofCommonFields, ...otherVersions(evidence)];
}

/** Texts that are tried after the usual mistakes fail. */
export const fieldsStaleLater = mistake('fields-stale', [], {
  'the clock was read in milliseconds, within a second': nearbyTimestamps,
  'the placeholders of several generated fields were not replaced': severalPlaceholders,
  'a placeholder such as {{name}} was not replaced': placeholders,
});

function placeholders({ fields, signatureName }: Evidence): Table {
  const own = fields.filter(({ name, source }) => name !== signatureName && source !== 'business');
  return own.flatMap((field) => {
    const texts = placeholderTexts(field.name);
    return staleRows(
      field,
      texts.map((text) => [text, 'a placeholder', RARE]),
    );
  });
}

/** Two or three generated fields that a template contains as placeholders of one form. */
function severalPlaceholders(evidence: Evidence): Table {
  const fields = ['timestamp', 'nonce', 'seq_id'] as const;
  const sets = [fields, ...fields.map((left) => fields.filter((field) => field !== left))];
  return sets.flatMap((set) => {
    const edits = set.map((name) => ({ name, position: commonField(evidence, name)?.position }));
    return tableOf(
      'pair',
      `${set.join(', ')} were signed as`,
      PLACEHOLDERS.map((form) => [
        `${form.replace('*', '…')}, placeholders that were not replaced`,
        RARE,
        (pair) => {
          const edit = edits.find(({ position }) => position === pair.position);
          return edit ? { ...pair, value: form.replace('*', () => edit.name) } : pair;
        },
      ]),
    );
  });
}

function nearbyTimestamps(evidence: Evidence): Table {
  const field = commonField(evidence, 'timestamp');
  const sent = (field && scalarText(field)) ?? '';
  if (field === undefined || !/^\d{10}(?:\d{3})?$/.test(sent)) return [];
  const isSeconds = sent.length === 10;
  const start = Number(sent) * (isSeconds ? 1000 : 1);
  const distances = isSeconds ? range(-1000, 1999) : range(-500, 500);
  const texts = distances.map((distance): StaleText => {
    const how = isSeconds ? 'in milliseconds' : shiftText(distance, 'ms');
    return [String(start + distance), how, VERY_RARE];
  });
  return staleRows(field, texts);
}

function otherVersions({ mode, fields }: Evidence): Table {
  const fix = `send and sign ${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header}`;
  const texts = ['1.0', '2', 'v2', '2.0.0', 'V2.0', 'v2.0'].map(
    (text): StaleText => [text, 'another version', 4],
  );
  return fields
    .filter(({ name }) => mode === 'header' && sameName(name, SIGN_HEADERS.version))
    .flatMap((field) => staleRows(field, texts).map((row) => ({ ...row, fix })));
}

/** The rows of a field. Fields are generated independently, so each has its own slot. */
function staleRows(field: Field, texts: readonly StaleText[]): Table {
  const { name, position } = field;
  const sent = scalarText(field);
  return tableOf(
    'pair',
    `${name} was signed as`,
    texts
      .filter(([text]) => text !== sent)
      .map(([text, how, cost]) => [
        `${JSON.stringify(text)}, ${how}, but sent as ${JSON.stringify(sent)}`,
        cost,
        withText(position, text),
      ]),
    { fields: [name], slot: `stale ${name}` },
  );
}

/** The clock read again, or in another unit. */
function timestampTexts(sent: string): readonly StaleText[] {
  const seconds = Number(sent);
  if (/^\d{10}$/.test(sent)) {
    return [
      [`${sent}000000`, 'in microseconds', RARE],
      [`${sent}000000000`, 'in nanoseconds', RARE],
      ...range(-60, 60).map((shift): StaleText => {
        const distance = Math.abs(shift);
        const cost = distance === 1 ? USUAL : distance <= 5 ? 4 : VERY_RARE;
        return [String(seconds + shift), shiftText(shift, 's'), cost];
      }),
      [String(seconds - 8 * 3600), '8 hours earlier', RARE],
      [String(seconds + 8 * 3600), '8 hours later', RARE],
      ...otherForms(seconds * 1000),
    ];
  }
  if (!/^\d{13}(?:\d{3}){0,2}$/.test(sent)) return otherForms(instantOf(sent));
  const milliseconds = Math.trunc(Number(sent.slice(0, 13)));
  const floor = Math.trunc(milliseconds / 1000);
  return [
    [String(floor + 1), 'in seconds, rounded up or later', USUAL],
    [String(floor - 1), 'in seconds, earlier', 4],
    [`${floor}000`, 'in whole seconds', USUAL],
    ...otherForms(milliseconds),
  ];
}

function shiftText(shift: number, unit: string): string {
  return `${Math.abs(shift)} ${unit} ${shift < 0 ? 'earlier' : 'later'}`;
}

/** Other texts of a time in milliseconds since 1970. */
function otherForms(milliseconds: number | undefined): readonly StaleText[] {
  if (milliseconds === undefined) return [];
  return [
    [String(Math.trunc(milliseconds / 1000)), 'in seconds', USUAL],
    [String(milliseconds), 'in milliseconds', USUAL],
    ...instantForms(milliseconds).map(({ form, zone, text }): StaleText => {
      return [text, form + zone, RARE];
    }),
  ];
}

/** Other texts of a nonce, a seq_id or an api_key in the signing program. */
function identifierTexts(sent: string, evidence: Evidence): readonly StaleText[] {
  const others = COMMON_FIELDS.flatMap((other): StaleText[] => {
    const text = commonFieldText(evidence, other);
    if (text === undefined || text === sent) return [];
    return [
      [text, `the value of ${other}`, 4],
      [text.replaceAll('-', ''), `the value of ${other} without dashes`, RARE],
    ];
  });
  return [
    [sent.toUpperCase(), 'in upper case', 4],
    [sent.toLowerCase(), 'in lower case', 4],
    [sent.replaceAll('-', ''), 'without dashes', 4],
    [`{${sent}}`, 'in braces', RARE],
    [`{${sent.toUpperCase()}}`, 'in braces and in upper case', RARE],
    ...[8, 10, 16, 32].map((length): StaleText => {
      return [sent.slice(0, length), `cut to ${length} characters`, RARE];
    }),
    ...others,
    ...['', 'null', 'undefined', 'None', '<nil>', 'nil'].map((text, index): StaleText => {
      return [text, 'before it was generated', index < 2 ? 4 : RARE];
    }),
  ];
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
