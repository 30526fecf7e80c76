import { MopError } from '../../errors.ts';
import { printJson } from '../../json/print.ts';
import { type JsonValue, member } from '../../json/value.ts';
import type { Answer } from '../../platform/answer.ts';
import {
  type DecodedParameters,
  decodeOperation,
  type EncryptedParameters,
  readDecoded,
} from '../../platform/decode.ts';
import { platformViolation } from '../../platform/envelope.ts';
import { withPlatform } from '../clients/open-platform.ts';
import { runPlatformBatch } from '../clients/platform-batch.ts';
import { assertNoConflict } from '../context/conflicts.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { argumentText, parseObject, withArgumentHint } from '../context/input.ts';
import { printAnswer } from '../context/json-document.ts';
import type { Call } from '../frame/command.ts';

interface DecodeOptions {
  readonly raw?: boolean;
  readonly batch?: string;
  readonly concurrency?: number;
  readonly keepGoing?: boolean;
}

export async function run({
  args: [data, id],
  options,
  context,
}: Call<DecodeOptions, [string | undefined, string | undefined]>): Promise<void> {
  const { batch, concurrency, keepGoing } = options;
  const isBatch = batch !== undefined;
  assertNoConflict([
    [isBatch && data !== undefined, '--batch cannot be combined with arguments'],
    [!isBatch && concurrency !== undefined, '--concurrency belongs to --batch', 'leave it out'],
    [!isBatch && keepGoing, '--keep-going belongs to --batch', 'leave it out'],
  ]);
  if (isBatch) return decodeBatch(batch, options, context);
  const operation = decodeOperation(await parametersOf(data, id, context));
  await withPlatform(context, settingsOf(context), [operation], async (client) => {
    const decoded = readDecoded(await client.call(operation));
    if (!options.raw) return printAnswer(contentOf(decoded), context);
    const { output } = context;
    const jsonString = output.cleanData(decoded.jsonString);
    await output.data(output.json ? JSON.stringify(jsonString) : jsonString);
  });
}

async function decodeBatch(
  source: string,
  { raw, concurrency = 16, keepGoing }: DecodeOptions,
  context: Context,
): Promise<void> {
  const batch = {
    source,
    concurrency,
    keepGoing,
    sample: decodeOperation({ encryptData: 'x', encryptId: 'x' }),
    operationOf: (line: string) => decodeOperation(readPair(line)),
    shown: (answer: Answer) => {
      const decoded = readDecoded(answer);
      // Each line of a batch is JSON, so --raw prints the text in quotes.
      return raw ? JSON.stringify(decoded.jsonString) : printJson(contentOf(decoded));
    },
  };
  await runPlatformBatch(batch, settingsOf(context), context);
}

function contentOf({ content, seqId }: DecodedParameters): JsonValue {
  if (content !== undefined) return content;
  throw platformViolation('data.json_string', 'is not JSON', {
    seqId,
    hint: '--raw prints it unchanged',
  });
}

async function parametersOf(
  data: string | undefined,
  id: string | undefined,
  { io }: Context,
): Promise<EncryptedParameters> {
  if (data === undefined) {
    throw new MopError('usage', 'nothing to decode', {
      hint: 'pass both: mop decode ENCRYPT_DATA ENCRYPT_ID, or - for stdin, or --batch FILE',
    });
  }
  const text = await argumentText(data, io);
  if (id === undefined) return withArgumentHint(data, () => readPair(text));
  return { encryptData: text.trim(), encryptId: (await argumentText(id, io)).trim() };
}

/** @throws {MopError} `usage` unless `text` is a pair as JSON, or as two words. */
function readPair(text: string): EncryptedParameters {
  const [encryptData, encryptId, ...rest] = text.trim().split(/\s+/);
  if (!text.trimStart().startsWith('{')) {
    if (encryptData && encryptId && rest.length === 0) return { encryptData, encryptId };
    throw new MopError('usage', 'encrypt_data is given without encrypt_id', {
      hint: `pass both values, separated by a space, or ${PAIR_HINT}`,
    });
  }
  const json = parseObject(text, 'parameters', PAIR_HINT);
  const textOf = (name: string): string => {
    const value = member(json, name);
    if (value?.kind === 'string') return value.value;
    throw new MopError('usage', `${name} is ${value ? 'not a string' : 'missing'}`, {
      hint: PAIR_HINT,
    });
  };
  return { encryptData: textOf('encrypt_data'), encryptId: textOf('encrypt_id') };
}

const PAIR_HINT = 'write {"encrypt_data":"…","encrypt_id":"…"}';
