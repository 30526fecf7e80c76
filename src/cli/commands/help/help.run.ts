import { largest } from '../../../any-length.ts';
import { MopError } from '../../../errors.ts';
import { READINGS } from '../../../protocol/readings.ts';
import type { Output } from '../../context/output.ts';
import { SETTINGS } from '../../context/setting-keys.ts';
import { table } from '../../context/table.ts';
import { EXIT_CODES, OK } from '../../exit-codes.ts';
import { type Call, lineage } from '../../frame/command.ts';
import { buildProgram } from '../../frame/program.ts';
import { printCommandHelp } from '../../frame/show-help.ts';
import environment from './environment.json' with { type: 'json' };
import cronjob from './examples/cronjob.yaml?raw';
import crontab from './examples/crontab?raw';
import crontabCompare from './examples/crontab-compare?raw';
import indexedJob from './examples/indexed-job.yaml?raw';
import alerts from './examples/mop-alerts.yml?raw';
import service from './examples/mop-bill.service?raw';
import timer from './examples/mop-bill.timer?raw';
import notifyService from './examples/mop-notify@.service?raw';
import notify from './examples/mop-notify.sh?raw';
import parallel from './examples/parallel.sh?raw';
import exitCodes from './exit-codes.json' with { type: 'json' };
import topics from './topics.md?raw';

const EXIT_CODE_ROWS = Object.entries(exitCodes)
  .map(([name, meaning]) => ({ code: codeOf(name), name, ...meaning }))
  .sort((a, b) => a.code - b.code);
const VARIABLES = Object.entries(environment).map(([variable, meaning]) => ({ variable, meaning }));
/** Null for a missing value (contract section 8). */
const SETTING_ROWS = Object.entries(SETTINGS).map(
  ([key, { meaning, fallback = null, variable = null, flag = null }]) => {
    return { key, meaning, default: fallback, variable, flag };
  },
);
const READING_ROWS = Object.entries(READINGS).map(([name, { values, point }]) => {
  return { name, values, point };
});

/** The tables of the topics, for `--json`. */
const DATA: Readonly<Record<string, Record<string, unknown>>> = {
  'exit-codes': { exit_codes: EXIT_CODE_ROWS },
  environment: { variables: VARIABLES },
  settings: { settings: SETTING_ROWS },
  readings: { readings: READING_ROWS },
};

interface Translations {
  /** Translates a state or a heading, as `Output.word` does. */
  readonly word: (word: string, entry?: string) => string;
  /** Separates names, as `Output.list` does. */
  readonly list: (names: readonly string[]) => string;
}

/** The texts that `topics.md` inserts. */
const partsOf = ({ word, list }: Translations): Readonly<Record<string, string>> => ({
  'exit-codes': table(
    [word('CODE', 'exit codes: CODE'), word('NAME'), word('RETRY'), word('MEANING')],
    EXIT_CODE_ROWS.map(({ code, name, retry, meaning }) => [
      `${code}`,
      name,
      word(retry),
      word(meaning),
    ]),
  ),
  environment: table(
    ['VARIABLE', 'MEANING'],
    VARIABLES.map(({ variable, meaning }) => [variable, meaning]),
  ),
  settings: SETTING_ROWS.map((row) => settingLines(row, { word, list })).join('\n'),
  readings: READING_ROWS.map(
    ({ name, values, point }) => `${name.padEnd(16)}${list(values)}\n    ${point}`,
  ).join('\n'),
  crontab: indented(crontab),
  'crontab-compare': indented(crontabCompare),
  'mop-bill.service': indented(service),
  'mop-bill.timer': indented(timer),
  'mop-notify@.service': indented(notifyService),
  'mop-notify.sh': indented(notify),
  'mop-alerts.yml': indented(alerts),
  'cronjob.yaml': indented(cronjob),
  'indexed-job.yaml': indented(indexedJob),
  'parallel.sh': indented(parallel),
});

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export const TOPICS = topicsWith({ word: String, list: (names) => names.join(', ') });

function topicsWith(translations: Translations): readonly Topic[] {
  const parts = partsOf(translations);
  return topics
    .replaceAll(/^```\n/gm, '')
    .replaceAll(/^\{\{([\w.@-]+)\}\}$/gm, (_, part: string) => parts[part] ?? '')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [head = '', ...paragraphs] = section.split('\n\n');
      const [name = '', title = ''] = head.split(/: (.*)/);
      return { name, title, text: paragraphs.join('\n\n').trimEnd() };
    });
}

export async function run({
  args: [first, rest],
  context,
  command,
}: Call<unknown, [string | undefined, readonly string[]]>): Promise<void> {
  const { output } = context;
  const [word, list] = [output.word.bind(output), output.list.bind(output)];
  const all = output.translation ? topicsWith({ word, list }) : TOPICS;
  const topic = all.find(({ name }) => name === first);
  if (topic === undefined) {
    const words = first === undefined ? [] : [first, ...rest];
    const [{ content }] = lineage(command);
    return printCommandHelp(words, buildProgram(content), context);
  }
  if (rest.length === 0) return printTopic(topic, output);
  throw new MopError('usage', `the topic ${topic.name} has no subtopics`, {
    hint: `run: mop help ${topic.name}`,
  });
}

async function printTopic({ name, title, text }: Topic, output: Output): Promise<void> {
  if (output.json) return output.document({ topic: name, title, text, ...DATA[name] });
  const heading = output.styles('stdout').bold(await output.prose(title));
  await output.data(`${heading}\n\n${await output.prose(text)}`);
}

function codeOf(name: string): number {
  return name === 'ok' ? OK : EXIT_CODES[name as keyof typeof EXIT_CODES];
}

/** A setting on two lines: its meaning, then its default, variable and flag. */
function settingLines(
  { key, meaning, default: preset, variable, flag }: (typeof SETTING_ROWS)[number],
  { word, list }: Translations,
): string {
  const width = largest(Object.keys(SETTINGS).map(({ length }) => length)) + 2;
  const origins = [preset ? `${word('default')} ${preset}` : null, variable, flag];
  const sources = list(origins.filter((origin) => origin !== null));
  const line = key.padEnd(width) + meaning;
  return sources === '' ? line : `${line}\n${' '.repeat(width)}${sources}`;
}

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, '  ');
}
