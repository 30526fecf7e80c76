/** Where the sandbox answers GraphQL, below its address. D3 names no path: this is the usual one. */
export const GRAPHQL_PATH = '/graphql';
