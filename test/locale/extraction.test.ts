// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are sources of modules.
/** The texts that `npm run locales` finds in a source. */
import { expect, it } from 'vitest';
import { textsOfJson, textsOfModule, textsOfTopics } from '../../scripts/locales/read-texts.js';

it.each([
  ['a message', "throw new MopError('io', `cannot read ${path}: ${why}`);", ['cannot read {}: {}']],
  ['a hint', 'const hint = quoted`run: mop bill fetch -o ${path}`;', ['run: mop bill fetch -o {}']],
  ['a sum', "const text = 'the file ' + name + ' is empty';", ['the file {} is empty']],
  [
    'both branches',
    "f(`it is ${old ? 'too old' : 'too new'}`);",
    ['it is too old', 'it is too new'],
  ],
  [
    'singular and plural',
    "f(`${counted(n, 'bill')} missing`);",
    ['{} bill missing', '{} bills missing'],
  ],
  ['a constant', "const NOTE = 'no file'; f(`there is ${NOTE}`);", ['no file', 'there is no file']],
  ['adjacent values', 'f(`the row ${a}${b} is new`);', ['the row {} is new']],
  ['a styled part', "f(`${style.red('Wrong:')} the row is new`);", ['the row is new', 'Wrong:']],
  ['lines', "f('the first line\\nthe second line');", ['the first line', 'the second line']],
  ['a key', "const rows = { 'as JSON text': 1 };", ['as JSON text']],
  [
    'notes of a help',
    'const help = { notes: `\n  A text of\n  two lines.\n\n  name  its meaning is long` };',
    ['A text of two lines.', 'its meaning is long'],
  ],
])('finds %s', (_, source, texts) => {
  expect(textsOfModule('a.ts', source).map(({ text }) => text)).toEqual(texts);
});

it.each([
  ['a word', "f('missing');"],
  ['an import', "import a from './the file name.ts';"],
  ['a type', "type A = 'two words';"],
  ['an error that only a bug causes', "throw new Error('no clock is set');"],
  ['an example', "const help = { examples: ['mop bill fetch the day'] };"],
  ['code', "f('text/html; charset=utf-8');"],
])('skips %s', (_, source) => {
  expect(textsOfModule('a.ts', source)).toEqual([]);
});

it('finds headings and styled words as words', () => {
  const source = "output.table(['KEY', 'VALUE'], rows); style.green('right');";
  const words = textsOfModule('a.ts', source).filter(({ isWord }) => isWord);
  expect(words.map(({ text }) => text)).toEqual(['KEY', 'VALUE', 'right']);
});

it('finds the texts of JSON and of topics', () => {
  expect(textsOfJson('{"a": ["the file $1 is empty", "code"]}')).toMatchObject([
    { text: 'the file {} is empty' },
  ]);
  const topics =
    '## name: A short title\n\nA text of\ntwo lines.\n\n```console\nmop sign it now\n```\n';
  expect(textsOfTopics(topics).map(({ text }) => text)).toEqual([
    'A short title',
    'A text of two lines.',
  ]);
});
