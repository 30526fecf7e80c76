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
import { asJson, failureOf } from './support.ts';

const SDL = `type Query {
  bills(last: Int = 3): [Int!]
}`;
const schema = buildSchema(SDL);

/** How a query asks for what servers learned later. */
const WORDS = {
  isOneOf: /isOneOf/,
  includeDeprecated: /args\(includeDeprecated|inputFields\(includeDeprecated/,
  specifiedByURL: /specifiedByURL/,
  isRepeatable: /isRepeatable/,
  description: /__schema \{\s+description/,
};
type Feature = keyof typeof WORDS;

/** What a server of its time says of itself; `m` stands for the underscores of meta types. */
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

interface Asked {
  readonly requests: GraphqlRequest[];
  readonly send: (request: GraphqlRequest) => Promise<GraphqlResponse>;
}

/** A server that answers each request with what `answer` says. */
function server(answer: (query: string, index: number) => unknown): Asked {
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

/** A schema as text, from what an introspection gave. */
async function introspected({ send }: Asked): Promise<string> {
  const data = JSON.parse(printJson(await introspect(send))) as IntrospectionQuery;
  return printSchema(buildClientSchema(data));
}

describe('a server of', () => {
  it.each<[string, Feature[]]>([
    ['today', ['isOneOf', 'includeDeprecated', 'specifiedByURL', 'isRepeatable', 'description']],
    ['2021', ['includeDeprecated', 'specifiedByURL', 'isRepeatable', 'description']],
    ['2019', ['isRepeatable']],
    ['2016', []],
  ])('%s is asked again without unsupported fields', async (_, known) => {
    const meta = metaSchema(known);
    const asked = server((query) => {
      const document = parse(query.replaceAll('__', 'mm'));
      const errors = validate(meta, document).map(({ message }) => message.replaceAll('mm', '__'));
      return errors.length > 0 ? refused(...errors) : executed(query);
    });
    expect(await introspected(asked)).toBe(SDL);
    // graphql tells of all that it does not know at once.
    expect(asked.requests).toHaveLength(known.length === 5 ? 1 : 2);
    expect(featuresIn(asked.requests.at(-1)?.query).sort()).toEqual([...known].sort());
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
  ])('is left out, and nothing else: %s', async (message, feature) => {
    const asked = server((query) =>
      WORDS[feature].test(query) ? refused(message) : executed(query),
    );
    expect(await introspected(asked)).toBe(SDL);
    const [all, less] = asked.requests.map(({ query }) => featuresIn(query));
    expect(all).toEqual(Object.keys(WORDS));
    expect(less).toEqual(Object.keys(WORDS).filter((name) => name !== feature));
  });

  it('may come out bit by bit', async () => {
    const asked = server((query) => {
      const [unknown] = featuresIn(query);
      return unknown ? refused(`what is ${unknown}?`) : executed(query);
    });
    expect(await introspected(asked)).toBe(SDL);
    expect(asked.requests.map(({ query }) => featuresIn(query).length)).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it.each(['Syntax error', 'internal error', ''])(
    'may be unnamed in the error: %j',
    async (message) => {
      const asked = server((query) =>
        featuresIn(query).length > 0 ? refused(message) : executed(query),
      );
      expect(await introspected(asked)).toBe(SDL);
      expect(asked.requests).toHaveLength(2);
    },
  );
});

describe('a request', () => {
  it('is one operation that can be read and named', async () => {
    const asked = server(executed);
    await introspect(asked.send);
    const [request] = asked.requests;
    expect(request).toMatchObject({ kind: 'query', operationName: 'IntrospectionQuery' });
    expect(validate(schema, parse(request?.query ?? ''))).toEqual([]);
  });
});

describe('a server without introspection', () => {
  it.each([
    ['refuses', refused('GraphQL introspection is not allowed'), 2, 'is not allowed'],
    ['refuses with data', { data: { __schema: null }, ...refused('no') }, 2, 'no'],
    ['refuses by a word of ours', refused('description of __schema is off'), 3, 'is off'],
    ['says nothing', { data: null }, 1, 'the response has no data'],
    ['gives nothing', { data: { __schema: null } }, 1, 'the response has no data'],
    ['gives something else', { data: { a: 1 } }, 1, 'the response has no data'],
  ])('fails after few requests when it %s', async (_, answer, count, message) => {
    const asked = server(() => answer);
    const error = await failureOf(() => introspect(asked.send));
    expect(error.code).toBe('graphql');
    expect(error.message).toContain(message);
    expect(error.details.hint).toContain('file');
    expect(asked.requests).toHaveLength(count);
  });

  it('fails as the exchange fails', async () => {
    const failure = new MopError('network', 'down', { hint: 'later' });
    const send = () => Promise.reject(failure);
    expect(await failureOf(() => introspect(send))).toBe(failure);
  });
});
