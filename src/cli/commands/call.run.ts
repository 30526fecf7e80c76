import { append } from '../../any-length.ts';
import { MopError } from '../../errors.ts';
import { DEFAULT_LIMIT } from '../../http/response.ts';
import { editJson } from '../../json/edit.ts';
import { printJson } from '../../json/print.ts';
import type { Answer } from '../../platform/answer.ts';
import { type Operation, operationPath } from '../../platform/operation.ts';
import { secretsIn } from '../../redaction/credentials.ts';
import { REDACTED, redactLink } from '../../redaction/redact.ts';
import { readBody } from '../../signing/value-text.ts';
import { currentMode, withPlatform } from '../clients/open-platform.ts';
import { runPlatformBatch } from '../clients/platform-batch.ts';
import { assertNoConflict } from '../context/conflicts.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { withArgumentHint } from '../context/input.ts';
import { printJsonText } from '../context/json-document.ts';
import { type ContentOptions, requestContent } from '../context/request-content.ts';
import type { Call } from '../frame/command.ts';
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

/** The JSON to print for an answer: its data, or with `--envelope` all of it, without secrets. */
function shownAnswer(
  { json, data = { kind: 'null' } }: Pick<Answer, 'json' | 'data'>,
  { envelope }: { readonly envelope?: boolean },
  context: Context,
): string {
  return withoutSecrets(printJson(envelope ? json : data), context);
}

/**
 * Compact JSON of the platform without secrets. Only `mop bill info --reveal` prints a bill's link
 * and authorization. Without a link, a field named `authorization` is data.
 */
function withoutSecrets(json: string, { output }: Context): string {
  // The secrets of a link may occur elsewhere in the answer.
  const secrets: string[] = [];
  const edit = (name: string, shown: (value: string) => string) => (value: string) => {
    if (!value.startsWith('"')) return name === 'authorization' ? JSON.stringify(REDACTED) : value;
    const text = JSON.parse(value) as string;
    append(secrets, secretsIn(name, text));
    return JSON.stringify(shown(text));
  };
  const members = new Map([
    ['authorization', edit('authorization', () => REDACTED)],
    ['download_url', edit('download_url', redactLink)],
  ]);
  const shown = json.includes('"download_url":') ? editJson(json, { members }) : json;
  return editJson(shown, { text: output.dataCleaner(secrets) });
}
