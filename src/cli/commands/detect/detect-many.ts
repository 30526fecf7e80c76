import type { DetectionClient } from '../../../detection/client.ts';
import { type Inspection, inspect } from '../../../detection/inspect.ts';
import { MopError } from '../../../errors.ts';
import { printJson } from '../../../json/print.ts';
import { withDetection } from '../../clients/open-detection.ts';
import { type LineResult, runBatch } from '../../context/batch.ts';
import type { Context } from '../../context/context.ts';
import { argumentChunks } from '../../context/input.ts';
import type { Settings } from '../../context/settings.ts';
import type { DetectOptions, Input } from './detect-options.ts';
import { withReports } from './reports.ts';
import { textInField } from './text-field.ts';
import { fileNameDoubt, isChecked, textGuard, textsOf } from './text-guard.ts';
import { missingRewrite, warner } from './warnings.ts';

interface Checked extends LineResult {
  readonly text: string;
  readonly inspection: Inspection;
}

/** Checks the text of each line. */
export async function detectMany(
  input: Input,
  options: DetectOptions,
  settings: Settings,
  context: Context,
): Promise<void> {
  const { concurrency = 16, keepGoing, field = 'text' } = options;
  const isPlain = input.inputForm === 'lines';
  const warn = warner(context);
  const guard = textGuard(options, context);
  guard.name(await fileNameDoubt(input.given));
  const textOf = (line: string): string => {
    const text = isPlain ? line.replace(/\r$/, '') : textInField(line, field);
    guard.text(text, isPlain ? 'line' : 'field');
    return text;
  };
  const failure = await withDetection(context, settings, options.header, (client) =>
    withReports(input, options, async (reports) => {
      const work = async (line: string): Promise<Checked> => check(client, textOf(line), options);
      let count = 0;
      const onLine = (line: number, outcome: Checked | MopError): void => {
        count++;
        if (outcome instanceof MopError) {
          reports.add({ line, error: outcome });
        } else {
          const { text, inspection } = outcome;
          warn(inspection.detection, inspection.judgement, `line ${line}: `);
          reports.add({ line, text, ...inspection });
        }
      };
      // A gate is valid only after all texts.
      const needsAllTexts = isChecked(options);
      const batch = { work, concurrency, keepGoing, onLine, ignoresClosedOutput: needsAllTexts };
      const shared = await runBatch(argumentChunks(input.given, context.io), batch, context);
      await reports.place();
      if (needsAllTexts && count === 0) throw nothingChecked();
      return shared;
    }),
  );
  if (failure) throw failure;
}

async function check(
  client: DetectionClient,
  text: string,
  options: DetectOptions,
): Promise<Checked> {
  const inspection = await inspect(client, textsOf(text, options), options);
  const { judgement, json } = inspection;
  const { failure } = judgement;
  const checked = { text, inspection };
  if (!options.rewrite) return { ...checked, json: printJson(json), failure };
  const { safeRewrite } = inspection.detection;
  return safeRewrite === undefined
    ? { ...checked, failure: missingRewrite(judgement) }
    : { ...checked, json: JSON.stringify(safeRewrite), failure };
}

/** A gate without any text must not pass. */
function nothingChecked(): MopError {
  return new MopError('usage', 'there was nothing to check: no line has a text', {
    hint: 'check the program that writes the input; empty input is accepted without a gate or report',
  });
}
