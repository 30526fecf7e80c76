import { printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkRows } from '../support/rows.ts';
import { failureOf, readText } from './support.ts';

const fieldsOf = (sdl: string, type = 'Query'): string[] => {
  const found = readText(sdl).schema.getType(type);
  return found && 'getFields' in found ? Object.keys(found.getFields()) : [];
};

describe('a part of a larger schema', () => {
  it('may extend types that it does not define', () => {
    const sdl = `
      extend type Query { a: User }
      extend type Query { b: Int }
      extend type User { id: ID! }
      extend interface Node { id: ID! }
      extend input In { x: Int }
      extend enum E { A }
      extend union U = User
      extend scalar S @specifiedBy(url: "https://s.example")`;
    expect(fieldsOf(sdl)).toEqual(['a', 'b']);
    const printed = printSchema(readText(sdl).schema);
    for (const kind of ['interface Node', 'input In', 'enum E', 'union U', 'scalar S']) {
      expect(printed).toContain(kind);
    }
  });

  it('needs no query', () => {
    expect(fieldsOf('extend type Mutation { a: Int }', 'Mutation')).toEqual(['a']);
    expect(fieldsOf('type A @key(fields: "id") { id: ID! }', 'A')).toEqual(['id']);
  });

  it('keeps its document', () => {
    const { document } = readText('extend type Query @shareable { a: AWSDate }');
    expect(document.definitions.map(({ kind }) => kind)).toEqual(['ObjectTypeExtension']);
  });
});

describe('known definitions', () => {
  const LINK = 'https://specs.apollo.dev/federation/v2.3';
  const link = (more: string) => `extend schema @link(url: "${LINK}"${more})`;

  it('are those of Federation and AppSync', () =>
    checkRows(
      [
        // Federation 1.
        'extend type User @key(fields: "id") @key(fields: "a { b }") { id: ID! @external }',
        'type P @extends @key(fields: "id") { id: ID! w: Int @requires(fields: "id") u: U @provides(fields: "id") } type U { id: ID! }',
        'type Query { _service: _Service! _entities(representations: [_Any!]!): [A]! } type A { a: Int }',
        // Federation 2.
        `${link(', import: ["@key", "@shareable", "@tag", "FieldSet"]')} type A @key(fields: "id", resolvable: false) @shareable @tag(name: "x") { id: ID! f: FieldSet }`,
        `${link('')} type A @federation__key(fields: "id") { id: ID! f(x: federation__FieldSet): Int @federation__override(from: "b", label: "percent(1)") }`,
        `${link(', as: "fed", import: [{ name: "@key", as: "@primary" }]')} type A @primary(fields: "id") { id: ID! @fed__inaccessible s: fed__Scope }`,
        `extend schema @composeDirective(name: "@x") @link(url: "https://specs.apollo.dev/link/v1.0", for: SECURITY) type A { a: Int @cost(weight: 5) b: [Int] @listSize(slicingArguments: ["first"]) }`,
        'type A @interfaceObject @authenticated @requiresScopes(scopes: [["a"]]) @policy(policies: [["p"]]) @context(name: "c") { f(x: Int @fromContext(field: "$c { x }")): Int @cacheControl(maxAge: 60, scope: PRIVATE) }',
        // Connectors.
        `extend schema @link(url: "https://specs.apollo.dev/connect/v0.1", import: ["@connect", "@source"]) @source(name: "a", http: { baseURL: "http://a", headers: [{ name: "k", from: "k" }] }) type Query { a: Int @connect(source: "a", http: { GET: "/a" }, selection: "$.a") }`,
        // AppSync.
        'type Query { a: AWSDateTime @aws_api_key } type Mutation { b: AWSJSON @aws_cognito_user_pools(cognito_groups: ["g"]) @aws_iam }',
        'type Subscription @aws_oidc { s: AWSEmail @aws_subscribe(mutations: ["b"]) @aws_lambda t: AWSURL @aws_subscribe(mutations: "b") }',
        'type Query { a: AWSDate b: AWSTime c: AWSTimestamp d: AWSPhone e: AWSIPAddress @aws_auth(cognito_groups: ["g"]) }',
      ],
      (sdl) => {
        expect(readText(sdl).schema).toBeDefined();
      },
    ));

  it('give way to those of the file', () => {
    const sdl = 'directive @key(name: Int) on FIELD_DEFINITION type Query { a: Int @key(name: 1) }';
    expect(printSchema(readText(sdl).schema)).toContain('directive @key(name: Int)');
  });

  it.each([
    ['type Query { a: Int @kye }', 'Unknown directive "@kye".'],
    ['type Query @key { a: Int }', 'Directive "@key" argument "fields"'],
    ['type Query { a: AWSDatetime }', 'Unknown type "AWSDatetime".'],
    // A name of a linked specification needs an import.
    ['type Query @key(fields: "a") { a: FieldSet }', 'Unknown type "FieldSet".'],
    [`${link('')} type Query { a: fed__FieldSet }`, 'Unknown type "fed__FieldSet".'],
    [
      'extend schema @link(url: "https://x.example/mine/v1.0", import: [{name: "@key", as: "@k"}]) type Query @k { a: Int }',
      'Unknown directive "@k".',
    ],
  ])('do not include other names: %s', async (sdl, message) => {
    expect((await failureOf(() => readText(sdl))).message).toContain(message);
  });
});
