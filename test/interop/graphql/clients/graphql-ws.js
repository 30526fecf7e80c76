import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { collect, print } from './print.js';

const client = createClient({
  url: process.argv[2].replace(/^http/, 'ws'),
  webSocketImpl: WebSocket,
  retryAttempts: 0,
});

const results = (query) => collect(client.iterate({ query }));

print({
  query: await results('{ bills(last: 1) { date } }'),
  subscription: await results('subscription { rideProgress(everyMs: 1) { step } }'),
});
await client.dispose();
