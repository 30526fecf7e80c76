import { isStopped, MopError } from '../../errors.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { HttpResponse, ReadLimit } from '../../http/response.ts';
import { parseJson } from '../../json/parse.ts';
import { JsonScanError, JsonScanner, type JsonSink } from '../../json/scan.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Output } from '../context/output.ts';

/** The options of commands that print large answers as they arrive. */
export interface LargeAnswerOptions {
  /** In bytes. Default: no limit. */
  readonly maxResponse?: number | undefined;
}

/** The limit of `--max-response`, or else the default, if there is one. */
export function givenLimit(
  { maxResponse }: LargeAnswerOptions,
  defaultLimit?: ReadLimit,
): ReadLimit | undefined {
  const maxBytes = maxResponse ?? defaultLimit?.maxBytes;
  if (maxBytes === undefined) return undefined;
  return { maxBytes, hint: 'raise --max-response if an answer can be that large' };
}

/** Selects the parts of a large answer to print and to keep. */
export interface LargeAnswer extends Pick<JsonSink, 'edit'> {
  /** Print the whole document; otherwise only values. */
  readonly isWhole: boolean;
  /**
   * Whether to print a member. Called when its value begins; may throw.
   *
   * @param start The first character of the value.
   * @param kept Returns the members kept so far.
   */
  readonly prints: (name: string, start: string, kept: () => JsonObject) => boolean;
  /** The names of the members to keep in memory. */
  readonly keeps: readonly string[];
}

/**
 * Prints a JSON object that is too large for memory while it arrives, on one line and with its
 * digits unchanged.
 *
 * @returns The kept members.
 * @throws {MopError} `api` for a body that is not a JSON object, and the errors of reading it.
 *   After a partial print, the error says that the output is incomplete and is not retryable.
 */
export async function printLargeAnswer(
  response: HttpResponse,
  request: HttpRequest,
  answer: LargeAnswer,
  output: Output,
): Promise<JsonObject> {
  const printer = new MemberPrinter(answer);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let hasPrinted = false;
  const print = async (): Promise<void> => {
    const text = printer.takeText();
    if (text === '') return;
    hasPrinted = true;
    await output.jsonPart(text);
  };
  try {
    for await (const chunk of response.body) {
      printer.feed(decoder.decode(chunk, { stream: true }));
      await print();
    }
    printer.feed(decoder.decode());
    printer.end();
    await print();
    return printer.kept();
  } catch (thrown) {
    const error = describedFault(thrown, request);
    if (!hasPrinted || !(error instanceof MopError)) throw error;
    const message = `${error.message}; the printed part is incomplete`;
    const { hint } = isStopped(error)
      ? { hint: 'run the command again for the whole answer' }
      : error.details;
    throw new MopError(error.code, message, { ...error.details, hint, transient: false });
  } finally {
    response.discard();
  }
}

/** The limit of the members that are kept, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Collects the text to print, and the members to keep. */
class MemberPrinter {
  readonly #answer: LargeAnswer;
  readonly #scanner: JsonScanner;
  /** Each as `"name":value`. */
  readonly #kept: string[] = [];
  #keptLength = 0;
  #text = '';
  #hasPrinted = false;

  constructor(answer: LargeAnswer) {
    this.#answer = answer;
    this.#scanner = new JsonScanner({ edit: answer.edit, member: (name) => this.#member(name) });
  }

  feed(text: string): void {
    this.#scanner.feed(text);
  }

  end(): void {
    this.#scanner.end();
    if (this.#answer.isWhole) this.#text += this.#hasPrinted ? '}' : '{}';
    if (this.#answer.isWhole || this.#hasPrinted) this.#text += '\n';
  }

  /** The text to print since the last call. */
  takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  kept(): JsonObject {
    return parseJson(`{${this.#kept.join(',')}}`) as JsonObject;
  }

  /** Returns the consumer of a member's value, which may arrive in several pieces. */
  #member(name: string): (text: string) => void {
    let take: ((text: string) => void) | undefined;
    return (text) => {
      take ??= this.#value(name, text.charAt(0));
      take(text);
    };
  }

  #value(name: string, start: string): (text: string) => void {
    const head = `${JSON.stringify(name)}:`;
    const { isWhole, prints, keeps } = this.#answer;
    const isPrinted = prints(name, start, () => this.kept());
    if (isPrinted && isWhole) this.#text += (this.#hasPrinted ? ',' : '{') + head;
    this.#hasPrinted ||= isPrinted;
    const at = keeps.includes(name) ? this.#kept.push(head) - 1 : undefined;
    return (text) => {
      if (isPrinted) this.#text += text;
      if (at === undefined) return;
      this.#kept[at] += text;
      this.#keptLength += text.length;
      if (this.#keptLength > MAX_KEPT) throw new MemberTooLarge(name);
    };
  }
}

/** A member to keep is too large. */
class MemberTooLarge extends Error {}

/** Converts an error of the scanner or the decoder. Returns any other error unchanged. */
function describedFault(thrown: unknown, { url }: HttpRequest): unknown {
  const fault = faultOf(thrown);
  if (fault === undefined) return thrown;
  return new MopError('api', `${url.host} answered with ${fault}`, {
    hint: 'check the address, or report it to the operator of the server',
    cause: thrown,
  });
}

function faultOf(thrown: unknown): string | undefined {
  if (thrown instanceof JsonScanError) return `a body that is not JSON: ${thrown.message}`;
  if (thrown instanceof MemberTooLarge) return `more than 64 MiB of ${thrown.message}`;
  // The decoder's error is a plain TypeError with a code.
  const { code } = thrown as NodeJS.ErrnoException;
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'a body that is not UTF-8' : undefined;
}
