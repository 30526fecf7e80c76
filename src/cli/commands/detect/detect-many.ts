import type { DetectionClient } from '../../../detection/client.ts';
import { type Judgement, judge } from '../../../detection/gate.ts';
import type { Detection } from '../../../detection/result.ts';
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
import { fileNameDoubt, formatDoubt, isChecked, textGuard } from './text-guard.ts';
import { missingRewrite, warner } from './warnings.ts';

interface Checked extends LineResult {
  readonly text: string;
  readonly detection: Detection;
  readonly judgement: Judgement;
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
  guard(await fileNameDoubt(input.given));
  const textOf = (line: string): string => {
    const text = isPlain ? line.replace(/\r$/, '') : textInField(line, field);
    guard(formatDoubt(text, isPlain ? 'line' : 'field'));
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
          warn(outcome.detection, outcome.judgement, `line ${line}: `);
          reports.add({ line, ...outcome });
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
  const detection = await client.detect(text);
  const judgement = judge(detection, options);
  const { failure } = judgement;
  const checked = { text, detection, judgement };
  if (!options.rewrite) return { ...checked, json: printJson(detection.json), failure };
  const { safeRewrite } = detection;
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
