import { InvalidArgumentError } from 'commander';
import type { CommandDeclaration } from '../frame/command.ts';
import { addFieldOptions, addHeaderModeOptions, modeOption, NO_NONCE } from './request-options.ts';

export const estimate: CommandDeclaration = {
  name: 'estimate',
  description: 'Estimate the prices of a ride.',
  declare: (command) => {
    command
      .requiredOption('--city <city>', 'the city where the ride begins')
      .requiredOption('--lat <n>', 'the latitude of the start in degrees, sent as typed', latitude);
    addFieldOptions(command).optionsGroup('Signature:').addOption(modeOption());
    addHeaderModeOptions(command).option(...NO_NONCE);
  },
  help: {
    examples: [
      'mop estimate --city 330100 --lat 30.27 -F lng=120.15 --env sandbox',
      'mop estimate --city 330100 --lat 30.27 -f car_type=comfort --json',
    ],
    failures: ['config', 'auth', 'api', 'network'],
  },
  load: async () => (await import('./estimate.run.ts')).run,
};

/** @throws {InvalidArgumentError} unless `text` is a JSON number from -90 to 90. */
function latitude(text: string): string {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  if (isNumber && Math.abs(Number(text)) <= 90) return text;
  throw new InvalidArgumentError('It must be a number from -90 to 90.');
}
