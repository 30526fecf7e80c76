/** The path of the sandbox's GraphQL endpoint. D3 does not name one; this is the usual path. */
export const GRAPHQL_PATH = '/graphql';

/** A directive location of a later draft, which graphql-js prints and many parsers reject. */
export const DRAFT_LOCATION = 'DIRECTIVE_DEFINITION';
