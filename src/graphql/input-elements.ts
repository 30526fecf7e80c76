import {
  type ConstValueNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  print,
} from 'graphql';

/** An argument of a field or of a directive, or a field of an input object. */
export type InputElement = GraphQLArgument | GraphQLInputField;

/**
 * Every input element that a schema defines, by its name in messages, such as `Query.bill(type:)`.
 * Built-in elements are not included.
 */
export function inputElements(schema: GraphQLSchema): ReadonlyMap<string, InputElement> {
  const elements = new Map<string, InputElement>();
  const addAll = (owner: string, args: readonly GraphQLArgument[]): void => {
    for (const argument of args) elements.set(`${owner}(${argument.name}:)`, argument);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const { name, args } of Object.values(type.getFields())) {
        addAll(`${type.name}.${name}`, args);
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        elements.set(`${type.name}.${field.name}`, field);
      }
    }
  }
  for (const { name, args, astNode } of schema.getDirectives()) {
    if (astNode) addAll(`@${name}`, args);
  }
  return elements;
}

/** The default of an input element as written, with all digits; undefined if it has no default. */
export function defaultText({ astNode }: InputElement): string | undefined {
  return astNode?.defaultValue && print(astNode.defaultValue);
}

/**
 * The default of an input element in canonical form: fields sorted, and with their own defaults,
 * which some servers fill in and others omit.
 */
export function canonicalDefault({ astNode, type }: InputElement): string | undefined {
  return astNode?.defaultValue && canonical(astNode.defaultValue, type);
}

function canonical(node: ConstValueNode, type: GraphQLInputType): string {
  const wanted = getNullableType(type);
  if (isListType(wanted) && node.kind !== Kind.NULL) {
    const items = node.kind === Kind.LIST ? node.values : [node];
    return `[${items.map((item) => canonical(item, wanted.ofType)).join(', ')}]`;
  }
  if (node.kind === Kind.STRING) return JSON.stringify(node.value);
  if (node.kind !== Kind.OBJECT) return print(node);
  const parts = new Map(node.fields.map(({ name, value }) => [name.value, value]));
  const fields = isInputObjectType(wanted) ? wanted.getFields() : {};
  for (const field of Object.values(fields)) {
    const fallback = field.astNode?.defaultValue;
    if (fallback && !parts.has(field.name)) parts.set(field.name, fallback);
  }
  const texts = [...parts].map(([name, value]) => {
    const partType = fields[name]?.type;
    return `${name}: ${partType ? canonical(value, partType) : print(value)}`;
  });
  return `{${texts.sort().join(', ')}}`;
}
