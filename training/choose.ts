import { areaUnderCurve } from '../bench/quality.js';
import { type Script, scriptOf } from '../src/detection/engine/embedded-model.ts';
import { normalize } from '../src/detection/engine/normalize.ts';
import { FALSE_POSITIVES, thresholdAt } from './calibrate.ts';
import { crossValidated } from './cross-validate.ts';
import { examplesOf, vectorsOf } from './examples.ts';
import type { Row } from './rows.ts';
import { CANDIDATES } from './weighting.ts';

/** The separation of texts by models that were not trained on their group. */
interface Separation {
  readonly areaUnderCurve: number;
  /** At the share of false positives where the texts are judged. */
  readonly recall: number;
}

/** A candidate for the weights on unseen texts. */
export interface Measured {
  readonly name: string;
  /** By public writer, at {@link PUBLIC_FALSE_POSITIVES}. */
  readonly writers: Readonly<Record<string, Separation>>;
  /** Written texts, at the shares of false positives for medium. */
  readonly written: Readonly<Record<Script, Separation>>;
}

const PUBLIC_FALSE_POSITIVES = 0.12;
/** The area under the curve of written texts may be lower than that of equal weights by this. */
const MOST_LOST = 0.01;

/** Measures all candidates by cross-validation over whole sources, with one head: `risky`. */
export function measureCandidates(rows: readonly Row[]): Measured[] {
  const texts = rows.map(({ text }) => normalize(text).text);
  const scripts = texts.map(scriptOf);
  const vectors = vectorsOf(texts);
  const writers = writersOf(rows);
  return Object.entries(CANDIDATES).map(([name, weighting]) => {
    const sums = crossValidated(rows, examplesOf(rows, vectors, weighting), 1);
    const separation = (falsePositives: number, isOne: (row: Row, at: number) => boolean) =>
      separationOf(
        rows.flatMap((row, at) =>
          isOne(row, at) ? [{ label: row.label, score: sums[at]?.[0] ?? 0 }] : [],
        ),
        falsePositives,
      );
    const written = (script: Script) =>
      separation(
        FALSE_POSITIVES[script].medium,
        ({ origin }, at) => origin === 'written' && scripts[at] === script,
      );
    return {
      name,
      writers: Object.fromEntries(
        writers.map((writer) => [
          writer,
          separation(PUBLIC_FALSE_POSITIVES, ({ group }) => group === writer),
        ]),
      ),
      written: { other: written('other'), han: written('han') },
    };
  });
}

/** The public writers with safe and risky texts: the others have no area under the curve. */
function writersOf(rows: readonly Row[]): string[] {
  const labels = new Map<string, Set<Row['label']>>();
  for (const { origin, group, label } of rows) {
    if (origin === 'public') labels.set(group, (labels.get(group) ?? new Set()).add(label));
  }
  return [...labels].flatMap(([writer, { size }]) => (size === 2 ? [writer] : []));
}

function separationOf(
  rows: readonly { readonly label: Row['label']; readonly score: number }[],
  falsePositives: number,
): Separation {
  const scoresOf = (wanted: Row['label']) =>
    rows.flatMap(({ label, score }) => (label === wanted ? [score] : []));
  const least = thresholdAt(falsePositives, scoresOf('safe'));
  const risky = scoresOf('risky');
  return {
    areaUnderCurve: areaUnderCurve(rows),
    recall: risky.filter((score) => score > least).length / risky.length,
  };
}

/**
 * The candidate with the highest mean area under the curve of the writers, among those that keep
 * the area of the written texts; of equal ones, that with the highest recall.
 *
 * @param measured The first has equal weights.
 */
export function bestOf(measured: readonly Measured[]): Measured | undefined {
  const [equal] = measured;
  const isKept = ({ written }: Measured) =>
    (['other', 'han'] as const).every(
      (script) =>
        written[script].areaUnderCurve >= (equal?.written[script].areaUnderCurve ?? 0) - MOST_LOST,
    );
  const [best] = measured.filter(isKept).sort((one, other) => {
    const [a, b] = [meanOf(one), meanOf(other)];
    const difference = Math.round(1000 * b.areaUnderCurve) - Math.round(1000 * a.areaUnderCurve);
    return difference || b.recall - a.recall;
  });
  return best;
}

function meanOf({ writers }: Measured): Separation {
  const all = Object.values(writers);
  const mean = (key: keyof Separation) =>
    all.reduce((sum, separation) => sum + separation[key], 0) / all.length;
  return { areaUnderCurve: mean('areaUnderCurve'), recall: mean('recall') };
}

/** The measured candidates as lines of a table, and the best one. */
export function choiceLines(measured: readonly Measured[]): string[] {
  const writers = Object.keys(measured[0]?.writers ?? {});
  const heads = [...writers, 'mean of writers', 'written, English', 'written, Chinese'];
  const cell = ({ areaUnderCurve: area, recall }: Separation, falsePositives: number) =>
    `${area.toFixed(3)} J ${(recall - falsePositives).toFixed(3)}`.padStart(19);
  return [
    ''.padEnd(20) + heads.map((head) => head.padStart(19)).join(''),
    ...measured.map((one) => {
      const isPublic = [...writers.map((writer) => one.writers[writer]), meanOf(one)];
      return [
        one.name.padEnd(20),
        ...isPublic.map((of) => cell(of as Separation, PUBLIC_FALSE_POSITIVES)),
        cell(one.written.other, FALSE_POSITIVES.other.medium),
        cell(one.written.han, FALSE_POSITIVES.han.medium),
      ].join('');
    }),
    `best: ${bestOf(measured)?.name}`,
  ];
}
