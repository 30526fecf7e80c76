/** Collects the English texts of all sources. */
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import {
  stringsOfJson,
  stringsOfModule,
  textsOfJson,
  textsOfModule,
  textsOfTopics,
} from './read-texts.js';

/** Modules whose strings are data, or texts of pages. */
const DATA = [
  'src/detection/engine/**',
  'src/sandbox/{detection,graphql,pages}/**',
  'src/server/pages/**',
  'src/signing/programs/**',
  'src/**/assets/**',
];

/** JSON whose values are texts. */
const TEXT_DATA = [
  'src/cli/commands/help/*.json',
  'src/cli/context/settings.json',
  'src/files/*.json',
  'src/protocol/result-hints.json',
  'src/signing/capture/faults.json',
  'src/signing/diagnosis/fixes.json',
];

const TOPICS = ['src/cli/commands/gql/language.md', 'src/cli/commands/help/topics.md'];

/** Tables whose cells are parts of texts, and examples with comments. */
const TABLES = [
  'src/**/*.txt',
  'src/signing/**/*.json',
  'src/detection/categories.json',
  'src/cli/commands/help/examples/*',
];

/** Packages whose messages mop prints. The commonest of them are translated. */
const PACKAGES = [
  'node_modules/commander/lib/*.js',
  'node_modules/graphql/{error,execution,language,type,utilities,validation}/**/*.mjs',
];

/**
 * @typedef {object} Sources
 * @property {Map<string, string>} texts Texts of messages and help, each with its first place.
 * @property {Map<string, string>} words Headings and styled words, each with its first place.
 * @property {Set<string>} strings All strings, also of packages.
 */

/** @param {string} root The directory of the repository. @returns {Sources} */
export function readSources(root) {
  const texts = new Map();
  const words = new Map();
  const strings = new Set();
  const files = (patterns, ignore = []) => {
    const names = globSync(patterns, { cwd: root, ignore }).sort();
    return names.map((name) => [name, readFileSync(`${root}/${name}`, 'utf8')]);
  };
  const add = (name, found) => {
    for (const { text, line, isWord } of found) {
      const known = isWord ? words : texts;
      if (!known.has(text)) known.set(text, `${name}:${line}`);
      strings.add(text);
    }
  };
  for (const [name, source] of files('src/**/*.ts', DATA)) add(name, textsOfModule(name, source));
  for (const [name, source] of files(TEXT_DATA)) {
    add(name, textsOfJson(source));
    for (const text of stringsOfJson(source)) strings.add(text);
  }
  for (const [name, source] of files(TOPICS)) add(name, textsOfTopics(source));
  for (const [name, source] of files(['src/**/*.ts', ...PACKAGES])) {
    for (const text of stringsOfModule(name, source)) strings.add(text);
  }
  for (const [, source] of files(TABLES)) {
    for (const line of source.split('\n')) strings.add(line.trim());
  }
  return { texts, words, strings };
}
