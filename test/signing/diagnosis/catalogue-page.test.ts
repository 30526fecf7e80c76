/** The tables of docs/diagnosis.md. To update them, run this file with `npx vitest run FILE -u`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CATALOGUE, LATER } from '../../../src/signing/diagnosis/catalogue.ts';
import { DIAGNOSIS_IDS, type Mistake } from '../../../src/signing/diagnosis/mistake.ts';

const BEGIN = '<!-- Generated from src/signing/diagnosis/catalogue.ts -->';
const END = '<!-- End of the generated tables -->';
const path = fileURLToPath(new URL('../../../docs/diagnosis.md', import.meta.url));
const sent = readFileSync(path, 'utf8');

function tables(): string {
  const perField = Object.values(CATALOGUE)
    .flat()
    .filter(({ rows }) => rows.some(({ changesText }) => changesText));
  return [
    ...Object.entries(CATALOGUE).map(([name, mistakes]) =>
      [
        ...[`### ${name}`, '', '| id | mistake |', '|---|---|'],
        ...mistakes.map((mistake) => `| \`${mistake.id}\` | ${cellOf(mistake)} |`),
      ].join('\n'),
    ),
    `These mistakes are also found if a program makes them in a single field, in the business fields only, or in the headers only: ${perField.map(({ id }) => `\`${id}\``).join(', ')}. Two single fields with such mistakes are found too.`,
  ].join('\n\n');
}

/** The rows of a mistake, and the lists that depend on the request. Rows of one beginning share a line. */
function cellOf({ id, rows, about }: Mistake): string {
  const lines = new Map<string, Set<string>>();
  for (const { title } of rows) {
    const short = title.replace(', those inside nested JSON too,', '');
    const [, beginning = short, end = ''] = BEGINNING.exec(short) ?? [];
    lines.set(beginning, (lines.get(beginning) ?? new Set()).add(end));
  }
  const later = LATER.filter((mistake) => mistake.id === id).flatMap((mistake) => mistake.about);
  return [...joined(lines), ...about, ...later].map(escaped).join('<br>');
}

/** The beginning of a title: up to a colon, or else up to a verb. */
const BEGINNING =
  /^([^"'{]*?:(?= )|[^":]*? (?:was|were) (?:appended after(?= ")|(?:\w+-)?\w+ed|put|sent|taken|left(?! out))(?=[ ,]))(.+)$/;

/** A line for each beginning. Beginnings with the same ends follow each other. */
function joined(lines: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const subjects = new Map<string, string[]>();
  for (const [beginning, ends] of lines) {
    if (ends.has('')) subjects.set(beginning, ['']);
    const list = listed([...ends].filter((end) => end !== ''));
    if (list !== '') subjects.set(list, [...(subjects.get(list) ?? []), beginning]);
  }
  return [...subjects].flatMap(([list, beginnings]) => {
    const [first = '', ...others] = beginnings;
    // A row for each field, such as `sign_type=MD5 was signed, but not sent`.
    const [verb = ''] = / (?:was|were) signed$/.exec(first) ?? [];
    if (beginnings.length > 6 && verb) {
      const names = beginnings.map((each) => each.replace(/ (?:was|were) signed$/, ''));
      return [`a field was signed${list}: ${names.join('; ')}`];
    }
    const same = list.includes('; ') ? ', in the same forms' : list;
    return [
      (first + list).replace('::', ':'),
      ...others.map((each) => each.replace(/:$/, '') + same),
    ];
  });
}

/** The different ends of a title, after the words that begin and end all of them. */
function listed(ends: readonly string[]): string {
  if (ends.length < 2) return ends.join('');
  const parts =
    ends.length > MAX_LISTED ? [...new Set(ends.flatMap((end) => end.split(BETWEEN)))] : ends;
  const words = parts.map((part) => part.split(/(?<=\S)(?= )/));
  const first = words[0] ?? [];
  const length = Math.min(...words.map((each) => each.length)) - 1;
  const isCommon = (word: string | undefined, at: number): boolean =>
    words.every((each) => each.at(at) === word);
  let before = 0;
  while (before < length && isCommon(first[before], before)) before++;
  let behind = 0;
  while (behind < length - before && isCommon(first.at(-1 - behind), -1 - behind)) behind++;
  const start = first.slice(0, before).join('');
  const end = first.slice(first.length - behind).join('');
  const middles = words.map((each) =>
    each
      .slice(before, each.length - behind)
      .join('')
      .trim(),
  );
  const combined = parts.length < ends.length ? ', or a combination of these' : '';
  return `${start}${end && ` …${end}`}: ${middles.join('; ')}${combined}`;
}

/** Longer lists are products of shorter ones. */
const MAX_LISTED = 75;
const BETWEEN =
  /, (?=(?:except|only) integers$|and appended too|in the order|sorted by|without null|with |indented|nested names)| and (?=(?:".*"|nothing) after the names)/;

function escaped(text: string): string {
  return text
    .replace(/[\\`*<>&|$~#]|(?<!\w)_|_(?!\w)/g, '\\$&')
    .replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1));
}

it('the page contains the current tables', async () => {
  const [before, after] = [sent.split(BEGIN)[0], sent.split(END)[1]];
  expect(sent).toContain(`${BEGIN}\n`);
  const page = `${before}${BEGIN}\n\n${tables()}\n\n${END}${after}`;
  const message =
    'docs/diagnosis.md is out of date: npx vitest run test/signing/diagnosis/catalogue-page.test.ts -u';
  await expect(page, message).toMatchFileSnapshot(path);
});

it('the tables contain every mistake of a signer', () => {
  const ids = [...tables().matchAll(/^\| `([a-z0-9-]+)` \| \S/gm)].map(([, id]) => id);
  // A wrong version is not a mistake of the signer.
  expect(ids.toSorted()).toEqual(DIAGNOSIS_IDS.filter((id) => id !== 'version').toSorted());
});
