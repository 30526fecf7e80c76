import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { flattened, hoisted, NESTED_NAMES, type NestedNames } from '../languages/flattened.ts';
import { hashMapOrder } from '../languages/java-hash-map.ts';
import { RESHAPED } from '../languages/reshaped.ts';
import { STRINGIFIERS } from '../languages/stringified.ts';
import {
  type Evidence,
  inFamily,
  type Mistake,
  RARE,
  rarely,
  styled,
  USUAL,
  type Variant,
  variantsIf,
  withFields,
} from '../mistake.ts';
import {
  fieldText,
  type JsonLayout,
  type PrintStyle,
  RIGHT_STYLE,
  SPACED_STYLE,
} from '../print-style.ts';
import type { Pair, Signer, Steps } from '../signer.ts';
import { someText } from '../values.ts';

const DUMPED = 'with ", " and ": " (json.dumps of Python)';

export const nestedSpacing: Mistake = {
  id: 'nested-spacing',
  readsEveryValue: true,
  perField: true,
  fix: 'sign nested JSON in the form in which it is sent: compact, without white space',
  variants: (evidence) => {
    const { fields: sent, nestedAsSent } = evidence;
    const isAsSent = sent.some(({ value, position }) => nestedAsSent.get(position) === value);
    const laidOut = (how: string, layout: Partial<JsonLayout>): Variant =>
      styled(`nested JSON was signed ${how}`, { layout: { ...RIGHT_STYLE.layout, ...layout } });
    const indented = { colon: ': ', lineEnd: '\n' };
    return whereNested(evidence, [
      ...variantsIf(isAsSent, {
        ...withValues('nested JSON was signed in compact form', ({ value }) => withoutText(value)),
        fix: 'sign nested JSON with the characters that are sent, white space included',
      }),
      ...variantsIf(!isAsSent && nestedAsSent.size > 0, {
        ...withValues(
          'nested JSON was signed with the characters that were sent',
          ({ value, position }) => nestedAsSent.get(position) ?? value,
        ),
        fix: 'send nested JSON in compact form, or sign it in compact form',
      }),
      laidOut(DUMPED, SPACED_STYLE.layout),
      // A signer may print only objects, or only lists, like this.
      ...ofEachKind(evidence, DUMPED, (value, style) =>
        RIGHT_STYLE.nested(value, { ...style, layout: SPACED_STYLE.layout }),
      ),
      laidOut('indented by 2', { ...indented, indent: '  ' }),
      laidOut('indented by 4', { ...indented, indent: '    ' }),
      ...rarely([
        laidOut('with ": " after names', { colon: ': ' }),
        laidOut('with ", " between items', { comma: ', ' }),
        laidOut('indented by tabs', { ...indented, indent: '\t' }),
        laidOut('indented by 2, Windows line ends', { ...indented, indent: '  ', lineEnd: '\r\n' }),
        laidOut('indented as by Jackson', {
          colon: ' : ',
          indent: '  ',
          lineEnd: '\n',
          inlineArrays: true,
        }),
      ]),
    ]);
  },
};

export const nestedKeyOrder: Mistake = {
  id: 'nested-key-order',
  readsEveryValue: true,
  perField: true,
  fix: 'sign nested JSON with its names in the order in which they are sent',
  variants: (evidence) => {
    const ordered = (how: string, memberOrder: PrintStyle['memberOrder']): Variant =>
      styled(`the names inside nested JSON were ${how}`, { memberOrder });
    if (!evidence.fields.some(({ value }) => hasOrder(value))) return [];
    return [
      ordered('sorted', sortedByName),
      ordered('in the order of a Java HashMap', (members) =>
        hashMapOrder(members, ({ name }) => name),
      ),
      ordered('in the order of a JavaScript object, integers first', integersFirst),
      ...rarely([
        ordered('sorted without regard to case', (members) =>
          members.toSorted((a, b) => compareNames(a.name.toLowerCase(), b.name.toLowerCase())),
        ),
        ordered('in reverse', (members) => members.toReversed()),
      ]),
    ];
  },
};

export const nestedFlattened: Mistake = {
  id: 'nested-flattened',
  readsEveryValue: true,
  perField: true,
  fix: 'sign an object or a list as one field, with its JSON text as the value',
  variants: (evidence) =>
    whereNested(evidence, [
      ...NESTED_NAMES.flatMap((names) =>
        inFamily(
          `nested JSON was split into separate fields: ${names.title}`,
          splitVariants(names, evidence),
        ),
      ),
      ...hoistVariants(evidence),
      ...STRINGIFIERS.flatMap(({ title, print, rare = false }) => {
        const cost = rare ? RARE : USUAL;
        return inFamily(`nested JSON was signed ${title}`, [
          { ...styled(`nested JSON was signed ${title}`, { nested: print }), cost },
          ...ofEachKind(evidence, title, print, cost),
        ]);
      }),
      ...RESHAPED.map(({ title, reshape, cost = 3 }) => ({
        ...styled(`nested JSON was signed ${title}`, {
          nested: (value, style) =>
            fieldText(reshape(value), { ...style, nested: RIGHT_STYLE.nested }) ?? '',
        }),
        fix: 'sign nested JSON with the same lists and objects that are sent',
        cost,
      })),
    ]),
};

