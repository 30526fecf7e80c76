import { digestOther } from './dimensions/digest.ts';
import { fieldsStale, nearbyTimestamps } from './dimensions/generated-values.ts';
import { hexLowercase, signatureFormat } from './dimensions/printing.ts';
import {
  lostValues,
  truncatedTexts,
  valueReformatted,
  valuesOfOthers,
} from './dimensions/value-text.ts';
import { MISTAKES } from './dimensions.ts';
import {
  DIAGNOSIS_IDS,
  type Evidence,
  edited,
  type Mistake,
  type Suspect,
  USUAL,
  type Variant,
  VERY_RARE,
} from './mistake.ts';
import type { Pair, Signer } from './signer.ts';

/**
 * The baselines of a search: lists of mistakes that the signature itself shows, such as lower case
 * or another digest. A signature of the right form has one empty list. No list means that no
 * known digest has this form.
 */
export function visibleMistakes(evidence: Evidence): readonly (readonly Suspect[])[] {
  const lowercase = suspectsOf(hexLowercase, evidence);
  if (looksLikeMd5(evidence)) return [lowercase];
  return VISIBLE.flatMap((mistake) => suspectsOf(mistake, evidence)).map((suspect) => [
    suspect,
    ...(suspect.mistake === digestOther ? lowercase : []),
  ]);
}

/** Mistakes to try only if the signature does not look like an MD5. */
const VISIBLE: readonly Mistake[] = [digestOther, signatureFormat];

function looksLikeMd5({ signature }: Evidence): boolean {
  return /^[0-9a-f]{32}$/i.test(signature);
}

/** Mistakes beyond {@link visibleMistakes}. For a large request, only those that read few values. */
export function suspectsFor(evidence: Evidence, isLarge: boolean): readonly Suspect[] {
  return MISTAKES.filter((mistake) => !(isLarge && mistake.readsEveryValue))
    .filter((mistake) => mistake !== hexLowercase)
    .filter((mistake) => looksLikeMd5(evidence) || !VISIBLE.includes(mistake))
    .flatMap((mistake) => suspectsOf(mistake, evidence));
}

function suspectsOf(mistake: Mistake, evidence: Evidence): readonly Suspect[] {
  return mistake.variants(evidence).map((variant) => ({ ...variant, mistake }));
}

export function costOf({ cost = USUAL }: Variant): number {
  return cost;
}

/** Sorts by plausibility, then in the order of the contract. */
export function comparePlausibility(a: Suspect, b: Suspect): number {
  return (
    costOf(a) - costOf(b) ||
    DIAGNOSIS_IDS.indexOf(a.mistake.id) - DIAGNOSIS_IDS.indexOf(b.mistake.id)
  );
}

/** The text that a suspect gives a field. */
interface OtherText {
  readonly suspect: Suspect;
  readonly text: string;
  readonly cost: number;
}

/** Mistakes in only some of the fields: up to thousands. */
export interface LaterSuspects {
  /** Mistakes in a single field, or in one kind of fields, and a clock read at another moment. */
  readonly ofOneField: readonly Suspect[];
  /** Mistakes in some of the fields: too many to keep in memory. */
  readonly ofSomeFields: Iterable<Suspect>;
}

