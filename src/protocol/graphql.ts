/** Where the sandbox answers GraphQL, below its address. D3 names no path: this is the usual one. */
export const GRAPHQL_PATH = '/graphql';

/**
 * A directive location of the draft after September 2025. graphql-js publishes it, and many parsers
 * refuse it.
 */
export const DRAFT_LOCATION = 'DIRECTIVE_DEFINITION';
