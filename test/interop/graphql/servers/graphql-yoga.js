import { createServer } from 'node:http';
import { useDeferStream as deferStream } from '@graphql-yoga/plugin-defer-stream';
import { createYoga } from 'graphql-yoga';
import { listen } from './listen.js';
import { schema } from './schema.js';

const yoga = createYoga({
  schema: schema(),
  plugins: [deferStream()],
  maskedErrors: false,
  logging: false,
});
listen(createServer(yoga));
