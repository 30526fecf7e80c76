import { Kind, parseValue, type ValueNode, type VariableNode } from 'graphql';
import { MopError, quoted } from '../errors.ts';
import { list, text } from '../json/build.ts';
import type { JsonValue } from '../json/value.ts';

/** The JSON of a literal: numbers keep their digits, and an enum value is a string. */
export function literalJson(
  node: ValueNode,
  replace: (variable: VariableNode) => JsonValue,
): JsonValue {
  switch (node.kind) {
    case Kind.NULL:
      return { kind: 'null' };
    case Kind.INT:
    case Kind.FLOAT:
      return { kind: 'number', text: node.value };
    case Kind.BOOLEAN:
      return { kind: 'boolean', value: node.value };
    case Kind.VARIABLE:
      return replace(node);
    case Kind.LIST:
      return list(node.values.map((item) => literalJson(item, replace)));
    case Kind.OBJECT: {
      const members = node.fields.map(({ name, value }) => ({
        name: name.value,
        value: literalJson(value, replace),
      }));
      return { kind: 'object', members };
    }
    default:
      return text(node.value);
  }
}

/** A list or an input object in GraphQL syntax as JSON; undefined for any other text. */
export function containerLiteral(given: string, isList: boolean): JsonValue | undefined {
  if (!/^\s*[[{]/.test(given)) return undefined;
  let node: ValueNode;
  try {
    node = parseValue(given);
  } catch (error) {
    // A list of characters such as [a-z] may be a text.
    if (!isList && !/^\s*\{/.test(given)) return undefined;
    const [reason] = String((error as Error).message).split('\n');
    throw new MopError('usage', `${given} is neither JSON nor a value of GraphQL: ${reason}`, {
      hint: 'correct it, or give it as a text with -f',
    });
  }
  return literalJson(node, ({ name }) => {
    throw new MopError('usage', `the value ${given} contains the variable $${name.value}`, {
      hint: quoted`write the value of ${`$${name.value}`} in its place, or give a text with -f`,
    });
  });
}
