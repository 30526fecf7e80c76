import { withoutEnd } from '../any-length.ts';
import { own, quoted } from '../errors.ts';
import { counted } from '../files/counts.ts';
import {
  compareDecimals,
  type Decimal,
  DecimalSum,
  formatDecimal,
  multiply,
  parseDecimal,
} from './decimal.ts';
import { KEY_FORMS, type KeyForm, lostDigits, roundDigits } from './key-forms.ts';
import { areEqual, type ComparedRow, isWithin, type Tolerance } from './pair-rows.ts';

interface AmountCause {
  readonly factor?: Decimal;
  readonly option: string;
  readonly meaning: string;
  /** Whether it explains an amount of the bill and one of the records; undefined for a blank one. */
  readonly explains: (bill: Decimal | undefined, records: Decimal | undefined) => boolean;
}

const ONE: Decimal = { units: 1, scale: 0 };
const CENT: Tolerance = { kind: 'amount', amount: { units: 1, scale: 2 } };

const AMOUNT_CAUSES: readonly AmountCause[] = [
  factorCause('0.01', 'the records are in hundredths (fen)'),
  factorCause('100', 'the bill is in hundredths (fen)'),
  {
    option: '--decimal ,',
    meaning: 'the records separate thousands by points',
    explains: (bill, records) =>
      bill !== undefined &&
      records?.scale === 3 &&
      compareDecimals(bill, multiply(records, { units: 1000, scale: 0 })) === 0,
  },
  factorCause('-1', 'the signs are opposite'),
  factorCause('-0.01', 'the records are in hundredths (fen), with the opposite sign'),
  {
    option: '--blank 0',
    meaning: 'one side has 0 where the other is blank',
    explains: (bill, records) =>
      (bill === undefined) !== (records === undefined) && Number((bill ?? records)?.units) === 0,
  },
  {
    option: '--tolerance 0.01',
    meaning: 'the amounts are rounded differently',
    explains: (bill, records) =>
      bill !== undefined && records !== undefined && isWithin(bill, records, CENT),
  },
];

function factorCause(text: string, meaning: string): AmountCause {
  const factor = parseDecimal(text) as Decimal;
  return {
    factor,
    option: quoted`--factor ${text}`,
    meaning,
    explains: (bill, records) =>
      bill !== undefined &&
      records !== undefined &&
      compareDecimals(bill, multiply(records, factor)) === 0,
  };
}

const MAX_KEYS = 50_000;

/** Looks for the causes of differences, and proves them by counting the rows that would match. */
export class Causes {
  readonly #amountCounts = AMOUNT_CAUSES.map(() => 0);
  readonly #onlyInBill: (readonly string[])[] = [];
  readonly #onlyInRecords: (readonly string[])[] = [];
  readonly #forms: readonly KeyForm[];
  readonly #factor: Decimal | undefined;
  #isCut = false;
  #netKeys = 0;

  constructor(forms: readonly KeyForm[], factor: Decimal | undefined) {
    this.#factor = factor;
    this.#forms = KEY_FORMS.filter((form) => !forms.includes(form));
  }

  addPair(bill: ComparedRow, records: ComparedRow): void {
    const pairs = bill.amounts.map(
      (text, index) => [parseDecimal(text), parseDecimal(records.amounts[index] ?? '')] as const,
    );
    for (const [index, { explains }] of AMOUNT_CAUSES.entries()) {
      const isExplained = pairs.every(
        ([ours, theirs]) => areSame(ours, theirs) || explains(ours, theirs),
      );
      if (isExplained) this.#amountCounts[index] = (this.#amountCounts[index] ?? 0) + 1;
    }
  }

  addGroup(bill: readonly ComparedRow[], records: readonly ComparedRow[]): void {
    if (areEqual({ amounts: netAmounts(bill) }, { amounts: netAmounts(records) }, undefined)) {
      this.#netKeys++;
    }
  }

  addKey(side: 'bill' | 'records', key: readonly string[]): void {
    const keys = side === 'bill' ? this.#onlyInBill : this.#onlyInRecords;
    if (keys.length < MAX_KEYS) keys.push(key);
    else this.#isCut = true;
  }

