import { JsonReader } from '../../json/reader.ts';
import { isNested, type JsonMember, type JsonValue } from '../../json/value.ts';

/** Every name and string in the fields, including nested JSON. */
export function allTexts(fields: readonly JsonMember[]): readonly string[] {
  const texts: string[] = [];
  eachText(fields, (text) => texts.push(text));
  return texts;
}

export function someText(fields: readonly JsonMember[], test: (text: string) => boolean): boolean {
  return allTexts(fields).some(test);
}

function eachText(fields: readonly JsonMember[], visit: (text: string) => void): void {
  for (const { name, value } of fields) {
    visit(name);
    eachTextOf(value, visit);
  }
}

function eachTextOf(value: JsonValue, visit: (text: string) => void): void {
  if (value.kind === 'string') visit(value.value);
  else if (isNested(value) && value.text !== undefined) new TextReader(value.text, visit).read();
  else if (value.kind === 'array') for (const item of value.items) eachTextOf(item, visit);
  else if (value.kind === 'object') eachText(value.members, visit);
}

/** Reads names and strings without parsing the JSON: its values take ten times the memory. */
class TextReader extends JsonReader {
  readonly #visit: (text: string) => void;

  constructor(json: string, visit: (text: string) => void) {
    super(json);
    this.#visit = visit;
  }

  read(): void {
    this.skip(0);
  }

  protected override string(): string {
    const text = super.string();
    this.#visit(text);
    return text;
  }
}
