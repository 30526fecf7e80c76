import { MopError } from '../../errors.ts';
import { DEFAULT_LIMIT } from '../../http/response.ts';
import type { Answer } from '../../platform/answer.ts';
import { type Operation, operationPath } from '../../platform/operation.ts';
import { readBody } from '../../signing/value-text.ts';
import { currentMode, withPlatform } from '../clients/open-platform.ts';
import { runPlatformBatch } from '../clients/platform-batch.ts';
import { assertNoConflict } from '../context/conflicts.ts';
import { settingsOf } from '../context/context.ts';
import { withArgumentHint } from '../context/input.ts';
import { printJsonText } from '../context/json-document.ts';
import { type ContentOptions, requestContent } from '../context/request-content.ts';
import type { Call } from '../frame/command.ts';
import { shownAnswer, withoutSecrets } from './call-answer.ts';
import { operationSigning } from './operation-signing.ts';
import { type AnswerOptions, answerLimit, checkMode, type ModeOptions } from './request-options.ts';

interface CallOptions extends ContentOptions, ModeOptions, AnswerOptions {
  readonly envelope?: boolean;
  readonly batch?: string;
  readonly concurrency?: number;
  readonly keepGoing?: boolean;
}

export async function run({
  args: [path, body],
  options,
  context,
}: Call<CallOptions, [string, string | undefined]>): Promise<void> {
  checkBatch(body, options);
  const settings = settingsOf(context);
  checkMode(currentMode({ path }, settings), options);
  const base = {
    path: operationPath(path),
    signing: operationSigning(options),
    repeatable: (context.globals.retries ?? 0) > 0,
  };
  if (options.batch !== undefined) {
    const batch = {
      source: options.batch,
      concurrency: options.concurrency ?? 4,
      keepGoing: options.keepGoing,
      sample: { ...base, body: '{}' },
      operationOf: (line: string) => ({ ...base, body: checked(line) }),
      limit: answerLimit(options, DEFAULT_LIMIT),
      shown: (answer: Answer) => shownAnswer(answer, options, context),
    };
    return runPlatformBatch(batch, settings, context);
  }
  const content = (await requestContent(body, options, context.io)) ?? '{}';
  const operation: Operation = {
    ...base,
    body: await withArgumentHint(body, () => checked(content)),
  };
  await withPlatform(context, settings, [operation], async (client) => {
    const answer = await client
      .call(operation, answerLimit(options))
      .catch(async (error: unknown) => {
        const { envelope } = error instanceof MopError ? error.details : {};
        if (options.envelope && envelope !== undefined) {
          await printJsonText(withoutSecrets(envelope, context), context);
        }
        throw error;
      });
    await printJsonText(shownAnswer(answer, options, context), context);
  });
}

/** @throws {MopError} `usage` for a body that is given twice, or `--concurrency` without `--batch`. */
function checkBatch(
  body: string | undefined,
  { batch, concurrency, keepGoing, field, rawField, form, file }: CallOptions,
): void {
  const others = [body, field, rawField, form, file];
  assertNoConflict([
    [
      batch !== undefined && others.some((each) => each !== undefined),
      '--batch cannot be combined with BODY, -F, -f, --form or --file',
    ],
    [
      batch === undefined && concurrency !== undefined,
      '--concurrency belongs to --batch',
      'leave it out',
    ],
    [batch === undefined && keepGoing, '--keep-going belongs to --batch', 'leave it out'],
  ]);
}

/** @throws {MopError} `usage` for a text that is not a JSON object. */
function checked<Content extends Operation['body']>(content: Content): Content {
  if (typeof content === 'string') readBody(content);
  return content;
}
