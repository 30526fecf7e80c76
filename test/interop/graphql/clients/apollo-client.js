import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { print } from './print.js';

const uri = process.argv[2];
const clientOf = (link) => new ApolloClient({ link, cache: new InMemoryCache() });

const client = clientOf(new HttpLink({ uri }));
const variables = { last: 1 };
const query = gql`
  query Bills($last: Int!) {
    bills(last: $last) {
      id
      date
    }
  }
`;

const socket = createClient({
  url: uri.replace(/^http/, 'ws'),
  webSocketImpl: WebSocket,
  retryAttempts: 0,
});
const subscription = await new Promise((resolve, reject) => {
  const results = [];
  clientOf(new GraphQLWsLink(socket))
    .subscribe({ query: gql`subscription { rideProgress(everyMs: 1) { step } }` })
    .subscribe({
      next: ({ data }) => results.push(data),
      error: reject,
      complete: () => resolve(results),
    });
});
await socket.dispose();

const batching = clientOf(new BatchHttpLink({ uri, batchInterval: 1 }));
const batch = await Promise.allSettled([
  batching.query({ query, variables }),
  batching.query({ query: gql`{ bill { date } }` }),
]);

print({
  query: (await client.query({ query, variables })).data,
  mutation: (
    await client.mutate({
      mutation: gql`mutation { bookRide(input: { city: "杭州" }) { city } }`,
    })
  ).data,
  error: await client.query({ query: gql`{ nothing }` }).catch(({ message }) => message),
  subscription,
  batch: batch.map(({ reason }) => `${reason?.message} ${reason?.bodyText ?? ''}`),
});
