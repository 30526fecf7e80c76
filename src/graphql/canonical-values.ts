import {
  type ConstDirectiveNode,
  type ConstValueNode,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type NameNode,
  print,
} from 'graphql';
import { withoutEnd } from '../any-length.ts';
import type { InputElement } from './schema-elements.ts';

/** The default in canonical form: two spellings of one value have the same form. */
export function canonicalDefault({ astNode, type }: InputElement): string | undefined {
  return astNode?.defaultValue && canonicalValue(astNode.defaultValue, type);
}

/** The usage of a directive in canonical form, with the defaults of its arguments. */
export function canonicalUsage(
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
