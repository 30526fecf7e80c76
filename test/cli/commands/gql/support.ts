import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  graphql,
} from 'graphql';
import { closedPort } from '../../../http/support.ts';
import { type CliResult, type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import {
  type Handler,
  listen,
  type Received,
  serve,
  type TestServer,
} from '../../../support/server.ts';

/** Runs `mop gql`. */
export type Gql = (args: readonly string[], world?: CliWorld) => Promise<CliResult>;

/** `mop gql` without an endpoint. */
export function gql(...args: readonly string[]): Promise<CliResult> {
  return mop(['gql', ...args]);
}

/** `mop gql` pointed at an endpoint, unless the world says something else. */
export function gqlAt(url: string): Gql {
  return (args, world = {}) =>
    mop(['gql', ...args], { ...world, env: { MOP_GQL_URL: url, ...world.env } });
}

/** Loads the modules that commands load late, so that time limits of tests exclude it. */
export async function warmUp(): Promise<void> {
  const closed = `127.0.0.1:${await closedPort()}`;
  await gqlAt(`http://${closed}`)(['{ a }', '--retries', '0']);
  await gqlAt(`ws://${closed}`)(['{ a }']);
}

export interface Service extends TestServer {
  /** `url` is that of the server; this is the one of GraphQL in it. */
  readonly endpoint: string;
  readonly gql: Gql;
}

/** A scripted endpoint, and `mop gql` pointed at it. */
export async function service(handler: Handler = answer({ data: { a: 1 } })): Promise<Service> {
  const server = await serve(handler);
  const endpoint = `${server.url}/graphql`;
  return { ...server, endpoint, gql: gqlAt(endpoint) };
}

/** A server of its own kind, such as one that comes with a package. Returns its endpoint. */
export async function served(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}/graphql`;
}

/** Answers with a text, or with the JSON of something else. */
export function answer(body: unknown, status = 200, type = 'application/json'): Handler {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers by executing the request. */
export function executing(schema: GraphQLSchema): Handler {
  return async ({ body }, response) => {
    const { query, operationName, variables } = JSON.parse(body);
    const result = await graphql({
      schema,
      source: query,
      operationName,
      variableValues: variables,
    });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result));
  };
}

/** Writes files into one new directory. Returns their paths in the order given. */
export async function files(contents: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = await temporaryDirectory();
  const paths = Object.keys(contents).map((name) => join(directory, name));
  await Promise.all(Object.values(contents).map((text, at) => writeFile(paths[at] ?? '', text)));
  return paths;
}

/** The printed schema for the subcommands. */
export const SDL = `"""What there is."""
type Query {
  ride(id: ID!): Ride
  rides(city: String, state: State, tags: [String!]): [Ride!]!
  old: Int @deprecated(reason: "ask for ride")
  search(text: String): [Found]
}

type Ride {
  id: ID!
  city: String
  state: State
}

type City {
  name: String
}

union Found = Ride | City

enum State {
  OPEN
  ENDED
}
`;

/** The parsed JSON bodies of requests. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks the shape that it expects.
export function sentTo({ requests }: { readonly requests: readonly Received[] }): any[] {
  return requests.map(({ body }) => JSON.parse(body));
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the shape that it expects.
export function jsonLines(text: string): any[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error(`the last line has no end: ${text}`);
  return lines.map((line) => JSON.parse(line));
}

/** A promise, and the functions that settle it. */
export function withResolvers<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/**
 * A schema that can be executed: queries that succeed and fail, a mutation that counts, and
 * subscriptions that end, do not end, fail on the way, and do not begin.
 */
export function executableSchema({ onEnd = () => {} }: { onEnd?: () => void } = {}): GraphQLSchema {
  let total = 0;
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const number = { type: new GraphQLNonNull(GraphQLInt) };
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        hello: {
          type: GraphQLString,
          args: { name: { type: GraphQLString, defaultValue: 'world' } },
          resolve: (_, { name }) => `hello ${name}`,
        },
        broken: { type: GraphQLString, resolve: fail('it broke') },
        numbers: { type: new GraphQLList(GraphQLInt), resolve: () => [1, 2, 3] },
      },
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: {
        add: {
          type: GraphQLInt,
          args: { by: number },
          resolve: (_, { by }) => {
            total += by;
            return total;
          },
        },
        fail: { type: GraphQLBoolean, resolve: fail('not today') },
      },
    }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: {
        count: {
          type: GraphQLInt,
          args: { to: number },
          subscribe: async function* (_, { to }) {
            for (let value = 1; value <= to; value++) yield { value };
          },
          resolve: ({ value }) => value,
        },
        endless: {
          type: GraphQLInt,
          subscribe: async function* () {
            try {
              for (let value = 1; ; value++) {
                await new Promise((resume) => setImmediate(resume));
                yield { value };
              }
            } finally {
              onEnd();
            }
          },
          resolve: ({ value }) => value,
        },
        shaky: {
          type: GraphQLInt,
          subscribe: async function* () {
            for (let value = 1; value <= 3; value++) yield { value };
          },
          resolve: ({ value }) => (value === 2 ? fail('the second broke')() : value),
        },
        refused: { type: GraphQLInt, subscribe: fail('not for you') },
      },
    }),
  });
}
