import Fastify from 'fastify';
import mercurius from 'mercurius';
import { schema } from './schema.js';

const app = Fastify();
app.register(mercurius, {
  schema: schema(),
  subscription: {
    // A connection without the parameter gets `connection_error`.
    onConnect: ({ payload }) => payload?.open === true,
  },
});
console.log(`${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`);
