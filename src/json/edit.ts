import { JsonReader } from './reader.ts';

/** Millions of pieces would take more memory than their text. */
const MAX_PIECES = 8192;

/** Copies a text from an offset on, with replaced parts. Make the replacements in their order. */
export class EditedText {
  readonly #text: string;
  #joined = '';
  readonly #pieces: string[] = [];
  #copied: number;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.#copied = from;
  }

  replace(from: number, to: number, by: string): void {
    this.#pieces.push(this.#text.slice(this.#copied, from), by);
    this.#copied = to;
    if (this.#pieces.length > MAX_PIECES) this.#join();
  }

  upTo(end: number): string {
    this.#join();
    return this.#joined + this.#text.slice(this.#copied, end);
  }

  #join(): void {
    this.#joined += this.#pieces.join('');
    this.#pieces.length = 0;
  }
}

export interface JsonEdits {
  /** Returns the replacement of a string, a name or a literal. A changed literal becomes a string. */
  readonly text?: (text: string) => string;
  /** Returns the JSON that replaces the value of a member, given its JSON, by the member's name. */
  readonly members?: ReadonlyMap<string | number, (json: string) => string>;
}

/** Edits a JSON text without parsing it: its values would take up to fifty times its memory. */
export function editJson(json: string, edits: JsonEdits): string {
  return new JsonEditor(json, edits).edited();
}

class JsonEditor extends JsonReader {
  readonly #edits: JsonEdits;
  readonly #result: EditedText;
  /** Whether the position is within a member that is replaced as a whole. */
  #isReplaced = false;

  constructor(json: string, edits: JsonEdits) {
    super(json);
    this.#edits = edits;
    this.#result = new EditedText(json);
  }

  edited(): string {
    this.skip(0);
    this.end();
    return this.#result.upTo(this.text.length);
  }

  protected override skipAt(step: string | number, depth: number): void {
    const edit = this.#isReplaced ? undefined : this.#edits.members?.get(step);
    if (!edit) {
      this.skip(depth);
      return;
    }
    this.space();
    const start = this.offset;
    this.#isReplaced = true;
    this.skip(depth);
    this.#isReplaced = false;
    this.#result.replace(start, this.offset, edit(this.text.slice(start, this.offset)));
  }

  protected override string(): string {
    const start = this.offset;
    const value = super.string();
    this.#edit(start, value);
    return value;
  }

  protected override scalar(): void {
    const start = this.offset;
    super.scalar();
    this.#edit(start, this.text.slice(start, this.offset));
  }

  #edit(start: number, text: string): void {
    const by = this.#isReplaced ? text : (this.#edits.text?.(text) ?? text);
    if (by !== text) this.#result.replace(start, this.offset, JSON.stringify(by));
  }
}
