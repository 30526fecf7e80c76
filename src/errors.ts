/** The kind of a failure. `skipped`: an item that was not tried after the failure of another one. */
export type ErrorCode = FailureCode | 'skipped';

/**
 * The kind of a failure that can end a command. The command line maps each to an exit code
 * (`src/cli/exit-codes.ts`).
 */
export type FailureCode =
  | 'failure'
  | 'usage'
  | 'config'
  | 'auth'
  | 'api'
  | 'network'
  | 'integrity'
  | 'not-ready'
  | 'no-bill'
  | 'risk'
  | 'unhealthy'
  | 'io'
  | 'graphql'
  | 'differs'
  | 'mixed'
  | 'interrupted'
  | 'terminated';

export interface ErrorDetails {
  /** The next step, for a person. */
  hint?: string | undefined;
  cause?: unknown;
  /** Lines of the input around the fault, with a caret under it. */
  excerpt?: string | undefined;
  /** Messages of further faults in the input, which `--verbose` prints. */
  others?: readonly string[] | undefined;
  /** An unknown word and the known names, for a suggestion. */
  unknown?: { readonly word: string; readonly names: readonly string[] } | undefined;
  /** The result code of the platform's envelope (D1 section 7). */
  platformCode?: number | undefined;
  /** The envelope as JSON text, with secrets redacted. */
  envelope?: string | undefined;
  /** The serial number of the request that failed. */
  seqId?: string | undefined;
  httpStatus?: number | undefined;
  /** The start of the answer that was refused, with secrets redacted. */
  answer?: string | undefined;
  /** Milliseconds that the server asked to wait before the next attempt (`Retry-After`). */
  retryAfterMs?: number | undefined;
  /** False when the request cannot have reached the server. */
  sent?: boolean | undefined;
  /** Why the other requests of a run must fail too, if they must. */
  systematic?: 'credentials' | 'connection' | 'directory' | undefined;
  /** Whether an immediate retry may succeed. Default: decided by the code. */
  transient?: boolean | undefined;
}

/**
 * An expected failure. Anything else that is thrown is a bug.
 *
 * @example
 * ```ts
 * import { type ErrorCode, type ErrorDetails, MopError, signBody } from 'mop-cli/signing';
 *
 * try {
 *   signBody('[]', { apiKey: 'sandbox', secret: 'sandbox-secret' });
 * } catch (error) {
 *   if (!(error instanceof MopError)) throw error;
 *   const code: ErrorCode = error.code;
 *   const details: ErrorDetails = error.details;
 *   console.log(code, error.retryable, typeof error.hint, details.seqId);
 * }
 * // usage false string undefined
 * ```
 */
export class MopError extends Error {
  /** The kind of the failure. */
  readonly code: ErrorCode;
  /** The next step, for a person. */
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'MopError';
    this.code = code;
    this.hint = details.hint;
    this.details = details;
  }

  /** Whether running the same command again can help, at once or later. */
  get retryable(): boolean {
    // A skipped item fails as the item that ended the run.
    const { cause } = this.details;
    if (this.code === 'skipped' && cause instanceof MopError) return cause.retryable;
    return ['network', 'integrity', 'not-ready', 'unhealthy'].includes(this.code);
  }
}

/** Whether a signal ended the command. */
export function isStopped({ code }: MopError): boolean {
  return code === 'interrupted' || code === 'terminated';
}

/** The same failure with more details. Returns any other error unchanged. */
export function withDetails(error: unknown, details: ErrorDetails): unknown {
  return error instanceof MopError
    ? new MopError(error.code, error.message, { ...error.details, ...details })
    : error;
}

/** A text that {@link quoted} inserts unchanged. */
export interface OwnText {
  readonly own: string;
}

/**
 * A hint or a command with values from outside, such as `` quoted`run: mop bill verify ${path}` ``.
 * Each value is one word of a POSIX shell, so that a pasted command never runs a part of it.
 */
export function quoted(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | OwnText)[]
): string {
  return values.reduce<string>((text, value, index) => {
    const word = typeof value === 'object' ? value.own : shellWord(String(value));
    return text + word + parts[index + 1];
  }, parts[0] ?? '');
}

/** A text without values from outside, or with quoted ones, as a part of another one. */
export function own(text: string): OwnText {
  return { own: text };
}

/** Quoted values with commas between them. */
export function listed(values: readonly (string | number)[]): OwnText {
  return own(values.map((value) => shellWord(String(value))).join(', '));
}

/** Quoted words of a command. */
export function words(values: readonly string[]): OwnText {
  return own(values.map(shellWord).join(' '));
}

/** Quotes a text as one word for a POSIX shell. */
export function shellQuote(text: string): string {
  // zsh expands "=" at the start of a word.
  return /^[^=]/.test(text) && !/[^\p{L}\p{N}_@%+=:,./-]/u.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** {@link shellQuote} on one line: characters that are invisible on a terminal are escaped. */
function shellWord(text: string): string {
  const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  if (text.search(invisible) === -1) return shellQuote(text);
  const escaped = text
    .toWellFormed()
    .replace(/[\\']/g, '\\$&')
    .replace(invisible, (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join(''),
    );
  return `$'${escaped}'`;
}
