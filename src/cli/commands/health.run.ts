import { awaitHealth, type Health } from '../../detection/health.ts';
import type { MopError } from '../../errors.ts';
import { withDetection } from '../clients/open-detection.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import { printThenFail } from '../context/failures.ts';
import { printDocument } from '../context/json-document.ts';
import { visibleLine } from '../context/visible-text.ts';
import type { Call } from '../frame/command.ts';

interface HealthOptions {
  readonly wait?: number;
  readonly minRules?: number;
  readonly expectVersion?: string;
  readonly header?: readonly string[];
}

export async function run({ options, context }: Call<HealthOptions>): Promise<void> {
  const { wait, header } = options;
  // With --wait, keep each attempt short: the next one follows soon.
  const globals =
    wait === undefined ? context.globals : { timeout: 5, ...context.globals, retries: 0 };
  await withDetection({ ...context, globals }, settingsOf(context), header, async (client) => {
    if (context.globals.dryRun) return printDryRun([client.healthRequest()], context.output);
    const { health, failure } = await awaitHealth(() => client.health(), {
      ...options,
      seconds: wait ?? 0,
      now: context.io.now,
      sleep: context.sleep,
      onUnhealthy: reportReason(context),
    });
    await printThenFail(printHealth(health, context), failure);
  });
}

/** Prints why a service is not healthy yet, once for each reason. */
function reportReason({ output }: Context): (failure: MopError) => void {
  let reported = '';
  return ({ message }) => {
    if (message !== reported) output.note(`not ready yet: ${message}`);
    reported = message;
  };
}

async function printHealth({ json, ...health }: Health, context: Context): Promise<void> {
  const { output } = context;
  if (output.json) return printDocument(json, context);
  if (output.quiet) return;
  const { status, rules, version } = health;
  const style = output.styles('stdout');
  const word = status === 'ok' ? style.green(status) : style.red(visibleLine(status));
  const lines = [
    `status   ${word}`,
    ...(rules === undefined ? [] : [`rules    ${rules}`]),
    ...(version === undefined ? [] : [`version  ${visibleLine(version)}`]),
  ];
  await output.text(lines.join('\n'));
}
