import {
  buildClientSchema,
  buildSchema,
  graphqlSync,
  type IntrospectionQuery,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { introspect } from '../../src/graphql/introspection.ts';
import type { GraphqlRequest } from '../../src/graphql/request.ts';
import { asResponse, type GraphqlResponse } from '../../src/graphql/response.ts';
import { printJson } from '../../src/json/print.ts';
import { asJson, endpoint, failureOf } from './support.ts';

const SDL = `type Query {
  bills(last: Int = 3): [Int!]
}`;
const schema = buildSchema(SDL);

/** Patterns for the later features in a query. */
const WORDS = {
  isOneOf: /isOneOf/,
  includeDeprecated: /args\(includeDeprecated|inputFields\(includeDeprecated/,
  specifiedByURL: /specifiedByURL/,
  isRepeatable: /isRepeatable/,
  description: /__schema \{\s+description/,
};
type Feature = keyof typeof WORDS;

/** The meta schema of a server with some features; `m` replaces the underscores of meta types. */
function metaSchema(known: readonly Feature[]) {
  const has = (feature: Feature, text: string) => (known.includes(feature) ? text : '');
  const deprecated = has('includeDeprecated', '(includeDeprecated: Boolean)');
  return buildSchema(`
    type Query { mmschema: mmSchema! }
    type mmSchema {
      ${has('description', 'description: String')} types: [mmType!]! directives: [mmDirective!]!
      queryType: mmType! mutationType: mmType subscriptionType: mmType
    }
    type mmType {
      kind: String! name: String description: String ofType: mmType
      ${has('specifiedByURL', 'specifiedByURL: String')} ${has('isOneOf', 'isOneOf: Boolean')}
      fields(includeDeprecated: Boolean): [mmField!] interfaces: [mmType!] possibleTypes: [mmType!]
      enumValues(includeDeprecated: Boolean): [mmEnumValue!] inputFields${deprecated}: [mmInputValue!]
    }
    type mmField {
      name: String! description: String args${deprecated}: [mmInputValue!]! type: mmType!
      isDeprecated: Boolean! deprecationReason: String
    }
    type mmInputValue {
      name: String! description: String type: mmType! defaultValue: String
      ${has('includeDeprecated', 'isDeprecated: Boolean! deprecationReason: String')}
    }
    type mmEnumValue {
      name: String! description: String isDeprecated: Boolean! deprecationReason: String
    }
    type mmDirective {
      name: String! description: String locations: [String!]! args${deprecated}: [mmInputValue!]!
      ${has('isRepeatable', 'isRepeatable: Boolean!')}
    }`);
}

interface FakeServer {
  readonly requests: GraphqlRequest[];
  readonly send: (request: GraphqlRequest) => Promise<GraphqlResponse>;
}

/** A server that answers each request with the result of `answer`. */
function server(answer: (query: string, index: number) => unknown): FakeServer {
  const requests: GraphqlRequest[] = [];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      const json = asJson(answer(request.query, requests.length - 1));
      return asResponse(json) ?? { json, data: undefined, errors: [] };
    },
  };
}

const executed = (query: string) => graphqlSync({ schema, source: query });
const refused = (...messages: string[]) => ({ errors: messages.map((message) => ({ message })) });
const featuresIn = (query = '') =>
  Object.entries(WORDS).flatMap(([feature, words]) => (words.test(query) ? [feature] : []));

/** The SDL of an introspected schema. */
async function introspected({ send }: FakeServer): Promise<string> {
  const data = JSON.parse(printJson(await introspect(send))) as IntrospectionQuery;
  return printSchema(buildClientSchema(data));
}

describe('a server of', () => {
  it.each<[string, Feature[]]>([
    ['today', ['isOneOf', 'includeDeprecated', 'specifiedByURL', 'isRepeatable', 'description']],
    ['2021', ['includeDeprecated', 'specifiedByURL', 'isRepeatable', 'description']],
    ['2019', ['isRepeatable']],
    ['2016', []],
  ])('%s receives a second request without unsupported fields', async (_, known) => {
    const meta = metaSchema(known);
    const fake = server((query) => {
      const document = parse(query.replaceAll('__', 'mm'));
      const errors = validate(meta, document).map(({ message }) => message.replaceAll('mm', '__'));
      return errors.length > 0 ? refused(...errors) : executed(query);
    });
    expect(await introspected(fake)).toBe(SDL);
    // graphql-js reports all unknown fields in one response.
    expect(fake.requests).toHaveLength(known.length === 5 ? 1 : 2);
    expect(featuresIn(fake.requests.at(-1)?.query).sort()).toEqual([...known].sort());
  });
});

describe('an unsupported field', () => {
  it.each<[string, Feature]>([
    ['Cannot query field "isOneOf" on type "__Type".', 'isOneOf'],
    ["Field 'isOneOf' doesn't exist on type '__Type'", 'isOneOf'],
    ['The field `isOneOf` does not exist on the type `__Type`.', 'isOneOf'],
    ['Unknown argument "includeDeprecated" on field "__Type.inputFields".', 'includeDeprecated'],
    [
      "Validation error (UnknownArgument@[__schema/types/fields/args]) : Unknown field argument 'includeDeprecated'",
      'includeDeprecated',
    ],
    ['Cannot query field "deprecationReason" on type "__InputValue".', 'includeDeprecated'],
    ['Cannot query field "isDeprecated" on type "__InputValue".', 'includeDeprecated'],
    ['Cannot query field "specifiedByURL" on type "__Type".', 'specifiedByURL'],
    ['no specifiedByUrl here, there is specifiedBy', 'specifiedByURL'],
    ['Cannot query field "isRepeatable" on type "__Directive".', 'isRepeatable'],
    ['Cannot query field "description" on type "__Schema".', 'description'],
  ])('is the only one to be omitted: %s', async (message, feature) => {
    const fake = server((query) =>
      WORDS[feature].test(query) ? refused(message) : executed(query),
    );
    expect(await introspected(fake)).toBe(SDL);
    const [all, less] = fake.requests.map(({ query }) => featuresIn(query));
    expect(all).toEqual(Object.keys(WORDS));
    expect(less).toEqual(Object.keys(WORDS).filter((name) => name !== feature));
  });

  it('may be reported one at a time', async () => {
    const fake = server((query) => {
      const [unknown] = featuresIn(query);
      return unknown ? refused(`what is ${unknown}?`) : executed(query);
    });
    expect(await introspected(fake)).toBe(SDL);
    expect(fake.requests.map(({ query }) => featuresIn(query).length)).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it.each(['Syntax error', 'internal error', ''])(
    'may be unnamed in the error: %j',
    async (message) => {
      const fake = server((query) =>
        featuresIn(query).length > 0 ? refused(message) : executed(query),
      );
      expect(await introspected(fake)).toBe(SDL);
      expect(fake.requests).toHaveLength(2);
    },
  );
});

describe('an unsupported field that is refused with HTTP 400 or 422', () => {
  it.each([
    '{"errors":[{"message":"Cannot query field isOneOf"}]}',
    '{"message":"Cannot query field isOneOf on type __Type"}',
    '{"error":{"reason":"isOneOf"}}',
    '{"detail":[{"msg":"Cannot query field isOneOf"}]}',
    'Cannot query field isOneOf',
  ])('is omitted: %s', async (body) => {
    for (const status of [400, 422]) {
      const { client, requests } = await endpoint((request, response) => {
        const { query } = JSON.parse(request.body);
        if (query.includes('isOneOf')) response.writeHead(status).end(body);
        else response.end(JSON.stringify(executed(query)));
      });
      const fake = { requests: [], send: (request: GraphqlRequest) => client.send(request) };
      expect(await introspected(fake)).toBe(SDL);
      expect(requests).toHaveLength(2);
    }
  });
});

describe('a request', () => {
  it('is one named operation', async () => {
    const fake = server(executed);
    await introspect(fake.send);
    const [request] = fake.requests;
    expect(request).toMatchObject({ kind: 'query', operationName: 'IntrospectionQuery' });
    expect(validate(schema, parse(request?.query ?? ''))).toEqual([]);
  });
});

describe('a server without introspection', () => {
  it.each([
    ['refuses', refused('GraphQL introspection is not allowed'), 2, 'is not allowed'],
    ['refuses with data', { data: { __schema: null }, ...refused('no') }, 2, 'no'],
    ['refuses with a word of the request', refused('description of __schema is off'), 3, 'is off'],
    ['returns no message', { data: null }, 1, 'the response has no data'],
    ['returns no data', { data: { __schema: null } }, 1, 'the response has no data'],
    ['returns other data', { data: { a: 1 } }, 1, 'the response has no data'],
  ])('fails after few requests when it %s', async (_, answer, count, message) => {
    const fake = server(() => answer);
    const error = await failureOf(() => introspect(fake.send));
    expect(error.code).toBe('graphql');
    expect(error.message).toContain(message);
    expect(error.details.hint).toContain('file');
    expect(fake.requests).toHaveLength(count);
  });

  it.each(['internal error', 'isOneOf'])('throws %s of HTTP 500 or 403', async (answer) => {
    for (const httpStatus of [500, 403]) {
      const error = new MopError('api', 'refused', { httpStatus, answer });
      await expect(introspect(() => Promise.reject(error))).rejects.toBe(error);
    }
  });

  it('throws the error of the exchange', async () => {
    const failure = new MopError('network', 'down', { hint: 'later' });
    const send = () => Promise.reject(failure);
    expect(await failureOf(() => introspect(send))).toBe(failure);
  });
});
