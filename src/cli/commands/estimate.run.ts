import { MopError } from '../../errors.ts';
import { estimateOperation } from '../../platform/estimate.ts';
import { currentMode, withPlatform } from '../clients/open-platform.ts';
import { settingsOf } from '../context/context.ts';
import { bodyFromFields, type FieldOption } from '../context/input.ts';
import { printAnswer } from '../context/json-document.ts';
import type { ContentOptions } from '../context/request-content.ts';
import type { Call } from '../frame/command.ts';
import { operationSigning } from './operation-signing.ts';
import { checkMode, type ModeOptions } from './request-options.ts';

interface EstimateOptions extends ContentOptions, ModeOptions {
  readonly city: string;
  /** The number as it was typed. */
  readonly lat: string;
}

export async function run({ options, context }: Call<EstimateOptions>): Promise<void> {
  const { city, lat, field, rawField } = options;
  if (city === '')
    throw new MopError('usage', '--city is empty', { hint: 'give a city, such as --city 330100' });
  const given: readonly FieldOption[] = [
    { typed: false, text: `city=${city}` },
    { typed: true, text: `lat=${lat}` },
  ];
  const body = await bodyFromFields([...given, ...(field ?? rawField ?? [])], context.io);
  const settings = settingsOf(context);
  const operation = { ...estimateOperation(body), signing: operationSigning(options) };
  checkMode(currentMode(operation, settings), options);
  await withPlatform(context, settings, [operation], async (client) => {
    const { data = { kind: 'null' } } = await client.call(operation);
    await printAnswer(data, context);
  });
}
