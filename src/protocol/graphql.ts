/** The path of the sandbox's GraphQL endpoint. D3 does not name one; this is the usual path. */
export const GRAPHQL_PATH = '/graphql';

/**
 * A directive location of the draft after September 2025. graphql-js prints it, but many parsers
 * reject it.
 */
export const DRAFT_LOCATION = 'DIRECTIVE_DEFINITION';
