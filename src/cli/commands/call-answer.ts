import { append } from '../../any-length.ts';
import { MopError, withDetails } from '../../errors.ts';
import { DEFAULT_LIMIT, type HttpResponse } from '../../http/response.ts';
import { list, text } from '../../json/build.ts';
import { parseJson } from '../../json/parse.ts';
import { printJson } from '../../json/print.ts';
import { type JsonObject, type JsonValue, member } from '../../json/value.ts';
import type { Answer } from '../../platform/answer.ts';
import {
  type Envelope,
  isSuccess,
  platformViolation,
  readEnvelope,
} from '../../platform/envelope.ts';
import type {
  AnswerReadOptions,
  OperationClient,
  SentRequest,
} from '../../platform/operation-client.ts';
import { secretsIn } from '../../redaction/credentials.ts';
import { REDACTED, redactLink, redactValues } from '../../redaction/redact.ts';
import { givenLimit, type LargeAnswerOptions, printLargeAnswer } from '../clients/large-answer.ts';
import type { Context } from '../context/context.ts';
import { printDocument, withoutSecrets } from '../context/json-document.ts';

export interface CallAnswerOptions extends LargeAnswerOptions {
  readonly envelope?: boolean;
}

/** Prints the answer to a call: its data, or with `--envelope` all of it, without secrets. */
export class CallAnswer {
  readonly #client: OperationClient;
  readonly #options: CallAnswerOptions;
  readonly #context: Context;
  #isPrinted = false;

  constructor(client: OperationClient, options: CallAnswerOptions, context: Context) {
    this.#client = client;
    this.#options = options;
    this.#context = context;
  }

  /** An answer of more than 16 MiB is printed as it arrives. */
  get reading(): AnswerReadOptions {
    return {
      limit: givenLimit(this.#options),
      streamed: {
        over: DEFAULT_LIMIT.maxBytes,
        read: (response, request) => this.#printLarger(response, request),
      },
    };
  }

  /** Prints an answer, unless it was printed while it arrived. */
  async print(answer: Pick<Answer, 'json' | 'data'>): Promise<void> {
    if (this.#isPrinted) return;
    await printDocument(shownAnswer(answer, this.#options, this.#context), this.#context);
  }

  /** With `--envelope`, prints the envelope of a failure. */
  async printFailure(error: unknown): Promise<void> {
    const { envelope } = error instanceof MopError ? error.details : {};
    if (!this.#options.envelope || envelope === undefined) return;
    await this.print({ json: parseJson(envelope), data: undefined });
  }

  async #printLarger(response: HttpResponse, request: SentRequest): Promise<Answer> {
    const { envelope: isWhole = false } = this.#options;
    const { output } = this.#context;
    const { seqId, secrets = [] } = request;
    const edit = secretEditor(output.dataCleaner(secrets));
    const prints = (name: string, start: string, kept: () => JsonObject): boolean => {
      if (name === 'data') {
        if (this.#isPrinted) throw platformViolation('data', 'occurs more than once');
        this.#isPrinted = isWhole || mayPrintData(start, kept());
      }
      return isWhole || (name === 'data' && this.#isPrinted);
    };
    const kept = await printLargeAnswer(
      response,
      request,
      { isWhole, prints, keeps: ['code', 'message'], edit },
      output,
    );
    const envelope = envelopeOf(kept);
    const message = redactValues(envelope.message, secrets);
    const answer: Answer = { ...envelope, message, seqId, retryAfterMs: undefined };
    this.#isPrinted ||= isWhole;
    if (!isWhole || isSuccess(answer)) return answer;
    // A part is printed, so the call must not be repeated.
    throw withDetails(this.#client.failure(answer), { transient: false });
  }
}

/** The printed part of an answer: its data, or with `--envelope` all of it, without secrets. */
export function shownAnswer(
  { json, data = { kind: 'null' } }: Pick<Answer, 'json' | 'data'>,
  { envelope }: CallAnswerOptions,
  { output }: Context,
): JsonValue {
  const secrets: string[] = [];
  const shown = withoutDescriptors(envelope ? json : data, secrets);
  return withoutSecrets(shown, output.dataCleaner(secrets));
}

/** Whether to print the data of an answer, given its first character and the members before it. */
function mayPrintData(start: string, kept: JsonObject): boolean {
  if (!member(kept, 'code')) {
    throw new MopError('api', 'the large answer has its code after its data', {
      hint: 'a failure must not be printed as data; --envelope prints the whole answer as it arrives',
    });
  }
  if (!isSuccess(envelopeOf(kept))) return false;
  if (start === '{' || start === 'n') return true;
  throw platformViolation('data', 'is not an object');
}

function envelopeOf(kept: JsonObject): Envelope {
  return readEnvelope(printJson(kept)) as Envelope;
}

/**
 * Only `mop bill info --reveal` prints a bill's link and authorization. Without a link, a field named
 * `authorization` is data.
 *
 * @param secrets Receives the secrets of each link: they may occur elsewhere in the answer.
 */
function withoutDescriptors(answer: JsonValue, secrets: string[]): JsonValue {
  if (answer.kind === 'array') {
    return list(answer.items.map((item) => withoutDescriptors(item, secrets)));
  }
  if (answer.kind !== 'object') return answer;
  const isDescriptor = member(answer, 'download_url') !== undefined;
  const members = answer.members.map(({ name, value }) => {
    const isLink = name === 'download_url' && value.kind === 'string';
    if (!isDescriptor || !(isLink || name === 'authorization')) {
      return { name, value: withoutDescriptors(value, secrets) };
    }
    if (value.kind === 'string') append(secrets, secretsIn(name, value.value));
    return { name, value: text(isLink ? redactLink(value.value) : REDACTED) };
  });
  return { kind: 'object', members };
}

/** {@link withoutDescriptors} for streamed strings: any `authorization` may belong to a bill. */
function secretEditor(clean: (text: string) => string) {
  return (value: string, name: string | undefined): string => {
    if (name === 'authorization') return REDACTED;
    return name === 'download_url' ? redactLink(value) : clean(value);
  };
}
