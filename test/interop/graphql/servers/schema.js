import { setTimeout as sleep } from 'node:timers/promises';
import { createSchema } from 'graphql-yoga';

const typeDefs = /* GraphQL */ `
  scalar Upload

  type Book {
    title: String!
    "Takes a while."
    review: String!
    "Fails."
    price: Int
    pages: [Int!]!
  }

  type File {
    name: String!
    type: String!
    text: String!
  }

  "Cursors are numbers: the index of the last ride."
  type Rides {
    nodes: [String!]!
    pageInfo: PageInfo!
  }

  type PageInfo {
    hasNextPage: Boolean!
    endCursor: Int
  }

  type Query {
    hello(name: String! = "world"): String!
    book: Book!
    fail: Int
    rides(first: Int!, after: Int = -1): Rides!
  }

  type Mutation {
    rename(title: String!): Book!
    receive(file: Upload!): File!
  }

  type Subscription {
    "Nullable: a server that executes a subscription as a query returns null."
    ticks(to: Int!): Int
  }
`;

const RIDES = ['airport', 'station', 'harbour', 'museum', 'stadium'];

const BOOK = { title: 'Rides', pages: [1, 2, 3] };

const resolvers = {
  Book: {
    review: async () => {
      await sleep(100);
      return 'Worth reading';
    },
    price: () => {
      throw new Error('sold out');
    },
  },
  Query: {
    hello: (_, { name }) => `Hello, ${name}`,
    book: () => BOOK,
    fail: () => {
      throw new Error('it failed');
    },
    rides: (_, { first, after }) => {
      const endCursor = Math.min(after + first, RIDES.length - 1);
      const pageInfo = { hasNextPage: endCursor < RIDES.length - 1, endCursor };
      return { nodes: RIDES.slice(after + 1, endCursor + 1), pageInfo };
    },
  },
  Mutation: {
    rename: (_, { title }) => ({ ...BOOK, title }),
    receive: (_, { file }) => received(file),
  },
  Subscription: {
    ticks: {
      async *subscribe(_, { to }) {
        for (let ticks = 1; ticks <= to; ticks++) yield { ticks };
      },
    },
  },
};

/** Reads an upload: a `File` in yoga, the promise of a stream in graphql-upload. */
async function received(file) {
  const upload = await (file.promise ?? file);
  if (!upload.createReadStream) {
    return { name: upload.name, type: upload.type, text: await upload.text() };
  }
  const chunks = await upload.createReadStream().toArray();
  return { name: upload.filename, type: upload.mimetype, text: Buffer.concat(chunks).toString() };
}

/** @param directives Definitions of directives that the server executes. */
export function schema(directives = '') {
  return createSchema({ typeDefs: [typeDefs, directives], resolvers });
}
