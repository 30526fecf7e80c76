import HABITS from './habits.txt?raw';
import type { Variant } from './mistake.ts';

/** The beginning of the titles that habits.txt shortens to a word. */
const SUBJECTS: Readonly<Record<string, string>> = {
  null: 'fields that are null were signed as',
  // Within nested JSON, booleans stay true and false.
  boolean: 'booleans outside nested JSON were signed as',
  number: 'numbers were signed',
  text: 'texts were signed',
  nested: 'nested JSON was signed',
  split: 'nested JSON was split into separate fields:',
  encoded: 'names and values were percent-encoded',
};

const TITLES: readonly (readonly string[])[] = HABITS.replace(/^#.*\n/gm, '')
  .trim()
  .split('\n\n')
  .flatMap((paragraph) => {
    const [first = '', ...rest] = paragraph.split('\n');
    if (!first.startsWith('each ')) return combinationsOf([first, ...rest]);
    const texts = first.match(/"[^"]*"/g) ?? [];
    return texts.flatMap((text) =>
      combinationsOf(rest.map((line) => line.replaceAll('*', () => text))),
    );
  });

function combinationsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const choices: (readonly string[])[][] = [];
  for (const line of lines) {
    const [, mark, titles = ''] = /^([?|]?) ?(.*)$/.exec(line) ?? [];
    const option = titles === '' ? [] : titles.split(' + ').map(longTitle);
    if (mark === '|') choices.at(-1)?.push(option);
    else choices.push([option]);
  }
  return choices.reduce<readonly (readonly string[])[]>(
    (chosen, options) => options.flatMap((option) => chosen.map((each) => [...each, ...option])),
    [[]],
  );
}

function longTitle(title: string): string {
  const [word = ''] = title.split(' ', 1);
  const subject = title.startsWith('nested JSON') ? undefined : SUBJECTS[word];
  return subject === undefined ? title : subject + title.slice(word.length);
}

/** The habits for a request. A habit that prints null occurs again without that mistake. */
export function habitsOf(usual: readonly Variant[]): readonly (readonly Variant[])[] {
  const known = new Map(usual.map((variant) => [variant.title, variant]));
  return TITLES.flatMap((titles) => {
    const habit = titles.flatMap((title) => known.get(title) ?? []);
    const withoutNull = habit.filter(({ id }) => id !== 'null-included');
    return withoutNull.length < habit.length ? [habit, withoutNull] : [habit];
  });
}
