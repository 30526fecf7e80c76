import {
  COMMON_FIELDS,
  type CommonField,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { commonField, type Field, scalarText } from '../../received-request.ts';
import { instantForms, instantOf } from '../languages/date-text.ts';
import {
  type Evidence,
  edited,
  type Mistake,
  RARE,
  USUAL,
  type Variant,
  VERY_RARE,
} from '../mistake.ts';

/** Generated fields whose value was generated again, or read again from the clock, for sending. */

/** Another text of a generated field, and its cause. */
interface StaleText {
  readonly text: string;
  readonly how: string;
  /** The line in docs/diagnosis.md, shared by several texts; default {@link how}. */
  readonly family?: string;
  readonly cost: number;
}

export const fieldsStale: Mistake = {
  id: 'fields-stale',
  fix: 'read the clock and generate seq_id and nonce once, and send exactly the values that you sign',
  variants: (evidence) =>
    COMMON_FIELDS.flatMap((name) => {
      const field = commonField(evidence, name);
      const sent = field && scalarText(field);
      if (field === undefined || sent === undefined) return [];
      const texts =
        name === 'timestamp' ? timestampTexts(sent) : identifierTexts(name, sent, evidence);
      const distinct = new Map<string, StaleText>();
      for (const stale of [...texts, ...placeholders(name)]) {
        if (stale.text !== sent && !distinct.has(stale.text)) distinct.set(stale.text, stale);
      }
      return [...distinct.values()].map((stale) => variant(field, sent, stale));
    }).concat(versionVariants(evidence)),
};

/** A placeholder that was not replaced. */
function placeholders(name: CommonField): readonly StaleText[] {
  const names = [name, `$${name}`, ...(name === 'seq_id' ? ['$guid'] : [])];
  return names
    .flatMap((each) => [`{{${each}}}`, `\${${each}}`, `{${each}}`, `$${each}`])
    .map((text) => ({ text, how: 'a placeholder', cost: RARE }));
}

/** Other versions in header mode. */
function versionVariants({ mode, fields }: Evidence): readonly Variant[] {
  const field = fields.find(
    ({ name }) => mode === 'header' && sameName(name, SIGN_HEADERS.version),
  );
  const sent = field && scalarText(field);
  if (field === undefined || sent === undefined) return [];
  return ['1.0', '2', 'v2', '2.0.0', 'V2.0', 'v2.0']
    .filter((text) => text !== sent)
    .map((text) => ({
      ...variant(field, sent, { text, how: 'another version', cost: 4 }),
      fix: `send and sign ${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header}`,
    }));
}

function variant(
  field: Field,
  sent: string,
  { text, how, family = how, cost }: StaleText,
): Variant {
  return {
    ...edited(
      `${field.name} was signed as ${JSON.stringify(text)}, ${how}, but sent as ${JSON.stringify(sent)}`,
      (pair) => (pair.position === field.position ? { ...pair, value: text } : pair),
    ),
    family: `a generated field was signed with another value than sent: ${family}`,
    fields: [field.name],
    // Fields are generated independently, so each has its own slot.
    slot: `stale ${field.name}`,
    cost,
  };
}

/** The clock read again, or in another unit. */
function timestampTexts(sent: string): readonly StaleText[] {
  const seconds = Number(sent);
  if (/^\d{10}$/.test(sent)) {
    return [
      { text: `${sent}000`, how: 'in milliseconds', cost: USUAL },
      { text: `${sent}000000`, how: 'in microseconds', cost: RARE },
      { text: `${sent}000000000`, how: 'in nanoseconds', cost: RARE },
      ...range(1, 60).flatMap((distance) =>
        [-distance, distance].map((shift) => ({
          text: String(seconds + shift),
          how: `${distance} s ${shift < 0 ? 'earlier' : 'later'}`,
          family: 'up to 60 s earlier or later',
          cost: distance === 1 ? USUAL : distance <= 5 ? 4 : VERY_RARE,
        })),
      ),
      ...[-8, 8].map((hours) => ({
        text: String(seconds + hours * 3600),
        how: `8 hours ${hours < 0 ? 'earlier' : 'later'}`,
        cost: RARE,
      })),
      ...otherForms(seconds * 1000),
    ];
  }
  if (!/^\d{13}(?:\d{3}){0,2}$/.test(sent)) return otherForms(instantOf(sent));
  const milliseconds = Math.trunc(Number(sent.slice(0, 13)));
  const floor = Math.trunc(milliseconds / 1000);
  return [
    { text: String(floor), how: 'in seconds', cost: USUAL },
    { text: String(floor + 1), how: 'in seconds, rounded up or later', cost: USUAL },
    { text: String(floor - 1), how: 'in seconds, earlier', cost: 4 },
    { text: `${floor}000`, how: 'in whole seconds', cost: USUAL },
    { text: String(milliseconds), how: 'in milliseconds', cost: USUAL },
    ...otherForms(milliseconds),
  ];
}

/** The clock read in milliseconds, within a second of the sent timestamp. */
export function nearbyTimestamps(evidence: Evidence): readonly Variant[] {
  const field = commonField(evidence, 'timestamp');
  const sent = (field && scalarText(field)) ?? '';
  if (field === undefined || !/^\d{10}(?:\d{3})?$/.test(sent)) return [];
  const isSeconds = sent.length === 10;
  const start = Number(sent) * (isSeconds ? 1000 : 1);
  return range(isSeconds ? -1000 : -500, isSeconds ? 1999 : 500)
    .filter((distance) => distance !== 0)
    .map((distance) =>
      variant(field, sent, {
        text: String(start + distance),
        how: isSeconds
          ? 'in milliseconds'
          : `${Math.abs(distance)} ms ${distance < 0 ? 'earlier' : 'later'}`,
        cost: VERY_RARE,
      }),
    );
}

/** Other texts of a time in milliseconds since 1970. */
function otherForms(milliseconds: number | undefined): readonly StaleText[] {
  if (milliseconds === undefined) return [];
  return [
    { text: String(Math.trunc(milliseconds / 1000)), how: 'in seconds', cost: USUAL },
    { text: String(milliseconds), how: 'in milliseconds', cost: USUAL },
    ...instantForms(milliseconds).map(({ title, text }) => ({
      text,
      how: title,
      family: 'as the text of a date',
      cost: RARE,
    })),
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
      {
        text,
        how: `the value of ${field.name}`,
        family: 'the value of another common field',
        cost: 4,
      },
      {
        text: text.replaceAll('-', ''),
        how: `the value of ${field.name} without dashes`,
        family: 'the value of another common field',
        cost: RARE,
      },
    ];
  });
  return [
    { text: sent.toUpperCase(), how: 'in upper case', cost: 4 },
    { text: sent.toLowerCase(), how: 'in lower case', cost: 4 },
    { text: sent.replaceAll('-', ''), how: 'without dashes', cost: 4 },
    { text: `{${sent}}`, how: 'in braces', cost: RARE },
    ...[8, 10, 16, 32].map((length) => ({
      text: sent.slice(0, length),
      how: `cut to ${length} characters`,
      cost: RARE,
    })),
    { text: `{${sent.toUpperCase()}}`, how: 'in braces and in upper case', cost: RARE },
    ...others,
    ...['', 'null', 'undefined', 'None', '<nil>', 'nil'].map((text) => ({
      text,
      how: 'before it was generated',
      cost: text === '' || text === 'null' ? 4 : RARE,
    })),
  ];
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
