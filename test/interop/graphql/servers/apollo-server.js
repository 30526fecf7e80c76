import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import { execute } from '@graphql-tools/executor';
import compression from 'compression';
import express from 'express';
import { version } from 'graphql';
import { graphqlUploadExpress } from 'graphql-upload-minimal';
import { listen } from './listen.js';
import { schema } from './schema.js';

// graphql 16 neither declares nor executes these directives; graphql 17 does.
const INCREMENTAL = /* GraphQL */ `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
`;

/** Required for the parts that Apollo Server calls deferSpec=20220824. */
async function legacyExperimentalExecuteIncrementally(args) {
  const result = await execute(args);
  return 'initialResult' in result ? result : { singleResult: result };
}

const apollo = new ApolloServer({
  schema: schema(INCREMENTAL),
  includeStacktraceInErrorResponses: false,
  // With graphql 17, Apollo Server sends the parts that it calls incrementalSpec=v0.2.
  ...(version.startsWith('16') && { legacyExperimentalExecuteIncrementally }),
});
await apollo.start();

const app = express();
// /gzip/graphql and similar paths compress with the coding in the path, and ignore Accept-Encoding.
app.use(
  '/:encoding/graphql',
  (request, _, next) => {
    request.headers['accept-encoding'] = request.params.encoding;
    next();
  },
  compression({ threshold: 0 }),
);
app.use(
  ['/graphql', '/:encoding/graphql'],
  express.json(),
  graphqlUploadExpress(),
  expressMiddleware(apollo),
);
listen(createServer(app));
