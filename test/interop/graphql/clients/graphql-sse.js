import { createClient } from 'graphql-sse';
import { collect, print } from './print.js';

const query = 'subscription { rideProgress(everyMs: 1) { step } }';

async function results(singleConnection) {
  const client = createClient({ url: process.argv[2], singleConnection, retryAttempts: 0 });
  try {
    return await collect(client.iterate({ query }));
  } catch (error) {
    return { refused: error.message };
  } finally {
    client.dispose();
  }
}

print({ distinct: await results(false), single: await results(true) });
