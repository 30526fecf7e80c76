import type { DetectionClient } from '../../../detection/client.ts';
import { type Judgement, judge } from '../../../detection/gate.ts';
import type { Detection } from '../../../detection/result.ts';
import { MopError } from '../../../errors.ts';
import { printJson } from '../../../json/print.ts';
import { withDetection } from '../../clients/open-detection.ts';
import { type LineResult, runBatch } from '../../context/batch.ts';
import type { Context } from '../../context/context.ts';
import { argumentChunks, parseObject } from '../../context/input.ts';
import type { DetectOptions, Input } from './detect-options.ts';
import { withReports } from './reports.ts';
import { missingRewrite, warner } from './warnings.ts';

interface Checked extends LineResult {
  readonly text: string;
  readonly detection: Detection;
  readonly judgement: Judgement;
}

/** Checks a text for each line. */
export async function detectMany(
  input: Input,
  options: DetectOptions,
  context: Context,
): Promise<void> {
  const { concurrency = 8, field = 'text', failOn, failScore, junit, sarif } = options;
  const isPlain = input.arrangement === 'lines';
  const warn = warner(context);
  const failure = await withDetection(context, options.header, (client) =>
    withReports(input, options, async (reports) => {
      const work = (line: string): Promise<Checked> =>
        check(client, isPlain ? line.replace(/\r$/, '') : textIn(line, field), options);
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
      // A gate that has not seen everything says nothing.
      const isChecked = [failOn, failScore, junit, sarif].some((each) => each !== undefined);
      const batch = { work, concurrency, onLine, toTheEnd: isChecked };
      const shared = await runBatch(argumentChunks(input.given, context.io), batch, context);
      await reports.place();
      if (isChecked && count === 0) throw nothingChecked();
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

/** A gate that saw no text must not look like one that let all of them pass. */
function nothingChecked(): MopError {
  return new MopError('usage', 'there was nothing to check: no line has a text', {
    hint: 'look at what writes the input; without a gate or a report this is no error',
  });
}

/** @throws {MopError} `usage` unless a line is a JSON object with a text of that name. */
function textIn(line: string, field: string): string {
  const hint = `write {${JSON.stringify(field)}:"…"}, or name another field with --field`;
  const record = parseObject(line, 'fields of the record', hint);
  const members = record.kind === 'object' ? record.members : [];
  const [found, second] = members.filter(({ name }) => name === field);
  if (found?.value.kind === 'string' && !second) return found.value.value;
  // Which of two was meant nobody can know, and the other would pass unseen.
  const fault = second ? 'stands twice' : found ? 'is not a string' : 'is missing';
  throw new MopError('usage', `the field ${JSON.stringify(field)} ${fault}`, { hint });
}
