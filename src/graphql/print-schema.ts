import {
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
  introspectionFromSchema,
  print,
  printSchema,
} from 'graphql';

/**
 * A schema in its own language.
 *
 * @param document What it was written in, if that was SDL: the only place that knows which
 *   directives stand where.
 */
export function printSdl(schema: GraphQLSchema, document?: DocumentNode): string {
  return document ? print(document) : printSchema(schema);
}

/** A schema as a server would describe it: the object with `__schema`. */
export function schemaIntrospection(schema: GraphQLSchema): IntrospectionQuery {
  return introspectionFromSchema(schema, {
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
}
