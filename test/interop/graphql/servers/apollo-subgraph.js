import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { listen } from './listen.js';

// An extension of a type that another subgraph defines, and directives without a definition.
const typeDefs = parse(/* GraphQL */ `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@tag"])

  extend type Query {
    driver(id: ID!): Driver
  }

  type Driver @key(fields: "id") {
    id: ID!
    name: String @shareable
    rating: Float @tag(name: "public") @federation__override(from: "rides")
  }
`);

const resolvers = { Query: { driver: (_, { id }) => ({ id, name: 'Li', rating: 4.9 }) } };
const schema = buildSubgraphSchema({ typeDefs, resolvers });
listen(createServer(createHandler({ schema })));
