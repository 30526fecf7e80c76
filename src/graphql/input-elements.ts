import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql';

/** An argument of a field or of a directive, or a field of an input object. */
export type InputElement = GraphQLArgument | GraphQLInputField;

/** Every input element of a schema, by what a person would call it, such as `Query.bill(type:)`. */
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
  for (const { name, args } of schema.getDirectives()) addAll(`@${name}`, args);
  return elements;
}

/** The default of an input element as it was written, with all digits; undefined without one. */
export function defaultText({ astNode }: InputElement): string | undefined {
  return astNode?.defaultValue && print(astNode.defaultValue);
}
