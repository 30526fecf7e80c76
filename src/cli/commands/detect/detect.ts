import { Option } from 'commander';
import { LEVELS } from '../../../protocol/detection.ts';
import type { CommandDeclaration } from '../../frame/command.ts';
import { atMost, collect, inFlight, nonNegative } from '../../frame/option-values.ts';

const score = atMost(nonNegative, 100);

export const detect: CommandDeclaration = {
  name: 'detect',
  description: 'Check what an AI says for emotional risks.',
  declare: (command) => {
    command
      .argument('[text]', 'the text, @FILE, or - for stdin')
      .optionsGroup('Several texts:')
      .option('--batch <file>', 'check the text in each JSON line of a file, or of stdin (-)')
      .option('--field <name>', 'where the text stands in a JSON line (text)')
      .option('--lines', 'check each line by itself')
      .option('--concurrency <n>', 'texts in flight (8)', inFlight)
      .optionsGroup('Gates and reports:')
      .addOption(new Option('--fail-on <level>', 'exit with 10 from this level on').choices(LEVELS))
      .option('--fail-score <n>', 'exit with 10 from this score on (0 to 100)', score)
      .option('--junit <file>', 'write a JUnit report as well')
      .option('--sarif <file>', 'write a SARIF report as well')
      .option('--include-text', 'quote the texts in the reports')
      .optionsGroup('Options:')
      .option('--rewrite', 'print the safer rewrite alone')
      .option('-H, --header <line>', "send 'Name: value' along, repeatable", collect);
  },
  help: {
    notes: `
        Levels: ${LEVELS.join(' < ')}. The overall risk decides, but a rule that is graver stops a
        text too, and so does a level that is not known. Without a gate, a text is failed in the
        JUnit report from high on. Several texts give a JSON line each, in their order; one that
        fails gives {"error":{…}}.`,
    examples: [
      'mop detect "You only need me." --env sandbox',
      'mop detect @reply.txt --fail-on high',
      'mop detect - --lines --fail-score 50 --junit report.xml < replies.txt',
      'mop detect --batch replies.jsonl --field answer --sarif report.sarif > results.jsonl',
    ],
    failures: ['config', 'auth', 'api', 'network', 'risk', 'mixed'],
  },
  load: () => import('./detect.run.ts'),
};