export const nestedEscapedUnicode: Mistake = {
  id: 'nested-escaped-unicode',
  readsEveryValue: true,
  perField: true,
  fix: 'sign characters unescaped, without \\u escapes (ensure_ascii=False, JSON_UNESCAPED_UNICODE, SetEscapeHTML(false))',
  variants: ({ fields }) => escapeVariants(fields, UNICODE_ESCAPES),
};

export const nestedEscapedSlash: Mistake = {
  id: 'nested-escaped-slash',
  readsEveryValue: true,
  perField: true,
  fix: 'sign "/" unescaped, not as "\\/" (JSON_UNESCAPED_SLASHES)',
  variants: ({ fields }) =>
    escapeVariants(fields, [
      { how: 'with "\\/" for "/"', pattern: /\//g, replacement: () => '\\/' },
    ]),
};

/** Signs the members of all objects, or of one, as fields. */
function hoistVariants({ fields }: Evidence): readonly Variant[] {
  const names = fields.filter(({ value }) => value.kind === 'object').map(({ name }) => name);
  const sets = names.length > 1 ? [names, ...names.map((name) => [name])] : [names];
  return sets
    .filter((set) => set.length > 0)
    .flatMap((set) => {
      const subject = `the members of ${set.join(', ')} were signed as separate fields`;
      const isHoisted = ({ name }: Field): boolean => set.includes(name);
      return [false, true].map((keepsOuter): Variant => {
        const place = keepsOuter ? 'beside' : 'instead of';
        return {
          ...withFields(`${subject}, ${place} ${set.length > 1 ? 'them' : 'it'}`, (all) =>
            hoisted(all, isHoisted, keepsOuter),
          ),
          family: `the members of objects were signed as separate fields, ${place} the objects`,
          fields: set,
          cost: 4,
        };
      });
    });
}

/** Two variants for a request with objects and lists: `print` prints only one of the two kinds. */
function ofEachKind(
  { fields }: Evidence,
  how: string,
  print: PrintStyle['nested'],
  cost = USUAL,
): readonly Variant[] {
  const kinds = new Set(fields.map(({ value }) => value.kind));
  if (!kinds.has('object') || !kinds.has('array')) return [];
  return (['object', 'array'] as const).map((kind) => ({
    ...styled(`${kind === 'object' ? 'objects' : 'lists'} were signed ${how}`, {
      nested: (value, style) =>
        value.kind === kind ? print(value, style) : RIGHT_STYLE.nested(value, style),
    }),
    family: `nested JSON was signed ${how}`,
    cost: cost + 1,
  }));
}

/**
 * Splits nested JSON into fields: all of it, before or after sorting; only objects; only lists; or
 * one field.
 */
function splitVariants(names: NestedNames, { fields }: Evidence): readonly Variant[] {
  const nested = fields.filter(({ value }) => isNested(value));
  const { rare = false, leaf } = names;
  const cost = rare ? RARE : USUAL;
  const split = (subject: string): string =>
    `${subject} was split into separate fields: ${names.title}`;
  const kinds = new Set(nested.map(({ value }) => value.kind));
  return [
    { ...withFields(split('nested JSON'), (all) => flattened(all, names)), cost },
    {
      title: `${split('nested JSON')}, after sorting`,
      // Usual for http_build_query, the only splitter with a `leaf`.
      cost: rare || leaf === undefined ? RARE : USUAL,
      change: (signer) => splitAfterSorting(signer, names),
    },
    ...(['object', 'array'] as const)
      .filter((kind) => kinds.has(kind))
      .map((kind) => ({
        ...withFields(
          split(kind === 'object' ? 'nested JSON, except lists,' : 'nested JSON, except objects,'),
          (all) => flattened(all, names, [kind]),
        ),
        cost: cost + 1,
      })),
    ...(nested.length < 2 ? [] : nested).map(({ name }) => ({
      ...withFields(split(name), (all) =>
        all.flatMap((field) => (field.name === name ? flattened([field], names) : [field])),
      ),
      cost: cost + 2,
    })),
  ];
}

/** Splits nested JSON into fields that keep the sorted place of the outer field. */
export function splitAfterSorting(signer: Signer, names: NestedNames): Signer {
  const { fields } = signer.steps;
  return signer.with({ fields: flattened(fields, names), order: byOuterName(fields) });
}

/** Adds escapes to nested JSON after earlier ones: a signer may apply both. */
export function nestedEscaped(title: string, more: (quoted: string) => string): Variant {
  return restyled(title, nestedEscape(more));
}

function nestedEscape(more: (quoted: string) => string) {
  return ({ escape: before }: PrintStyle): Partial<PrintStyle> => ({
    escape: (quoted) => more(before(quoted)),
  });
}

/** Sorts inner fields by the name of the outer field. */
function byOuterName(fields: readonly Field[]): Steps['order'] {
  const outer = new Map(fields.map(({ name, position }) => [position, name]));
  const outerName = ({ name, position }: Pair): string => outer.get(position) ?? name;
  return (pairs) => pairs.toSorted((a, b) => compareNames(outerName(a), outerName(b)));
}

/** A UTF-16 code unit as `\uXXXX` with lower-case hex digits, as in most languages. */
export function lowerEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A UTF-16 code unit as `\uXXXX` with upper-case hex digits, as in .NET. */
function upperEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface Escape {
  readonly how: string;
  readonly pattern: RegExp;
  /** Default {@link lowerEscape}. */
  readonly replacement?: (character: string) => string;
  readonly rare?: boolean;
}

const UNICODE_ESCAPES: readonly Escape[] = [
  { how: 'with \\u escapes for all characters outside ASCII', pattern: /[^\0-\x7f]/g },
  { how: 'with \\u escapes in upper case', pattern: /[^\0-\x7f]/g, replacement: upperEscape },
  {
    how: 'with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
    pattern: /[<>&\u2028\u2029]/g,
  },
  {
    rare: true,
    how: 'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
    pattern: /[<>&='\u2028\u2029]/g,
  },
  {
    rare: true,
    how: 'with \\u2028 and \\u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP)',
    pattern: /[\u2028\u2029]/g,
  },
  {
    rare: true,
    how: "with \\u escapes for < > & ' + ` and all characters outside ASCII (.NET)",
    pattern: /[<>&'+`]|[^\0-\x7f]/g,
    replacement: upperEscape,
  },
  {
    rare: true,
    how: "with \\u escapes for < > & ' and all characters outside ASCII",
    pattern: /[<>&']|[^\0-\x7f]/g,
  },
];

/** For each escape: inside nested JSON, in all texts, and only in texts outside nested JSON. */
function escapeVariants(
  fields: Evidence['fields'],
  escapes: readonly Escape[],
): readonly Variant[] {
  return escapes.flatMap(({ how, pattern, replacement = lowerEscape, rare = false }) => {
    if (!someText(fields, (text) => text.search(pattern) >= 0)) return [];
    const escaped = (text: string): string => text.replace(pattern, replacement);
    const inNested = nestedEscape(escaped);
    const inTexts = ({ string: before }: PrintStyle): Partial<PrintStyle> => ({
      string: (text) => escaped(before(text)),
    });
    const variants = inFamily(`texts, nested JSON or both were signed ${how}`, [
      restyled(`nested JSON was signed ${how}`, inNested),
      restyled(`texts and nested JSON were signed ${how}`, (style) => ({
        ...inNested(style),
        ...inTexts(style),
      })),
      restyled(`texts were signed ${how}`, inTexts),
    ]);
    return rare ? rarely(variants) : variants;
  });
}

function withValues(title: string, change: (field: Field) => JsonValue): Variant {
  return withFields(title, (fields) => fields.map((field) => ({ ...field, value: change(field) })));
}

function whereNested({ fields }: Evidence, variants: readonly Variant[]): readonly Variant[] {
  return fields.some(({ value }) => isNested(value)) ? variants : [];
}

/** Removes the kept text of a value, which is then printed in compact form. */
function withoutText(value: JsonValue): JsonValue {
  return isNested(value) ? { ...value, text: undefined } : value;
}

/** Whether a value contains an object with several names, which could be reordered. */
function hasOrder(value: JsonValue): boolean {
  if (value.kind === 'array') return value.items.some(hasOrder);
  if (value.kind !== 'object') return false;
  return value.members.length > 1 || value.members.some((member) => hasOrder(member.value));
}

function restyled(title: string, change: (style: PrintStyle) => Partial<PrintStyle>): Variant {
  return { title, change: (signer) => signer.withStyle(change(signer.steps.style)) };
}

function integersFirst(members: readonly JsonMember[]): readonly JsonMember[] {
  const isInteger = ({ name }: JsonMember): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);
  return [
    ...members.filter(isInteger).sort((a, b) => Number(a.name) - Number(b.name)),
    ...members.filter((member) => !isInteger(member)),
  ];
}