  /** The causes as notes. `otherKey` counts if no key of both sides matches. */
  notes(matchingKeys: number, otherKey: string | undefined): string[] {
    const notes = [...this.#keyNotes(), ...this.#amountNotes()];
    const [ours, theirs] = [this.#onlyInBill[0], this.#onlyInRecords[0]];
    if (notes.length > 0 || matchingKeys > 0 || !ours || !theirs) return notes;
    if (otherKey !== undefined) return [otherKey];
    const [bill, records] = [ours, theirs].map((key) => JSON.stringify(key.join(', ')));
    return [
      `no key of the bill is in the records: the bill has ${bill}, the records ${records}: check --key, and the days of both files`,
    ];
  }

  #amountNotes(): string[] {
    const notes = AMOUNT_CAUSES.flatMap((cause, index) => {
      const { option, meaning } = this.#besideFactor(cause);
      const count = this.#amountCounts[index] ?? 0;
      return count > 0 ? [`${counted(count, 'row')} would match with ${option}: ${meaning}`] : [];
    });
    if (this.#netKeys > 0) {
      const keys = counted(this.#netKeys, 'key');
      const verb = this.#netKeys === 1 ? 'has' : 'have';
      notes.push(`${keys} ${verb} several rows whose sums are equal: add them up with --net`);
    }
    return notes;
  }

  /** The option of a cause, where the records were multiplied already. */
  #besideFactor({ option, meaning, factor }: AmountCause): Pick<AmountCause, 'option' | 'meaning'> {
    if (!factor || !this.#factor) return { option, meaning };
    const product = multiply(factor, this.#factor);
    const isOne = compareDecimals(product, ONE) === 0;
    const text = formatDecimal(product);
    const wanted = text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text;
    return {
      option: isOne ? '--factor 1' : quoted`--factor ${own(wanted)}`,
      meaning: isOne ? 'the amounts are equal without a factor' : 'the amounts differ by a factor',
    };
  }

  /** Takes the form that explains the most keys, then the next, until no key is left. */
  #keyNotes(): string[] {
    const notes: string[] = [];
    let [bill, records] = [this.#onlyInBill, this.#onlyInRecords] as [Keys, Keys];
    for (;;) {
      const found = this.#forms
        .map((form) => ({
          form,
          ...matchKeys(bill, records, (key) => key.map(form.apply).join('\0')),
        }))
        .reduce<(KeyMatch & { form: KeyForm }) | undefined>(
          (best, each) => (each.count > (best?.count ?? 0) ? each : best),
          undefined,
        );
      if (!found) break;
      const { form, count } = found;
      notes.push(
        `${this.#counted(count)} would match with ${form.option}: they differ in ${form.difference}`,
      );
      [bill, records] = [found.bill, found.records];
    }
    return [...notes, ...this.#combinedNote(bill, records), ...lostNotes(bill, records)];
  }

  /** Keys that differ in several forms at once: names as few options as possible. */
  #combinedNote(bill: Keys, records: Keys): string[] {
    const options = [...new Set(this.#forms.map(({ option }) => option))].toSorted();
    const sets = options.map((left) => options.filter((option) => option !== left));
    for (const chosen of [...(options.length > 2 ? sets : []), options]) {
      const forms = this.#forms.filter(({ option }) => chosen.includes(option));
      const all = (text: string) => forms.reduce((form, { apply }) => apply(form), text);
      const { count } = matchKeys(bill, records, (key) => key.map(all).join('\0'));
      if (count > 0) return [`${this.#counted(count)} would match with ${chosen.join(' ')}`];
    }
    return [];
  }

  #counted(count: number): string {
    return `${this.#isCut ? 'at least ' : ''}${counted(count, 'row')} of the bill without a counterpart`;
  }
}

type Keys = readonly (readonly string[])[];

interface KeyMatch {
  readonly count: number;
  readonly bill: Keys;
  readonly records: Keys;
}

function matchKeys(bill: Keys, records: Keys, form: (key: readonly string[]) => string): KeyMatch {
  const theirs = new Set(records.map(form));
  const ours = bill.map(form);
  const restOfBill = bill.filter((_, at) => !theirs.has(ours[at] ?? ''));
  const count = bill.length - restOfBill.length;
  if (count === 0) return { count, bill, records };
  const found = new Set(ours);
  return { count, bill: restOfBill, records: records.filter((key) => !found.has(form(key))) };
}

/** Keys of which Excel has lost digits. Nothing can restore them, so there is no option. */
function lostNotes(bill: Keys, records: Keys): string[] {
  return [lostNote('records', records, bill), lostNote('bill', bill, records)].flat();
}

function lostNote(side: string, damaged: Keys, whole: Keys): string[] {
  const rounded = new Set<string>();
  const digits = new Set<number>();
  let example = '';
  for (const key of damaged) {
    const lost = lostDigits(key[0] ?? '');
    if (!lost) continue;
    example ||= key[0] ?? '';
    digits.add(lost.digits);
    rounded.add(lost.rounded);
  }
  const count = whole.filter(([key = '']) =>
    [...digits].some((each) => rounded.has(roundDigits(key, each))),
  ).length;
  if (count === 0) return [];
  return [
    `Excel has removed digits from keys of the ${side}, such as ${example}; ${counted(count, 'row')} of the other side may be meant: export the column as text`,
  ];
}

function areSame(a: Decimal | undefined, b: Decimal | undefined): boolean {
  if (!a || !b) return a === b;
  return compareDecimals(a, b) === 0;
}

/** The sums of the amounts of rows; blank where all are blank. */
export function netAmounts(group: readonly ComparedRow[]): string[] {
  const [first] = group;
  return (first?.amounts ?? []).map((_, index) => {
    const numbers = group.flatMap(({ amounts }) => parseDecimal(amounts[index] ?? '') ?? []);
    if (numbers.length === 0) return '';
    const sum = new DecimalSum();
    for (const number of numbers) sum.add(number);
    return sum.text;
  });
}
