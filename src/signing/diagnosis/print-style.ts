import type { JsonMember, JsonValue, NestedValue } from '../../json/value.ts';

/** How a signer prints values. `valueText` is the right style (D1 5.1). */
export interface PrintStyle {
  readonly number: (text: string, place: Place) => string;
  readonly boolean: (value: boolean, place: Place) => string;
  /** The text of a field that is null; undefined leaves the field out. */
  readonly nullText: string | undefined;
  /** The characters of a string, inside nested JSON as well. */
  readonly characters: (value: string) => string;
  readonly string: (value: string) => string;
  /** The text of a field that is an object or an array. Default: its kept text, if any. */
  readonly nested: (value: NestedValue, style: PrintStyle, name: string) => string;
  readonly layout: JsonLayout;
  readonly memberOrder: (members: readonly JsonMember[]) => readonly JsonMember[];
  /** Applied last to a quoted string: escapes more characters than JSON requires. */
  readonly escape: (quoted: string) => string;
}

export type Place = 'field' | 'nested';

export interface JsonLayout {
  readonly comma: string;
  readonly colon: string;
  /** The indent of each level; empty for output in one line. */
  readonly indent: string;
  readonly lineEnd: string;
  /** Arrays in one line and a space inside empty brackets, as Jackson prints them. */
  readonly inlineArrays: boolean;
}

export const RIGHT_STYLE: PrintStyle = {
  number: (text) => text,
  boolean: String,
  nullText: undefined,
  characters: (value) => value,
  string: (value) => value,
  nested: nestedText,
  layout: { comma: ',', colon: ':', indent: '', lineEnd: '', inlineArrays: false },
  memberOrder: (members) => members,
  escape: (quoted) => quoted,
};

/** The style of `json.dumps` of Python, without its escapes. */
export const SPACED_STYLE: PrintStyle = {
  ...RIGHT_STYLE,
  layout: { ...RIGHT_STYLE.layout, comma: ', ', colon: ': ' },
};

/** The text of a field's value; undefined when the style leaves the field out. */
export function fieldText(value: JsonValue, style: PrintStyle, name = ''): string | undefined {
  switch (value.kind) {
    case 'string':
      return style.string(style.characters(value.value));
    case 'number':
      return style.number(value.text, 'field');
    case 'boolean':
      return style.boolean(value.value, 'field');
    case 'null':
      return style.nullText;
    default:
      return nestedOf(value, style, name);
  }
}

/** Caches the last text of each nested value, because consecutive signers share a style. */
function nestedOf(value: NestedValue, style: PrintStyle, name: string): string {
  const last = lastTexts.get(value);
  if (last?.style === style) return last.text;
  const text = style.nested(value, style, name);
  lastTexts.set(value, { style, text });
  return text;
}

const lastTexts = new WeakMap<NestedValue, { readonly style: PrintStyle; readonly text: string }>();

/** A signer whose JSON style changes the value signs reprinted text instead of the sent text. */
function nestedText(value: NestedValue, style: PrintStyle): string {
  const isReprinted = REPRINTED.some((key) => style[key] !== RIGHT_STYLE[key]);
  if (!isReprinted) return value.text ?? jsonText(value, style);
  const printed = jsonText(value, style);
  return value.text !== undefined && printed === compactText(value) ? value.text : printed;
}

function compactText(value: NestedValue): string {
  const known = compactTexts.get(value) ?? jsonText(value, RIGHT_STYLE);
  compactTexts.set(value, known);
  return known;
}

const compactTexts = new WeakMap<NestedValue, string>();

const REPRINTED = ['number', 'boolean', 'characters', 'layout', 'memberOrder', 'escape'] as const;

export function jsonText(value: JsonValue, style: PrintStyle, level = 0): string {
  switch (value.kind) {
    case 'string':
      return quoted(style.characters(value.value), style);
    case 'number':
      return style.number(value.text, 'nested');
    case 'boolean':
      return style.boolean(value.value, 'nested');
    case 'null':
      return 'null';
    case 'array': {
      const { inlineArrays } = style.layout;
      const items = value.items.map((item) =>
        jsonText(item, style, level + (inlineArrays ? 0 : 1)),
      );
      if (inlineArrays) return items.length > 0 ? `[ ${items.join(', ')} ]` : '[ ]';
      return bracketed('[', items, ']', style.layout, level);
    }
    case 'object': {
      const members = style
        .memberOrder(value.members)
        .map(
          ({ name, value }) =>
            quoted(name, style) + style.layout.colon + jsonText(value, style, level + 1),
        );
      if (style.layout.inlineArrays && members.length === 0) return '{ }';
      return bracketed('{', members, '}', style.layout, level);
    }
  }
}

function quoted(text: string, style: PrintStyle): string {
  return style.escape(JSON.stringify(text));
}

function bracketed(
  open: string,
  parts: readonly string[],
  close: string,
  { comma, indent, lineEnd }: JsonLayout,
  level: number,
): string {
  if (parts.length === 0 || lineEnd === '') return open + parts.join(comma) + close;
  const inner = lineEnd + indent.repeat(level + 1);
  return (
    open + inner + parts.join(comma.trimEnd() + inner) + lineEnd + indent.repeat(level) + close
  );
}
