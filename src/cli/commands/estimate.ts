import { InvalidArgumentError } from 'commander';
import { MopError } from '../../errors.ts';
import { withPlatform } from '../clients/open-platform.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import { bodyFromFields, type FieldOption } from '../context/input.ts';
import { printDocument } from '../context/json-document.ts';
import { addFieldOptions, type ContentOptions } from '../context/request-input.ts';
import type { Choose, Command } from '../frame/command.ts';

interface EstimateOptions extends ContentOptions {
  readonly city: string;
  /** The characters of the number. */
  readonly lat: string;
}

export function register(estimate: Command, choose: Choose): void {
  estimate
    .requiredOption('--city <city>', 'where the ride begins')
    .requiredOption('--lat <n>', 'its latitude in degrees; sent as it is written', latitude);
  addFieldOptions(estimate)
    .explain({
      examples: [
        'mop estimate --city 330100 --lat 30.27 --env sandbox',
        'mop estimate --city 330100 --lat 30.27 -F lng=120.15 -f car_type=comfort --json',
      ],
      failures: ['config', 'auth', 'api', 'network'],
    })
    .action((options: EstimateOptions, command: Command) =>
      choose(command, (context) => runEstimate(options, context)),
    );
}

async function runEstimate(options: EstimateOptions, context: Context): Promise<void> {
  const { city, lat, field, rawField } = options;
  if (city === '') throw new MopError('usage', '--city names nothing', { hint: 'name a city' });
  const given: readonly FieldOption[] = [
    { typed: false, text: `city=${city}` },
    { typed: true, text: `lat=${lat}` },
  ];
  const body = await bodyFromFields([...given, ...(field ?? rawField ?? [])], context.io);
  await withPlatform(context, settingsOf(context), async (client) => {
    if (context.globals.dryRun) {
      const { estimateOperation } = await import('../../platform/estimate.ts');
      return printDryRun([client.sign(estimateOperation(body))], context.output);
    }
    const { data } = await client.estimatePrice(body);
    await printDocument(data ?? { kind: 'null' }, context);
  });
}

/** @throws {InvalidArgumentError} unless `text` is a JSON number from -90 to 90. */
function latitude(text: string): string {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  if (isNumber && Math.abs(Number(text)) <= 90) return text;
  throw new InvalidArgumentError('It must be a number from -90 to 90.');
}
