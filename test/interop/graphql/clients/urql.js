import { Client, fetchExchange } from '@urql/core';
import { print } from './print.js';

const client = new Client({
  url: process.argv[2],
  exchanges: [fetchExchange],
  fetchSubscriptions: true,
  preferGetMethod: false,
});

const { data: query } = await client.query(
  'query ($last: Int!) { bills(last: $last) { date type } }',
  { last: 1 },
);
const { error } = await client.query('{ nothing }', {});

/** The results of a subscription over server-sent events, until it ends. */
const subscription = await new Promise((resolve) => {
  const results = [];
  client
    .subscription('subscription { rideProgress(everyMs: 1) { step } }', {})
    .subscribe(({ data, error, hasNext }) => {
      if (error) resolve({ refused: error.message });
      // urql repeats the last result when the stream ends.
      if (hasNext) results.push(data);
      else resolve(results);
    });
});

print({ query, error: error.message, subscription });
