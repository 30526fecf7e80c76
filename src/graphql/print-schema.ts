import {
  type GraphQLSchema,
  type IntrospectionInputValue,
  type IntrospectionQuery,
  introspectionFromSchema,
} from 'graphql';
import { MopError } from '../errors.ts';
import { DRAFT_LOCATION } from '../protocol/graphql.ts';
import { defaultText, isInput, schemaElements } from './schema-elements.ts';

/**
 * The introspection of a schema: the object with `__schema`. Defaults keep their text.
 *
 * @param schema Its defaults are removed.
 * @throws {MopError} `usage` for a schema without queries, which has no introspection.
 */
export function schemaIntrospection(schema: GraphQLSchema): IntrospectionQuery {
  if (!schema.getQueryType()) {
    throw new MopError('usage', 'the schema has no query type, and so no introspection', {
      hint: 'print it with --as sdl',
    });
  }
  const elements = schemaElements(schema);
  // graphql-js fails to print some values and rounds others.
  for (const element of elements.values()) if (isInput(element)) element.defaultValue = undefined;
  const introspection = introspectionFromSchema(schema, {
    experimentalDirectiveDeprecation: false,
  });
  const fill = (
    owner: string,
    values: readonly IntrospectionInputValue[],
    isField = false,
  ): void => {
    for (const value of values) {
      const element = elements.get(isField ? `${owner}.${value.name}` : `${owner}(${value.name}:)`);
      const text = element && isInput(element) ? defaultText(element) : undefined;
      if (text !== undefined) Object.assign(value, { defaultValue: text });
    }
  };
  for (const type of introspection.__schema.types) {
    if (type.kind === 'INPUT_OBJECT') fill(type.name, type.inputFields, true);
    if (type.kind === 'OBJECT' || type.kind === 'INTERFACE') {
      for (const { name, args } of type.fields) fill(`${type.name}.${name}`, args);
    }
  }
  for (const directive of introspection.__schema.directives) {
    const { name, args, locations } = directive;
    fill(`@${name}`, args);
    if (name !== 'deprecated') continue;
    Object.assign(directive, { locations: locations.filter((each) => each !== DRAFT_LOCATION) });
  }
  return introspection;
}
