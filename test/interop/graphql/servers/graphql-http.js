import { createServer } from 'node:http';
import { createHandler } from 'graphql-http/lib/use/http';
import { listen } from './listen.js';
import { schema } from './schema.js';

listen(createServer(createHandler({ schema: schema() })));
