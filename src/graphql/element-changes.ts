import {
  type ConstDirectiveNode,
  type ConstValueNode,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  isScalarType,
  isTypeSubTypeOf,
  Kind,
  type NameNode,
  parseType,
  print,
  specifiedDirectives,
  typeFromAST,
} from 'graphql';
import { withoutEnd } from '../any-length.ts';
import {
  defaultText,
  directivesOf,
  type InputElement,
  isInput,
  type SchemaElement,
} from './schema-elements.ts';

export interface SchemaChange {
  /** Its kind, such as `FIELD_REMOVED`: the kinds of graphql-js, and a few more. */
  readonly type: string;
  readonly description: string;
}

export interface CommonElement {
  readonly name: string;
  readonly before: SchemaElement;
  readonly after: SchemaElement;
}

/** Breaking changes that graphql-js does not find, of directive arguments and required defaults. */
export function inputBreaks(
  { name, before, after }: CommonElement,
  current: GraphQLSchema,
): SchemaChange[] {
  if (!isInput(before) || !isInput(after)) return [];
  // Of two schemas, graphql-js compares types by identity.
  const old = typeFromAST(current, parseType(String(before.type)));
  if (name.startsWith('@') && !(old && isTypeSubTypeOf(current, old, after.type))) {
    const description = `${name} changed type from ${before.type} to ${after.type}.`;
    return [{ type: 'DIRECTIVE_ARG_CHANGED_KIND', description }];
  }
  const lostDefault = before.defaultValue !== undefined && after.defaultValue === undefined;
  if (lostDefault && isRequiredInputField(after)) {
    const description = `${name} no longer has a default and is now required.`;
    return [{ type: 'DEFAULT_VALUE_REQUIRED', description }];
  }
  return [];
}

export function defaultChanges({ name, before, after }: CommonElement): SchemaChange[] {
  if (!isInput(before) || !isInput(after)) return [];
  // Documents give every value of a required element.
  if (canonicalDefault(before) === canonicalDefault(after) || isRequiredInputField(before)) {
    return [];
  }
  // graphql-js defines a kind only for the defaults of arguments.
  const type = name.includes('(') ? 'ARG_DEFAULT_VALUE_CHANGE' : 'INPUT_FIELD_DEFAULT_VALUE_CHANGE';
  const subject = `The default of ${name}`;
  return [{ type, description: changeText(subject, defaultText(before), defaultText(after)) }];
}

export function usageChanges(
  { name, before, after }: CommonElement,
  old: GraphQLSchema,
  current: GraphQLSchema,
): SchemaChange[] {
  const was = usagesOf(before, old);
  const is = usagesOf(after, current);
  const added = is.filter(isMissingIn(was));
  const others = was.filter(isMissingIn(is)).map((usage) => {
    const at = added.findIndex(({ directive }) => directive === usage.directive);
    const [changed] = at < 0 ? [] : added.splice(at, 1);
    return usageChange(name, usage, changed);
  });
  return [...others, ...added.map((usage) => usageChange(name, undefined, usage))];
}

interface Usage {
  readonly directive: string;
  readonly canonical: string;
  readonly text: string;
}

/** The usages of directives on an element, except those of the specification. */
function usagesOf(element: SchemaElement, schema: GraphQLSchema): Usage[] {
  return directivesOf(element)
    .filter(({ name }) => !specifiedDirectives.some((each) => each.name === name.value))
    .map((node) => ({
      directive: node.name.value,
      canonical: canonicalUsage(node, schema),
      text: print(node),
    }));
}

function isMissingIn(usages: readonly Usage[]): (usage: Usage) => boolean {
  return ({ canonical, text }) =>
    !usages.some((other) => other.canonical === canonical || other.text === text);
}

function usageChange(name: string, before?: Usage, after?: Usage): SchemaChange {
  const subject = `The directive ${(before ?? after)?.directive} of ${name}`;
  const type = !before ? 'ADDED' : after ? 'CHANGED' : 'REMOVED';
  const description = changeText(subject, before?.text, after?.text);
  return { type: `DIRECTIVE_USAGE_${type}`, description };
}