export function laterSuspects(
  right: Signer,
  evidence: Evidence,
  suspects: readonly Suspect[],
): LaterSuspects {
  const rightTexts = singleTexts(right.pairs);
  const sources = new Map(evidence.fields.map(({ position, source }) => [position, source]));
  const byField = new Map<number, Map<string, OtherText>>();
  const ofSource: Suspect[] = [];
  const bySuspect: (readonly [Suspect, Changed])[] = [];
  // Sorted by cost: of several suspects that give a field the same text, keep the first.
  for (const suspect of suspects.toSorted(comparePlausibility)) {
    if (!suspect.mistake.perField) continue;
    const texts = singleTexts(suspect.change(right).pairs);
    const changed = [...rightTexts].flatMap(([position, { value }]) => {
      const text = texts.get(position)?.value;
      return text === undefined || text === value ? [] : [[position, text] as const];
    });
    if (changed.length < 2) continue;
    const cost = costOf(suspect) + ONE_FIELD;
    for (const [position, text] of changed) {
      const known = byField.get(position) ?? new Map<string, OtherText>();
      byField.set(position, known);
      if (!known.has(text)) known.set(text, { suspect, text, cost });
    }
    bySuspect.push([suspect, changed]);
    for (const { source, title } of SCOPES) {
      const affected = changed.filter(([position]) => sources.get(position) === source);
      if (affected.length > 1 && affected.length < changed.length) {
        ofSource.push({
          ...suspect,
          ...withTexts(`${suspect.title}, ${title} alone`, new Map(affected)),
          cost: costOf(suspect) + 1,
        });
      }
    }
  }
  const ofOneField = [...byField].flatMap(([position, texts]) =>
    [...texts.values()].map(({ suspect, text, cost }): Suspect => {
      const { name = '', value = '' } = rightTexts.get(position) ?? {};
      return {
        ...suspect,
        ...withTexts(`${suspect.title}, in ${name} alone`, new Map([[position, text]])),
        fix: `sign ${name} with the characters that are sent: ${value}`,
        slot: String(position),
        cost,
      };
    }),
  );
  const lost = [...lostValues(evidence), ...valuesOfOthers(evidence), ...truncatedTexts(evidence)];
  return {
    ofOneField: [
      ...ofSource,
      ...ofOneField,
      ...lost.map((variant) => ({ ...variant, mistake: valueReformatted })),
      ...nearbyTimestamps(evidence).map((variant) => ({ ...variant, mistake: fieldsStale })),
    ],
    ofSomeFields: (function* () {
      for (const [suspect, changed] of bySuspect) yield* withSomeFields(suspect, changed, evidence);
    })(),
  };
}

/** The texts of fields with a mistake. */
type Changed = readonly (readonly [position: number, text: string])[];

/** The mistake in two of its fields, and in all but one. */
function* withSomeFields(
  suspect: Suspect,
  changed: Changed,
  { fields }: Evidence,
): Generator<Suspect> {
  if (changed.length < 3 || changed.length > MAX_FIELDS) return;
  const names = new Map(fields.map(({ position, name }) => [position, name]));
  const combinationsOfTwo = changed.flatMap((first, index) =>
    changed.slice(index + 1).map((second): readonly (typeof first)[] => [first, second]),
  );
  const allButOne =
    changed.length === 3 ? [] : changed.map((out) => changed.filter((each) => each !== out));
  for (const affected of [...combinationsOfTwo, ...allButOne]) {
    const list = affected.map(([position]) => names.get(position)).join(', ');
    yield {
      ...suspect,
      ...withTexts(`${suspect.title}, in ${list} alone`, new Map(affected)),
      cost: Math.max(costOf(suspect) + SOME_FIELDS, VERY_RARE),
    };
  }
}

/** More fields give too many combinations of two. */
const MAX_FIELDS = 24;
/** Added to the cost of a mistake in some of the fields. */
const SOME_FIELDS = 4;

/** Groups of fields that a program builds separately. */
const SCOPES = [
  { source: 'business', title: 'in business fields' },
  { source: 'header', title: 'in headers' },
] as const;

/** Added to the cost of a mistake in one field only. */
export const ONE_FIELD = 1;

/** A suspect that sets the text of a single field. */
export interface OneFieldText {
  readonly position: number;
  readonly suspect: Suspect;
}

/** A suspect as the text of one field; undefined unless `wrong` differs in exactly one field. */
export function asOneField(
  suspect: Suspect,
  right: Signer,
  wrong: Signer,
): OneFieldText | undefined {
  if (!suspect.mistake.perField || right.pairs.length !== wrong.pairs.length) return undefined;
  const changed = wrong.pairs.filter(({ value }, at) => value !== right.pairs[at]?.value);
  const [only] = changed;
  if (changed.length !== 1 || only === undefined) return undefined;
  const isSame = wrong.pairs.every(({ name }, at) => name === right.pairs[at]?.name);
  const { position, value } = only;
  if (!isSame || right.pairs.filter((pair) => pair.position === position).length > 1) {
    return undefined;
  }
  const { change } = withTexts(suspect.title, new Map([[position, value]]));
  return { position, suspect: { ...suspect, change } };
}

/** The pairs by position. Omits positions with several pairs. */
function singleTexts(pairs: readonly Pair[]): ReadonlyMap<number, Pair> {
  const texts = new Map<number, Pair>();
  const several = new Set<number>();
  for (const pair of pairs) {
    if (texts.has(pair.position)) several.add(pair.position);
    texts.set(pair.position, pair);
  }
  for (const position of several) texts.delete(position);
  return texts;
}

function withTexts(title: string, texts: ReadonlyMap<number, string>): Variant {
  return edited(title, (pair) => {
    const value = texts.get(pair.position);
    return value === undefined ? pair : { ...pair, value };
  });
}
