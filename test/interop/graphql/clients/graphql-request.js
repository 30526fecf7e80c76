import { GraphQLClient } from 'graphql-request';
import { print } from './print.js';

const client = new GraphQLClient(process.argv[2]);

print({
  query: await client.request(
    'query ($last: Int!) { bills(last: $last, type: REFUND) { date type } }',
    { last: 1 },
  ),
  mutation: await client.request(
    'mutation ($ride: BookingInput!) { bookRide(input: $ride) { city passengers } }',
    { ride: { city: '杭州', passengers: 2 } },
  ),
  error: await client.request('{ nothing }').catch(({ response }) => response.errors[0].message),
});
