import { type Operation, operationPath } from '../../platform/operation.ts';
import { readBody } from '../../signing/value-text.ts';
import { withPlatform } from '../clients/open-platform.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { type ContentOptions, parseHeader, requestContent } from '../context/request-content.ts';
import type { Call } from '../frame/command.ts';
import { CallAnswer, type CallAnswerOptions } from './call-answer.ts';
import { checkMode, type ModeOptions } from './request-options.ts';

interface CallOptions extends ContentOptions, ModeOptions, CallAnswerOptions {}

export async function run({
  args: [path, body],
  options,
  context,
}: Call<CallOptions, [string, string | undefined]>): Promise<void> {
  const operation = await operationOf(path, body, options, context);
  await withPlatform(context, settingsOf(context), [operation], async (client) => {
    const printing = new CallAnswer(client, options, context);
    const answer = await client.call(operation, printing.reading).catch(async (error: unknown) => {
      await printing.printFailure(error);
      throw error;
    });
    await printing.print(answer);
  });
}

/** @throws {MopError} `usage` before anything is asked of the configuration or the platform. */
async function operationOf(
  path: string,
  body: string | undefined,
  options: CallOptions,
  { globals, io }: Context,
): Promise<Operation> {
  const mode = options.mode ?? 'body';
  checkMode(mode, options);
  const content = (await requestContent(body, options, io)) ?? '{}';
  if (typeof content === 'string') readBody(content);
  return {
    path: operationPath(path),
    mode,
    body: content,
    signing: { headers: options.header?.map(parseHeader), nullAs: options.nullAs },
    repeatable: (globals.retries ?? 0) > 0,
  };
}
