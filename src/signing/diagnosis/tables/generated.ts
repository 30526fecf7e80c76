import {
  COMMON_FIELDS,
  type CommonField,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { commonField, type Field, scalarText } from '../../received-request.ts';
import { type Evidence, RARE, USUAL, type Variant, VERY_RARE } from '../mistake.ts';
import { type Row, table } from '../steps.ts';
import { instantForms, instantOf } from './dates.ts';

/** Generated fields whose value was generated again, or read again from the clock, for sending. */

/** Another text of a generated field. */
type StaleText = readonly [text: string, how: string, cost: number];

export function staleFields(evidence: Evidence): readonly Variant[] {
  return [
    ...COMMON_FIELDS.flatMap((name) => {
      const field = commonField(evidence, name);
      const sent = field && scalarText(field);
      if (field === undefined || sent === undefined) return [];
      const texts =
        name === 'timestamp' ? timestampTexts(sent) : identifierTexts(name, sent, evidence);
      return staleVariants(field, sent, texts);
    }),
    ...versionVariants(evidence),
  ];
}

/** The clock read in milliseconds, within a second of the sent timestamp. */
export function nearbyTimestamps(evidence: Evidence): readonly Variant[] {
  const field = commonField(evidence, 'timestamp');
  const sent = (field && scalarText(field)) ?? '';
  if (field === undefined || !/^\d{10}(?:\d{3})?$/.test(sent)) return [];
  const isSeconds = sent.length === 10;
  const start = Number(sent) * (isSeconds ? 1000 : 1);
  const distances = isSeconds ? range(-1000, 1999) : range(-500, 500);
  return staleVariants(
    field,
    sent,
    distances.map((distance) => [
      String(start + distance),
      isSeconds ? 'in milliseconds' : shiftText(distance, 'ms'),
      VERY_RARE,
    ]),
  );
}

/** Other versions in header mode. */
function versionVariants({ mode, fields }: Evidence): readonly Variant[] {
  const field = fields.find(
    ({ name }) => mode === 'header' && sameName(name, SIGN_HEADERS.version),
  );
  const sent = field && scalarText(field);
  if (field === undefined || sent === undefined) return [];
  const versions = ['1.0', '2', 'v2', '2.0.0', 'V2.0', 'v2.0'];
  const fix = `send and sign ${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header}`;
  return staleVariants(
    field,
    sent,
    versions.map((text): StaleText => [text, 'another version', 4]),
  ).map((variant) => ({ ...variant, fix }));
}

/** The variants of a field, without the sent text and repeated texts. */
function staleVariants(
  { name, position }: Field,
  sent: string,
  texts: readonly StaleText[],
): readonly Variant[] {
  const distinct = new Map(texts.toReversed().map((stale) => [stale[0], stale]));
  distinct.delete(sent);
  const rows = [...distinct.values()].map(
    ([text, how, cost]): Row<'pair'> => [
      `signed as ${JSON.stringify(text)}, ${how}, but sent as ${JSON.stringify(sent)}`,
      cost,
      (pair) => (pair.position === position ? { ...pair, value: text } : pair),
      // Fields are generated independently, so each has its own slot.
      { fields: [name], slot: `stale ${name}` },
    ],
  );
  return table('fields-stale', 'pair', `${name} was`, rows);
}

/** The clock read again, or in another unit. */
function timestampTexts(sent: string): readonly StaleText[] {
  const seconds = Number(sent);
  if (/^\d{10}$/.test(sent)) {
    return [
      [`${sent}000`, 'in milliseconds', USUAL],
      [`${sent}000000`, 'in microseconds', RARE],
      [`${sent}000000000`, 'in nanoseconds', RARE],
      ...range(-60, 60).map((shift): StaleText => {
        const distance = Math.abs(shift);
        const cost = distance === 1 ? USUAL : distance <= 5 ? 4 : VERY_RARE;
        return [String(seconds + shift), shiftText(shift, 's'), cost];
      }),
      ...[-8, 8].map(
        (hours): StaleText => [String(seconds + hours * 3600), shiftText(hours, 'hours'), RARE],
      ),
      ...otherForms(seconds * 1000),
    ];
  }
  if (!/^\d{13}(?:\d{3}){0,2}$/.test(sent)) return otherForms(instantOf(sent));
  const milliseconds = Math.trunc(Number(sent.slice(0, 13)));
  const floor = Math.trunc(milliseconds / 1000);
  return [
    [String(floor), 'in seconds', USUAL],
    [String(floor + 1), 'in seconds, rounded up or later', USUAL],
    [String(floor - 1), 'in seconds, earlier', 4],
    [`${floor}000`, 'in whole seconds', USUAL],
    [String(milliseconds), 'in milliseconds', USUAL],
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
    ...instantForms(milliseconds).map(({ title, text }): StaleText => [text, title, RARE]),
  ];
}

/** Other texts of a nonce, a seq_id or an api_key in the signing program. */
function identifierTexts(
  name: CommonField,
  sent: string,
  evidence: Evidence,
): readonly StaleText[] {
  const others = COMMON_FIELDS.filter((other) => other !== name).flatMap((other): StaleText[] => {
    const field = commonField(evidence, other);
    const text = field && scalarText(field);
    if (field === undefined || text === undefined) return [];
    return [
      [text, `the value of ${field.name}`, 4],
      [text.replaceAll('-', ''), `the value of ${field.name} without dashes`, RARE],
    ];
  });
  return [
    [sent.toUpperCase(), 'in upper case', 4],
    [sent.toLowerCase(), 'in lower case', 4],
    [sent.replaceAll('-', ''), 'without dashes', 4],
    [`{${sent}}`, 'in braces', RARE],
    [`{${sent.toUpperCase()}}`, 'in braces and in upper case', RARE],
    ...[8, 10, 16, 32].map(
      (length): StaleText => [sent.slice(0, length), `cut to ${length} characters`, RARE],
    ),
    ...others,
    ['', 'before it was generated', 4],
    ['null', 'before it was generated', 4],
    ...['undefined', 'None', '<nil>', 'nil'].map(
      (text): StaleText => [text, 'before it was generated', RARE],
    ),
  ];
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
