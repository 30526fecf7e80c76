/** Checks the prose of files: `npm run prose`, or `npm run prose -- FILE…`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  hasComments,
  namesOfModule,
  proseOfComments,
  proseOfMarkdown,
  proseOfModule,
} from './read-prose.js';
import { MAX_WORDS, NAME_WORDS, RULES } from './rules.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files whose texts are data: training texts, patterns of rules, licences, examples. */
const DATA =
  /^(?:training\/(?:texts|data)|src\/detection\/engine\/(?:rules\/(?!README)|rewrite)|src\/sandbox\/pages\/texts\/examples|test\/(?:interop\/.*\/node_modules|detection\/fixtures)|docs\/(?:protocol|languages\/)|scripts\/prose\/rules)/;

/** Tests with replies of an AI in their tables. */
const TEXT_ROWS = /^test\/detection\/engine\//;

const MODULE = /\.[cm]?[jt]s$/;

/** The texts of pages, in each language. */
const PAGE_TEXTS = /^src\/.*\btexts(?:\/[\w-]+)?\.json$/;

/** The file with long sentences, because it lists options. */
const CONTRACT = 'docs/contract.md';

/**
 * Checks the prose and the names in one file.
 *
 * @param {string} name The path below the root of the repository.
 * @returns {string[]} Each as `FILE:LINE: ADVICE: SENTENCE`.
 */
function faultsOf(name) {
  const source = readFileSync(`${ROOT}/${name}`, 'utf8');
  const prose = proseOf(name, source);
  const names = MODULE.test(name) ? [...namesOfModule(name, source)] : [];
  const badNames = names.filter(([identifier]) =>
    identifier.split(/(?=[A-Z])|_/).some((word) => NAME_WORDS.test(word.toLowerCase())),
  );
  const badSentences = prose.flatMap(({ line, text }) =>
    sentences(text).flatMap((sentence) => {
      const advice = RULES.filter(({ pattern }) => pattern.test(sentence)).map(
        ({ advice }) => advice,
      );
      const words = sentence.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length;
      if (words > MAX_WORDS && name !== CONTRACT) advice.push(`${words} words: split the sentence`);
      return advice.map((advice) => `${name}:${line}: ${advice}: ${sentence}`);
    }),
  );
  return [
    ...badSentences,
    ...badNames.map(([identifier, line]) => `${name}:${line}: rename: ${identifier}`),
  ];
}

function proseOf(name, source) {
  if (name.endsWith('.md')) return proseOfMarkdown(source);
  if (PAGE_TEXTS.test(name)) return proseOfPage(source);
  if (!MODULE.test(name)) return proseOfComments(name, source);
  const strings = name.startsWith('src/')
    ? 'all'
    : name.startsWith('test/')
      ? 'test-names'
      : 'none';
  return proseOfModule(name, source, { strings, rows: !TEXT_ROWS.test(name) });
}

/** The English texts of a page. */
function proseOfPage(source) {
  return source.split('\n').flatMap((text, index) => {
    const [, english] = /"en": ("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
    return english === undefined ? [] : [{ line: index + 1, text: JSON.parse(english) }];
  });
}

/** Also splits at a colon or a semicolon: each part is checked as a sentence. */
function sentences(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.?!;:])\s+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** The tracked files that contain prose. */
function filesWithProse() {
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter(
      (name) =>
        (MODULE.test(name) || PAGE_TEXTS.test(name) || name.endsWith('.md') || hasComments(name)) &&
        !DATA.test(name) &&
        !name.endsWith('.zh-CN.md'),
    );
}

const given = process.argv.slice(2);
const names = filesWithProse().filter(
  (name) => given.length === 0 || given.some((path) => name.startsWith(path)),
);
const faults = names.flatMap(faultsOf);
for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults in ${names.length} files`);
// A wrong path would pass.
if (faults.length > 0 || names.length === 0) process.exitCode = 1;
