import { InvalidArgumentError } from 'commander';
import { DEFAULT_LEVELS } from '../../../detection/levels.ts';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, inFlight } from '../../frame/option-values.ts';
import { KEEP_GOING } from '../request-options.ts';

/** @throws {InvalidArgumentError} unless `text` is a number. Services differ in the range. */
function score(text: string): number {
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  if (isNumber && Number.isFinite(Number(text))) return Number(text);
  throw new InvalidArgumentError('It must be a number, such as 50 or 0.7.');
}

export const detect: CommandDeclaration = {
  name: 'detect',
  description: 'Check an AI reply for emotional risks.',
  declare: (command) => {
    command
      .argument('[text]', 'the text, @FILE, or - for stdin')
      .option('--field <path>', 'path of the text in JSON, such as choices.0.message.content')
      .optionsGroup('Several texts:')
      .option(
        '--batch <file>',
        'check the text (field) in each JSON line of a file, or of stdin (-)',
      )
      .option('--lines', 'check each line as a separate text')
      .option('--concurrency <n>', 'maximum number of texts in flight (default 16)', inFlight)
      .option(...KEEP_GOING)
      .optionsGroup('Gates and reports:')
      .option('--fail-on <level>', 'exit with 10 at this level or above')
      .option('--fail-score <n>', 'exit with 10 at this score or above', score)
      .option(
        '--levels <order>',
        "levels of the service, such as 'safe<low<high' (default: the setting detect_levels)",
      )
      .option('--as-is', 'judge the text as given: also a text that a gate refuses or unwraps')
      .option('--junit <file>', 'also write a JUnit report')
      .option('--sarif <file>', 'also write a SARIF report')
      .option('--include-text', 'quote the texts in the reports')
      .optionsGroup('Options:')
      .option('--rewrite', 'print only the safer rewrite')
      .option('-H, --header <line>', "send the header 'Name: value', repeatable", collect);
  },
  help: {
    notes: `
        Levels: ${DEFAULT_LEVELS}. The overall risk decides, but a rule with a higher level stops a
        text too, and so does an unknown level. Without a gate, the JUnit report fails texts at high
        or above. With --levels, it uses the level at the same place in that list.

        A gate (--fail-on, --fail-score) and a report refuse input that is probably not the text
        itself: JSON without --field, an HTTP response, an event stream, a text without letters, and
        the name of a file without @.

        They also judge the texts inside a text, such as the values of YAML, TOML, CSV, a form or a
        log, and the content of Base64 or a MIME message. The highest level counts. --as-is judges
        the text as given.

        --field is the path of the text, such as choices.0.message.content. Only its last name may
        contain dots.

        --batch and --lines print a JSON line for each text, in order. A failed text is printed as
        {"error":{…}}.`,
    examples: [
      'mop detect "You only need me." --env sandbox',
      'mop detect @reply.txt --fail-on high',
      'mop detect @reply.json --field choices.0.message.content --fail-on high',
      'mop detect - --lines --fail-score 50 --junit report.xml < replies.txt',
      'mop detect --batch replies.jsonl --field answer --sarif report.sarif > results.jsonl',
      "mop detect @reply.txt --levels 'safe<low<high' --fail-on low",
    ],
    failures: ['config', 'auth', 'api', 'network', 'risk', 'mixed'],
  },
  load: async () => (await import('./detect.run.ts')).run,
};
