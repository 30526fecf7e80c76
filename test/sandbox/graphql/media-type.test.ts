import { expect } from 'vitest';
import { answerType } from '../../../src/sandbox/graphql/http-endpoint.ts';
import { testTable } from '../../support/rows.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE = 'application/graphql-response+json; charset=utf-8';
const EVENTS = 'text/event-stream; charset=utf-8';

type Row = readonly [
  client: string,
  accept: string | undefined,
  ofQuery: string | undefined,
  ofSubscription: string | undefined,
];

testTable<Row>(
  'the answer suits the Accept header of',
  [
    ['curl', '*/*', JSON_TYPE, EVENTS],
    ['a client without the header', undefined, JSON_TYPE, EVENTS],
    ['a client with an empty header', '', JSON_TYPE, EVENTS],
    [
      'urql',
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      RESPONSE,
      EVENTS,
    ],
    ['urql that subscribes', 'text/event-stream, multipart/mixed', EVENTS, EVENTS],
    [
      'Apollo Client 4',
      'application/graphql-response+json,application/json;q=0.9',
      RESPONSE,
      undefined,
    ],
    [
      'Apollo Client that subscribes',
      'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/graphql-response+json,application/json;q=0.9',
      RESPONSE,
      undefined,
    ],
    [
      'Apollo Client 3 with @defer',
      'multipart/mixed;deferSpec=20220824,application/json',
      JSON_TYPE,
      undefined,
    ],
    ['graphql-request', 'application/graphql-response+json, application/json', RESPONSE, undefined],
    [
      'graphql-request 6 and graphql-http',
      'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
      RESPONSE,
      undefined,
    ],
    ['the network layer of Relay', 'application/json', JSON_TYPE, undefined],
    ['GraphiQL', 'application/json, multipart/mixed', JSON_TYPE, undefined],
    ['graphql-sse and EventSource', 'text/event-stream', EVENTS, EVENTS],
    ['axios', 'application/json, text/plain, */*', JSON_TYPE, EVENTS],
    [
      'a browser',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      JSON_TYPE,
      EVENTS,
    ],
    ['a stream and JSON', 'text/event-stream, application/json', EVENTS, EVENTS],
    ['JSON and a stream', 'application/json, text/event-stream', JSON_TYPE, EVENTS],
    [
      'weights',
      'text/event-stream;q=0.1, application/json;q=0.5, application/graphql-response+json',
      RESPONSE,
      EVENTS,
    ],
    ['a weight of 0', '*/*, text/event-stream;q=0', JSON_TYPE, undefined],
    ['anything but JSON', 'application/json;q=0, application/*', RESPONSE, undefined],
    ['upper case', 'Application/JSON;Charset=UTF-8', JSON_TYPE, undefined],
    ['another charset', 'application/json; charset=gbk', undefined, undefined],
    ['a page', 'text/html', undefined, undefined],
    ['no media type', 'x', undefined, undefined],
  ],
  ([client]) => client,
  ([, accept, ofQuery, ofSubscription]) => {
    expect(answerType(accept, 'query')).toBe(ofQuery);
    expect(answerType(accept, 'subscription')).toBe(ofSubscription);
  },
);
