import { embeddedIn, failureOf, readAnalysis } from '../../../detection/analysis.ts';
import { DETECTION_CONTRACT } from '../../../detection/answer.ts';
import { MAX_TEXT_BYTES, textTooLong } from '../../../detection/check-text.ts';
import type { Judgement } from '../../../detection/gate.ts';
import { type Inspection, inspect } from '../../../detection/inspect.ts';
import type { Levels } from '../../../detection/levels.ts';
import type { Detection } from '../../../detection/result.ts';
import { MopError } from '../../../errors.ts';
import { contractViolation } from '../../../json/fields.ts';
import { withDetection } from '../../clients/open-detection.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import { printThenFail } from '../../context/failures.ts';
import { argumentText, type ReadLimit } from '../../context/input.ts';
import { printDocument } from '../../context/json-document.ts';
import type { Settings } from '../../context/settings.ts';
import type { DetectOptions, Input } from './detect-options.ts';
import { view } from './detection-view.ts';
import { withReports } from './reports.ts';
import { textInField } from './text-field.ts';
import { fileNameDoubt, textGuard, textsOf } from './text-guard.ts';

const DOCUMENT: ReadLimit = {
  bytes: 16 * 1024 * 1024,
  error: () =>
    new MopError('usage', 'the JSON document is too long: at most 16 MiB', {
      hint: 'extract the text with another tool first',
    }),
};

/** Checks one text, which may be a field of a JSON document. */
export async function detectOne(
  input: Input,
  options: DetectOptions,
  settings: Settings,
  context: Context,
): Promise<void> {
  const text = await inputText(input, options, context);
  await withDetection(context, settings, options.header, async (client) => {
    const texts = textsOf(text, options);
    if (context.globals.dryRun) {
      return printDryRun(
        texts.map((each) => client.detectRequest(each.text)),
        context.output,
      );
    }
    await withReports(input, options, async (reports) => {
      const inspection = await inspect(client, texts, options).catch(async (error: unknown) => {
        context.io.signal.throwIfAborted();
        if (error instanceof MopError) {
          reports.add({ line: 1, error });
          await reports.place();
        }
        throw error;
      });
      const { detection, judgement } = inspection;
      reports.add({ line: 1, text, ...inspection });
      warner(context)(detection, judgement);
      const printing = options.rewrite
        ? printRewrite(detection, judgement, context)
        : printInspection(inspection, text, options.levels, context);
      // The report is written even when standard output fails.
      await Promise.allSettled([printing]);
      await reports.place();
      await printThenFail(printing, judgement.failure);
    });
  });
}

async function inputText(
  { given }: Input,
  options: DetectOptions,
  context: Context,
): Promise<string> {
  const guard = textGuard(options, context);
  const { field } = options;
  const nameDoubt = await fileNameDoubt(given);
  // The name of a file is not JSON.
  if (nameDoubt && field !== undefined) throw nameDoubt;
  guard.name(nameDoubt);
  const text =
    field === undefined
      ? await argumentText(given, context.io, { bytes: MAX_TEXT_BYTES, error: textTooLong })
      : textInField(await argumentText(given, context.io, DOCUMENT), field);
  guard.text(text, field === undefined ? 'whole' : 'field');
  return text;
}

async function printInspection(
  inspection: Inspection,
  text: string,
  levels: Levels,
  context: Context,
): Promise<void> {
  const { output } = context;
  if (output.json) return printDocument(inspection.json, context);
  if (output.quiet) return;
  await output.data(await view(inspection, text, levels, context));
}

/** Prints the text unchanged. */
async function printRewrite(
  { safeRewrite }: Detection,
  judgement: Judgement,
  { output }: Context,
): Promise<void> {
  if (safeRewrite === undefined) throw missingRewrite(judgement);
  if (output.json) return output.document(safeRewrite);
  await output.data(safeRewrite);
}

/** Warns of an unknown level in each text, and once of a failed model. */
export function warner({ output }: Context) {
  let hasModelFailed = false;
  return (detection: Detection, { warnings }: Judgement, place = ''): void => {
    for (const warning of warnings) output.warn(place + warning);
    const { aiAnalysis } = detection;
    const failure = failureOf(aiAnalysis);
    if (!aiAnalysis || failure === undefined || hasModelFailed) return;
    hasModelFailed = true;
    const instead = embeddedIn(readAnalysis(aiAnalysis))
      ? ', the embedded model was used instead'
      : '';
    output.warn(`${place}the model failed${instead}: ${failure}`);
  };
}

/** The failure of an answer without the requested rewrite; the failure of the gate takes precedence. */
export function missingRewrite({ failure }: Judgement): MopError {
  return failure ?? contractViolation(DETECTION_CONTRACT, 'safe_rewrite', 'is missing');
}
