import type { Evidence, Variant } from '../mistake.ts';
import { allTexts } from '../values.ts';
import { type DateForm, dateForms } from './date-text.ts';
import { texts } from './texts.ts';

export { instantForms, instantOf } from './date-text.ts';

/** The dates of a request, printed in one form and zone. */
interface DateGroup extends Pick<DateForm, 'form' | 'zone'> {
  /** The printed text of each date. */
  readonly printed: Map<string, string>;
}

/** The variants that print the dates of fields and nested JSON in another form or zone. */
export function otherDates(evidence: Evidence): readonly Variant[] {
  const dates = allTexts(evidence.fields).filter(({ length }) => length >= 8 && length <= 40);
  const groups = new Map<string, DateGroup>();
  for (const date of new Set(dates)) {
    for (const { title, form, zone, text } of dateForms(date)) {
      const group = groups.get(title) ?? { form, zone, printed: new Map() };
      groups.set(title, group);
      group.printed.set(date, text);
    }
  }
  return [...groups.values()].flatMap((group) => {
    const withoutZone = groups.get(group.form)?.printed ?? new Map<string, string>();
    const [how, cost] = description(group, withoutZone, evidence);
    const { printed } = group;
    return texts('value-reformatted', 'dates were signed', [
      [how, cost, (text) => printed.get(text) ?? text],
    ]);
  });
}

/**
 * Names the form of the dates, and the fields whose text the zone changes. In a form without a time,
 * another zone changes only the dates that move to another day.
 *
 * @param withoutZone The texts of the dates in this form and their own zone.
 */
function description(
  { form, zone, printed }: DateGroup,
  withoutZone: ReadonlyMap<string, string>,
  { fields }: Evidence,
): readonly [how: string, cost: number] {
  const namesOf = (wanted: readonly string[]): string =>
    fields
      .filter((field) => allTexts([field]).some((text) => wanted.includes(text)))
      .map(({ name }) => name)
      .join(', ');
  const dates = [...printed.keys()];
  const moved = dates.filter((date) => printed.get(date) !== withoutZone.get(date));
  // Another form and another zone are two mistakes.
  if (moved.length === dates.length) return [form + zone, 5];
  if (moved.length > 0) {
    return [`${form}, and ${namesOf(moved)} ${zone.replace(/^\W+/, '')}`, 5];
  }
  return dates.length === withoutZone.size ? [form, 3] : [`${form}, in ${namesOf(dates)} alone`, 4];
}
