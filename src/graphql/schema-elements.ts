import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  print,
} from 'graphql';

/** An argument of a field or of a directive, or a field of an input object. */
export type InputElement = GraphQLArgument | GraphQLInputField;

/** Anything that a schema defines and that can have directives. */
export type SchemaElement =
  | GraphQLSchema
  | GraphQLNamedType
  | GraphQLField<unknown, unknown>
  | GraphQLEnumValue
  | InputElement;

/**
 * Every element of a schema that is not built in, by its name in messages: `Bill`, `Query.bill`,
 * `Query.bill(type:)`, `Kind.PAID`, `@live(at:)`, and `schema` itself.
 */
export function schemaElements(schema: GraphQLSchema): ReadonlyMap<string, SchemaElement> {
  const elements = new Map<string, SchemaElement>([['schema', schema]]);
  const addArguments = (owner: string, args: readonly GraphQLArgument[]): void => {
    for (const argument of args) elements.set(`${owner}(${argument.name}:)`, argument);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    elements.set(type.name, type);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        elements.set(`${type.name}.${field.name}`, field);
        addArguments(`${type.name}.${field.name}`, field.args);
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        elements.set(`${type.name}.${field.name}`, field);
      }
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) elements.set(`${type.name}.${value.name}`, value);
    }
  }
  for (const { name, args, astNode } of schema.getDirectives()) {
    if (astNode) addArguments(`@${name}`, args);
  }
  return elements;
}

export function isInput(element: SchemaElement): element is InputElement {
  return element.astNode?.kind === Kind.INPUT_VALUE_DEFINITION;
}

/** The directives of an element, also those of its extensions. */
export function directivesOf(element: SchemaElement): readonly ConstDirectiveNode[] {
  const extensions = 'extensionASTNodes' in element ? element.extensionASTNodes : [];
  return [element.astNode, ...extensions].flatMap((node) => node?.directives ?? []);
}

/** The default of an input element as written, with all digits; undefined if it has no default. */
export function defaultText({ astNode }: InputElement): string | undefined {
  return astNode?.defaultValue && print(astNode.defaultValue);
}
