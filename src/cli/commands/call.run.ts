import { MopError } from '../../errors.ts';
import { REDACTED, redactUrl } from '../../http/redact.ts';
import { parseJson } from '../../json/parse.ts';
import { type JsonValue, member } from '../../json/value.ts';
import { type Operation, operationPath } from '../../platform/operation.ts';
import { readBody } from '../../signing/value-text.ts';
import { withPlatform } from '../clients/open-platform.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { printDocument } from '../context/json-document.ts';
import { type ContentOptions, parseHeader, requestContent } from '../context/request-content.ts';
import type { Call } from '../frame/command.ts';
import { checkMode, type ModeOptions } from './request-options.ts';

interface CallOptions extends ContentOptions, ModeOptions {
  readonly envelope?: boolean;
}

export async function run({
  args: [path, body],
  options,
  context,
}: Call<CallOptions, [string, string | undefined]>): Promise<void> {
  const operation = await operationOf(path, body, options, context);
  await withPlatform(context, settingsOf(context), [operation], async (client) => {
    const { json, data = { kind: 'null' } } = await client
      .call(operation)
      .catch(async (error: unknown) => {
        const { envelope } = error instanceof MopError ? error.details : {};
        if (options.envelope && envelope)
          await printDocument(withoutSecrets(parseJson(envelope), context), context);
        throw error;
      });
    await printDocument(withoutSecrets(options.envelope ? json : data, context), context);
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

/**
 * The link of a bill and its authorization are for `mop bill info --reveal` alone to print, and the
 * api secret, which a platform may repeat, for nobody.
 */
function withoutSecrets(answer: JsonValue, context: Context): JsonValue {
  if (answer.kind === 'string') return text(context.output.cleanData(answer.value));
  if (answer.kind === 'array') {
    return { kind: 'array', items: answer.items.map((item) => withoutSecrets(item, context)) };
  }
  if (answer.kind !== 'object') return answer;
  const isDescriptor = member(answer, 'download_url') !== undefined;
  const members = answer.members.map(({ name, value }) => {
    if (isDescriptor && name === 'authorization') return { name, value: text(REDACTED) };
    if (isDescriptor && name === 'download_url' && value.kind === 'string') {
      return { name, value: text(redactUrl(value.value)) };
    }
    return { name, value: withoutSecrets(value, context) };
  });
  return { kind: 'object', members };
}

function text(value: string): JsonValue {
  return { kind: 'string', value };
}
