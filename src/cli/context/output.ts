import { MopError } from '../../errors.ts';
import { translatorOf } from '../../locale/load.ts';
import type { Language } from '../../protocol/language.ts';
import { REDACTED } from '../../redaction/redact.ts';
import { secretReplacer } from '../../redaction/secrets.ts';
import { colourJson } from './colour-json.ts';
import { errorObject, reasonOf, stackOf, toMopError } from './error-json.ts';
import type { Io } from './io.ts';
import { withoutMiddle, withoutRest } from './shortened.ts';
import { createStyle, loadStyles, type Style, withoutStyles } from './style.ts';
import type { Translation } from './translation.ts';
import { visibleJson } from './visible-text.ts';

/** The reader of standard output closed the pipe, as `head` does. It is not a failure. */
export class BrokenPipe extends Error {}

export interface OutputOptions {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly debug?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** False for `--no-color`. */
  readonly color?: boolean | undefined;
  /** Print credentials that are otherwise redacted, but never the api secret. */
  readonly reveal?: boolean | undefined;
}

/** The heading of a column: a word of mop, or the name of a column in the data. */
export type Heading = string | { readonly data: string };

/** Data may contain a shorter secret by chance. */
const MIN_LENGTH_IN_DATA = 8;

/** The output of a command: data on standard output, everything else on standard error. */
export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly reveal: boolean;
  readonly #io: Io;
  readonly #options: OutputOptions;
  readonly #secrets = new Set<string>();
  readonly #warnings = new Set<string>();
  /** Made when they are used, and again after a new secret: for each text, it would be slow. */
  #clean: ((text: string) => string) | undefined;
  #cleanData: ((text: string) => string) | undefined;
  /** Reads the configuration, which JSON does not need. */
  #chosen: (() => Language) | undefined;
  #language: Language | undefined;
  /** For Chinese. Code writes English; this class translates it. */
  translation: Translation | undefined;

  constructor(io: Io, options: OutputOptions) {
    this.#io = io;
    this.#options = options;
    this.json = options.json ?? false;
    this.quiet = options.quiet ?? false;
    this.reveal = options.reveal ?? false;
  }

  /**
   * Loads texts and colours in advance, because messages are written synchronously.
   *
   * @param argv The command line: translations keep its texts.
   */
  async prepare(chosen: () => Language, argv: readonly string[]): Promise<void> {
    this.#chosen ??= chosen;
    const translator = this.json ? undefined : await translatorOf(this.language);
    if (translator) {
      const { Translation } = await import('./translation.ts');
      this.translation ??= new Translation(translator, argv);
    }
    if (this.coloured('stdout') || this.coloured('stderr') || this.translation) await loadStyles();
  }

  /** The language of the texts for people. */
  get language(): Language {
    this.#language ??= this.#chosen?.();
    return this.#language ?? 'en';
  }

  /** A message in the language of the user. */
  readonly translated = (message: string): string => this.translation?.text(message) ?? message;

  /** {@link Translation.keep} */
  keep(messages: readonly string[]): void {
    this.translation?.keep(messages);
  }

  /** Redacts a value from now on, in messages and in {@link redactedDocument}, unless it is too short. */
  conceal(secret: string): void {
    this.#secrets.add(secret);
    this.#clean = undefined;
    this.#cleanData = undefined;
  }

  /** Writes data to standard output. Adds a missing line end. */
  async data(text: string): Promise<void> {
    const shown = this.#unstyled(text);
    await write(this.#io, shown.endsWith('\n') ? shown : `${shown}\n`);
  }

  /** Writes a report for people to standard output. */
  async text(text: string): Promise<void> {
    await this.data(this.lines(text));
  }

  /** The lines of a report in the language of the user. */
  lines(text: string): string {
    return this.translation?.lines(text) ?? text;
  }

  /** A painted label in the language of the user, with a space. A wide colon has its own. */
  label(label: string, paint: (text: string) => string): string {
    const text = this.word(label);
    return paint(text) + (text.endsWith('：') ? '' : ' ');
  }

  /**
   * A state or a heading in the language of the user.
   *
   * @param entry The key of the word in the catalog, if it has several senses.
   */
  word(word: string, entry = word): string {
    const translation = this.translation?.word(entry) ?? word;
    return translation === entry ? word : translation;
  }

  /** A list of names or numbers, separated as in the language of the user. */
  list(names: readonly string[]): string {
    return this.translation?.list(names) ?? names.join(', ');
  }

  /** In Chinese all reports have styles, by which their parts are translated. */
  #unstyled(text: string): string {
    return this.translation && !this.coloured('stdout') ? withoutStyles(text) : text;
  }

  /** Writes a piece of a document to standard output, unchanged. */
  async bytes(chunk: Uint8Array): Promise<void> {
    await write(this.#io, chunk);
  }

  /** Writes JSON. On a terminal, colours it and escapes its control characters. */
  async jsonText(json: string): Promise<void> {
    const { isTTY } = this.#io.stdout;
    // FORCE_COLOR must not colour JSON that a program reads.
    const isColoured = isTTY && this.coloured('stdout') && json.length <= PIECE_LENGTH;
    const text = isColoured ? colourJson(json, this.styles('stdout')) : json;
    for (const piece of piecesOf(`${text}\n`)) {
      await write(this.#io, isTTY ? visibleJson(piece) : piece);
    }
  }

  /** Writes the JSON document of a command. */
  async document(value: unknown): Promise<void> {
    await this.jsonText(JSON.stringify(value));
  }

  /** {@link document} with redacted secrets. */
  async redactedDocument(value: unknown): Promise<void> {
    await this.jsonText(this.redactedJson(value));
  }

  redactedJson(value: unknown): string {
    return JSON.stringify(value, this.#cleanPart);
  }

  /**
   * A table with dim headings, which are translated unless they are data. Cells are data. It fits the
   * width of the terminal; elsewhere lines are not wrapped.
   */
  async table(
    headings: readonly Heading[],
    rows: readonly (readonly string[])[],
    indent = 0,
  ): Promise<string> {
    // Loading the widths of characters takes longer than running most commands.
    const { table } = await import('./table.ts');
    const { dim } = this.styles('stdout');
    return table(
      headings.map((heading) =>
        dim(typeof heading === 'string' ? this.word(heading) : heading.data),
      ),
      rows,
      this.width === undefined ? undefined : this.width - indent,
      this.translation?.wrap,
    );
  }

  /** A text of up to 80 columns, translated, and wrapped again to fit a narrower terminal. */
  async prose(text: string): Promise<string> {
    const { width = 80, translation } = this;
    if (translation) return translation.prose(text, Math.min(width, 80));
    if (width >= 80) return text;
    const { fitProse } = await import('./fit-prose.ts');
    return fitProse(text, width);
  }

  /** The columns of the terminal; undefined if standard output is not a terminal. */
  get width(): number | undefined {
    const { isTTY, columns } = this.#io.stdout;
    return isTTY ? columns || 80 : undefined;
  }

  /** Writes the result of a command: with `--json` the document, otherwise the text. */
  async result(document: unknown, text: string): Promise<void> {
    await (this.json ? this.document(document) : this.data(text));
  }

  /** {@link result}, but with `--quiet` the text is not written. */
  async report(document: unknown, text: string): Promise<void> {
    if (this.json || !this.quiet) await this.result(document, text);
  }

  /** Prints progress to standard error, unless `--quiet` or `--json` is set. */
  note(text: string): void {
    if (!this.quiet && !this.json) this.line(this.#hintText(this.lines(this.clean(text))));
  }

  warn(message: string): void {
    if (this.json) this.#jsonLine({ warning: { message } });
    else
      this.line(
        `${this.label('mop: warning:', this.styles('stderr').yellow)}${this.messageText(message)}`,
      );
  }

  /** {@link warn}, but only the first time: a command may read the configuration several times. */
  readonly warnOnce = (message: string): void => {
    if (!this.#warnings.has(message)) this.warn(message);
    this.#warnings.add(message);
  };

  /** Prints one of several failures. The error that ends the command is printed after them. */
  failure(message: string): void {
    this.line(`${this.label('mop:', this.styles('stderr').red)}${this.messageText(message)}`);
  }

  /** Writes a message to standard error, also with `--quiet`: it belongs to a question. */
  say(text: string): void {
    this.line(this.lines(this.clean(text)));
  }

  /** Writes a line to standard error with redacted secrets. */
  line(text: string): void {
    this.#io.stderr.write(`${this.clean(text)}\n`);
  }

  /** Redacts the known secrets in data, except short ones. */
  readonly cleanData = (text: string): string => {
    this.#cleanData ??= this.dataCleaner();
    return this.#cleanData(text);
  };

  /** A function that redacts as {@link cleanData} does. */
  dataCleaner(more: readonly string[] = []): (text: string) => string {
    const secrets = [...this.#secrets, ...more].filter(
      ({ length }) => length >= MIN_LENGTH_IN_DATA,
    );
    return secretReplacer(secrets, REDACTED);
  }

  /** Prints the message and the hint of an error (contract section 1). */
  error(thrown: unknown): void {
    const error = toMopError(thrown);
    const { hint } = error.details;
    if (this.json) {
      this.#jsonLine({ error: errorObject(error) });
    } else {
      this.failure(reasonOf(error));
      for (const line of error.details.excerpt?.split('\n') ?? []) this.line(this.#shown(line));
      if (this.#options.verbose)
        for (const other of error.details.others ?? []) this.failure(other);
      if (hint)
        this.line(
          `${this.label('hint:', this.styles('stderr').dim)}${this.#hintText(this.translated(this.clean(hint)))}`,
        );
    }
    if (this.#options.debug) {
      for (const line of stackOf(thrown)) this.line(this.#shown(line));
    }
  }

  /** A text from outside as a part of a message: redacted, shortened, and on one line. */
  messageText(text: string): string {
    // A translation would change a secret, which is then not recognised.
    return this.#shown(this.word(this.clean(text)));
  }

  #shown(text: string): string {
    return this.#oneLine(withoutMiddle(this.clean(text)));
  }

  #hintText(text: string): string {
    return this.#oneLine(withoutRest(this.clean(text)));
  }

  /**
   * A server's text must not imitate our lines. A terminal shows the other control characters; in a
   * log they are spaces.
   */
  #oneLine(text: string): string {
    if (this.#io.stderr.isTTY) return text.replace(/[\n\t]+/g, ' ');
    return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
  }

  clean(text: string): string {
    this.#clean ??= secretReplacer(this.#secrets, REDACTED);
    return this.#clean(text);
  }

  /** Writes JSON to standard error. Redacts secrets before JSON quoting changes them. */
  #jsonLine(value: unknown): void {
    const json = JSON.stringify(value, this.#cleanPart);
    this.#io.stderr.write(`${this.#io.stderr.isTTY ? visibleJson(json) : json}\n`);
  }

  /** Shortens messages after redaction: the start of a secret would not be recognised. */
  readonly #cleanPart = (key: string, part: unknown): unknown => {
    if (typeof part !== 'string') return part;
    const text = this.clean(part);
    if (key === 'message') return withoutMiddle(text);
    return key === 'hint' ? withoutRest(text) : text;
  };

  /** Whether to colour the output of a stream. */
  coloured(stream: 'stdout' | 'stderr'): boolean {
    if (this.#options.color === false) return false;
    const { env } = this.#io;
    const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env;
    if (force) return force !== '0' && force !== 'false';
    if (no || term === 'dumb') return false;
    return this.#io[stream].isTTY ?? false;
  }

  /** The styles of a stream. They have no effect if the stream is not coloured. */
  styles(stream: 'stdout' | 'stderr'): Style {
    const isTranslated = stream === 'stdout' && this.translation !== undefined;
    return createStyle(isTranslated || this.coloured(stream));
  }
}

/** The bytes of a longer text would take its memory again, and a signal would wait for them. */
const PIECE_LENGTH = 4 * 1024 ** 2;

/** The pieces of a text, none of which ends within a character. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    const isWithin = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    const piece = text.slice(start, isWithin ? end + 1 : end);
    start += piece.length;
    yield piece;
  }
}

/** Writes to standard output. If the reader stops reading, a signal ends the wait. */
function write({ stdout, signal }: Io, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // Wait one turn of the event loop: bytes already in the pipe then count as written.
    const giveUp = (): void => {
      setImmediate(() => reject(signal.reason));
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    stdout.write(data, (error) => {
      signal.removeEventListener('abort', giveUp);
      if (!error) resolve();
      else reject(writeFailure(error));
    });
  });
}

function writeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE') return new BrokenPipe();
  return new MopError('io', `cannot write to standard output: ${error.code ?? error.message}`, {
    hint: 'check where the output goes, and that the disk is not full',
    cause: error,
  });
}
