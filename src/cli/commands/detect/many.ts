import { Readable } from 'node:stream';
import type { DetectionClient } from '../../../detection/client.ts';
import type { Detection } from '../../../detection/detection.ts';
import { type Judgement, judge } from '../../../detection/gate.ts';
import { MopError } from '../../../errors.ts';
import { member, printJson } from '../../../signing/json.ts';
import { type LineResult, runBatch } from '../../batch.ts';
import type { Context } from '../../context.ts';
import { withDetection } from '../../detection.ts';
import { inputChunks, isStdin, parseObject } from '../../input.ts';
import type { DetectOptions, Input } from './index.ts';
import { rewriteOf, warner } from './judgement.ts';
import { openReports } from './reports.ts';

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
  const failure = await withDetection(context, options.header, async (client) => {
    const reports = await openReports(input, options);
    try {
      const work = (line: string): Promise<Checked> =>
        check(client, isPlain ? line.replace(/\r$/, '') : textIn(line, field), options);
      const onLine = (line: number, outcome: Checked | MopError): void => {
        if (outcome instanceof MopError) {
          reports.add({ line, error: outcome });
        } else {
          warn(outcome.detection, outcome.judgement, `line ${line}: `);
          reports.add({ line, ...outcome });
        }
      };
      // A gate that has not seen everything says nothing.
      const toTheEnd = [failOn, failScore, junit, sarif].some((each) => each !== undefined);
      const batch = { work, concurrency, onLine, toTheEnd };
      const shared = await runBatch(chunksOf(input.given, context), batch, context);
      await reports.place();
      return shared;
    } finally {
      await reports.discard();
    }
  });
  if (failure) throw failure;
}

async function check(
  client: DetectionClient,
  text: string,
  options: DetectOptions,
): Promise<Checked> {
  const detection = await client.detect(text);
  const judgement = judge(detection, options);
  const json = options.rewrite ? JSON.stringify(rewriteOf(detection)) : printJson(detection.json);
  return { json, failure: judgement.failure, text, detection, judgement };
}

/** @throws {MopError} `usage` unless a line is a JSON object with a text of that name. */
function textIn(line: string, field: string): string {
  const hint = `write {${JSON.stringify(field)}:"…"}, or name another field with --field`;
  const value = member(parseObject(line, 'fields of the record', hint), field);
  if (value?.kind === 'string') return value.value;
  const fault = value ? 'is not a string' : 'is missing';
  throw new MopError('usage', `the field ${JSON.stringify(field)} ${fault}`, { hint });
}

function chunksOf(given: string, { io }: Context): AsyncIterable<Uint8Array> {
  if (isStdin(given)) return inputChunks('-', io);
  return given.startsWith('@')
    ? inputChunks(given.slice(1), io)
    : Readable.from([Buffer.from(given)]);
}