export function scalarChanges({ name, before, after }: CommonElement): SchemaChange[] {
  const [old, current] = [before, after].map((element) =>
    isScalarType(element) ? element.specifiedByURL : undefined,
  );
  if ((old ?? undefined) === (current ?? undefined)) return [];
  const description = changeText(`The specification of ${name}`, old, current);
  return [{ type: 'SPECIFIED_BY_CHANGED', description }];
}

export function isDeprecated(element: SchemaElement): boolean {
  return reasonOf(element) !== undefined;
}

export function deprecationChanges({ name, before, after }: CommonElement): SchemaChange[] {
  const [old, current] = [reasonOf(before), reasonOf(after)];
  if (old === current) return [];
  const type = old === undefined ? 'ADDED' : current === undefined ? 'REMOVED' : 'REASON_CHANGED';
  const texts = [old, current].map((reason) => reason && JSON.stringify(reason));
  const description = changeText(`The deprecation of ${name}`, ...texts);
  const subject = isInput(before) ? 'INPUT_DEPRECATION' : 'DEPRECATION';
  return [{ type: `${subject}_${type}`, description }];
}

/** The reason of a deprecation; undefined for an element that is not deprecated. */
function reasonOf(element: SchemaElement): string | undefined {
  return ('deprecationReason' in element ? element.deprecationReason : undefined) ?? undefined;
}

function changeText(subject: string, before?: string | null, after?: string | null): string {
  if (before == null) return `${subject} was added: ${after}.`;
  return after == null
    ? `${subject} was removed (was ${before}).`
    : `${subject} changed from ${before} to ${after}.`;
}

/** The default in canonical form: two spellings of one value have the same form. */
function canonicalDefault({ astNode, type }: InputElement): string | undefined {
  return astNode?.defaultValue && canonicalValue(astNode.defaultValue, type);
}

function canonicalUsage(
  { name, arguments: given = [] }: ConstDirectiveNode,
  schema: GraphQLSchema,
): string {
  return `@${name.value}(${canonicalMembers(given, schema.getDirective(name.value)?.args ?? [])})`;
}

function canonicalValue(node: ConstValueNode, type: GraphQLInputType | undefined): string {
  const wanted = type && getNullableType(type);
  if (isListType(wanted) && node.kind !== Kind.NULL) {
    const items = node.kind === Kind.LIST ? node.values : [node];
    return `[${items.map((item) => canonicalValue(item, wanted.ofType)).join(', ')}]`;
  }
  switch (node.kind) {
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.INT:
      return wanted === GraphQLID ? JSON.stringify(node.value) : canonicalNumber(node.value);
    case Kind.FLOAT:
      return canonicalNumber(node.value);
    case Kind.LIST:
      return `[${node.values.map((item) => canonicalValue(item, undefined)).join(', ')}]`;
    case Kind.OBJECT: {
      const fields = isInputObjectType(wanted) ? Object.values(wanted.getFields()) : [];
      return `{${canonicalMembers(node.fields, fields)}}`;
    }
    default:
      return print(node);
  }
}

/** Arguments or fields in the order of their names; some servers omit those with the default. */
function canonicalMembers(
  given: readonly { readonly name: NameNode; readonly value: ConstValueNode }[],
  elements: readonly InputElement[],
): string {
  const values = new Map(given.map(({ name, value }) => [name.value, value]));
  for (const { name, astNode } of elements) {
    if (astNode?.defaultValue && !values.has(name)) values.set(name, astNode.defaultValue);
  }
  const types = new Map(elements.map(({ name, type }) => [name, type]));
  const members = [...values].map(
    ([name, value]) => `${name}: ${canonicalValue(value, types.get(name))}`,
  );
  return members.sort().join(', ');
}

/** A number as its significant digits and a power of ten: `1.0`, `1` and `10e-1` are `1e0`. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutEnd(digits, '0');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}
