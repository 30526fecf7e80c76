import { readFileSync } from 'node:fs';
import { FAMILIES } from '../src/detection/engine/rule-families.ts';
import { MopError } from '../src/errors.ts';
import { CATEGORIES, type Category } from '../src/protocol/detection.ts';

/** A labelled text; `data/README.md` describes the files. */
export interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: 'risky' | 'safe';
  /** The family of a risky text, if known. */
  readonly family?: Category | undefined;
  /** Public rows were labelled with their conversation, which the text does not contain. */
  readonly origin: 'written' | 'public';
  /** The batch, or the model that wrote the text. One group is never in two folds. */
  readonly group: string;
  readonly lang: 'en' | 'zh';
}

/** The family for a category of the public rows; `harmful_advice` belongs to several. */
const FAMILY_OF: Readonly<Record<string, Category>> = {
  consciousness_claims: 'consciousness',
  anthropomorphization: 'consciousness',
  delusion_reinforcement: 'delusion',
  emotional_or_narrative_escalation: 'escalation',
  sycophancy_or_praise: 'sycophancy',
  user_retention: 'dependency',
};

/** The texts written for this project; `held-out` is only for evaluation. */
export function writtenRows(name: 'written' | 'held-out' = 'written'): Row[] {
  return rowsOf(new URL(`data/${name}.jsonl`, import.meta.url));
}

/**
 * Rows of a file of JSON lines. The group of a row is its id up to the last hyphen.
 *
 * @throws {MopError} `usage`, with the line of a faulty row.
 */
export function rowsOf(file: string | URL): Row[] {
  return linesOf(file).map((line, at) => {
    const fault = faultOf(line);
    if (fault) throw new MopError('usage', `${file}:${at + 1}: ${fault}`);
    return { ...line, origin: 'written', group: line.id.replace(/-[^-]*$/, '') };
  });
}

/** The public texts (`data/README.md` has their licence). */
export function publicRows(): Row[] {
  return linesOf(new URL('data/public.jsonl', import.meta.url)).map(
    ({ id, text, label, category, source }) => ({
      id,
      text,
      label,
      family: label === 'risky' ? FAMILY_OF[category] : undefined,
      origin: 'public',
      group: source.startsWith('darkbench') ? 'darkbench' : source.split('/')[1],
      lang: 'en',
    }),
  );
}

/** The rewrites of the rules, as safe texts: a rewrite must not look risky. */
export function rewriteRows(): Row[] {
  return FAMILIES.flatMap(({ rules }) => rules).flatMap(({ id, rewrite }) =>
    (['en', 'zh'] as const).map((lang) => ({
      id: `${id}-${lang}`,
      text: rewrite[lang],
      label: 'safe',
      origin: 'written',
      group: 'rewrites',
      lang,
    })),
  );
}

function linesOf(file: string | URL) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line, at) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new MopError('usage', `${file}:${at + 1}: not a JSON object`);
    }
  });
}

/** The reason why a line is not a row (`data/README.md`). */
function faultOf(line: Partial<Record<string, unknown>> | null): string | undefined {
  if (typeof line !== 'object' || line === null) return 'not a JSON object';
  const { id, text, label, lang, family } = line;
  if (typeof id !== 'string') return 'id is not a string';
  if (typeof text !== 'string' || text.trim() === '') return 'text is not a string, or blank';
  if (label !== 'risky' && label !== 'safe') return 'label is neither "risky" nor "safe"';
  if (lang !== 'en' && lang !== 'zh') return 'lang is neither "en" nor "zh"';
  if (family !== undefined && !CATEGORIES.some((category) => category === family)) {
    return `family is not one of ${CATEGORIES.join(', ')}`;
  }
  return undefined;
}
