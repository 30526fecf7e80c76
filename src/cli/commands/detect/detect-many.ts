import type { DetectionClient } from '../../../detection/client.ts';
import { layersText } from '../../../detection/contents/contents.ts';
import { type Inspection, inspect } from '../../../detection/inspect.ts';
import { MopError } from '../../../errors.ts';
import { integer, object } from '../../../json/build.ts';
import { printJson } from '../../../json/print.ts';
import { type JsonMember, type JsonValue, member } from '../../../json/value.ts';
import { withDetection } from '../../clients/open-detection.ts';
import { type BatchOptions, type LineResult, runBatch } from '../../context/batch.ts';
import type { Context } from '../../context/context.ts';
import { argumentChunks } from '../../context/input.ts';
import type { Settings } from '../../context/settings.ts';
import { padded } from '../../context/table.ts';
import { missingRewrite, warner } from './detect-one.ts';
import type { DetectOptions, Input } from './detect-options.ts';
import { Layout } from './layout.ts';
import { withReports } from './reports.ts';
import { parsedInput, textIn } from './text-field.ts';
import { fileNameDoubt, isChecked, textGuard, textsOf } from './text-guard.ts';

/** A text of a batch, with its line and the `id` of its record. */
interface Numbered {
  readonly line: number;
  readonly id?: JsonValue | undefined;
  readonly text: string;
}

interface Checked extends LineResult, Numbered {
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
  /** Of the lines in flight: an error does not contain the record. */
  const ids = new Map<number, JsonValue>();
  const recordOf = (line: string, number: number): Numbered => {
    const json = isPlain ? undefined : parsedInput(line);
    const id = json?.kind === 'object' ? member(json, 'id') : undefined;
    if (id) ids.set(number, id);
    const text = json ? textIn(json, field) : line.replace(/\r$/, '');
    guard.text(text, json ? 'field' : 'line');
    return { line: number, ...(id && { id }), text };
  };
  const failure = await withDetection(context, settings, options.header, (client) =>
    withReports(input, options, async (reports) => {
      const work = async (line: string, number: number): Promise<Checked> =>
        check(client, recordOf(line, number), options);
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
      const batch = {
        work,
        concurrency,
        keepGoing,
        onLine,
        row: await rowsFor(options, context),
        placeOf: (line: number) => {
          const id = ids.get(line);
          ids.delete(line);
          return place({ line, id });
        },
        ignoresClosedOutput: needsAllTexts,
      };
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
  record: Numbered,
  options: DetectOptions,
): Promise<Checked> {
  const inspection = await inspect(client, textsOf(record.text, options), options);
  const { judgement, json } = inspection;
  const { failure } = judgement;
  const checked = { ...record, inspection };
  if (!options.rewrite) return { ...checked, json: printJson(inBatch(json, record)), failure };
  const { safeRewrite } = inspection.detection;
  return safeRewrite === undefined
    ? { ...checked, failure: missingRewrite(judgement) }
    : { ...checked, json: JSON.stringify(safeRewrite), failure };
}

function place({ line, id }: Pick<Numbered, 'line' | 'id'>): readonly JsonMember[] {
  return object({ line: integer(line), ...(id && { id }) }).members;
}

/** An answer with the line and the `id` of its record in front. */
function inBatch(answer: JsonValue, { line, id }: Numbered): JsonValue {
  if (answer.kind !== 'object') return answer;
  const members = place({ line, id });
  const names = new Set(members.map(({ name }) => name));
  return {
    ...answer,
    members: [...members, ...answer.members.filter(({ name }) => !names.has(name))],
  };
}

/**
 * Prints the headings of a table on a terminal, and returns its rows; undefined elsewhere. Secrets
 * are redacted before a row is cut: the start of a secret would not be recognised.
 */
async function rowsFor(
  { levels, rewrite }: DetectOptions,
  { io, output }: Context,
): Promise<BatchOptions<Checked>['row']> {
  if (!io.stdout.isTTY || output.json || rewrite) return undefined;
  if (output.quiet) return () => undefined;
  const layout = new Layout(output.styles('stdout'), io.stdout.columns, levels, output.translation);
  const headings = ['LINE', 'LEVEL', 'SCORE', 'TEXT'];
  const [line = '', level = '', score = '', text = ''] = headings.map((each) => output.word(each));
  await output.data(layout.style.dim(layout.row(line, padded(level, 10), score, text)));
  return (line, outcome) => {
    if (outcome instanceof MopError) {
      const label = layout.label(output.word('failed'), layout.style.yellow);
      return layout.row(
        String(line),
        label,
        '-',
        output.clean(output.translated(outcome.message.replace(/^line \d+: /, ''))),
      );
    }
    const { detection, content } = outcome.inspection;
    const { overallRisk, riskScore } = detection;
    const id =
      outcome.id && (outcome.id.kind === 'string' ? outcome.id.value : printJson(outcome.id));
    const judged = content ? `${layersText(content.layers)}: ${content.text}` : outcome.text;
    const text = id === undefined ? judged : `${id}: ${judged}`;
    const shown = output.clean(text);
    return layout.row(String(line), layout.label(overallRisk), String(riskScore), shown);
  };
}

/** A gate without any text must not pass. */
function nothingChecked(): MopError {
  return new MopError('usage', 'there was nothing to check: no line has a text', {
    hint: 'check the program that writes the input; empty input is accepted without a gate or report',
  });
}
