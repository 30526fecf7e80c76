import { getIntrospectionQuery, graphqlSync, introspectionFromSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaChanges } from '../../src/graphql/changes.ts';
import type { SchemaChange } from '../../src/graphql/element-changes.ts';
import { schemaIntrospection } from '../../src/graphql/introspection.ts';
import { readSchema } from '../../src/graphql/schema.ts';
import { checkRows } from '../support/rows.ts';
import { readText } from './support.ts';

const BEFORE = `
  type Query { bill(date: String, last: Int = 1): Bill  node: Node }
  interface Node { id: ID! }
  type Bill implements Node { id: ID!  total: Float  kind: Kind }
  union Found = Bill
  enum Kind { PAID REFUND }
  input Filter { from: String }
  directive @live(at: Float) on FIELD`;

describe('schemaChanges', () => {
  it.each([
    ['no change', '', '', [], []],
    ['a new field', 'total: Float', 'total: Float tax: Float', [], []],
    ['a new type', 'union Found', 'type Ride { id: ID! } union Found', [], []],
    ['a field that became non-null', 'total: Float', 'total: Float!', [], []],
    [
      'a new optional argument',
      'date: String,',
      'date: String, to: String,',
      [],
      ['OPTIONAL_ARG_ADDED'],
    ],
    ['a removed field', 'total: Float', '', ['FIELD_REMOVED'], []],
    ['a field of another type', 'total: Float', 'total: Int', ['FIELD_CHANGED_KIND'], []],
    ['a removed type', 'input Filter { from: String }', '', ['TYPE_REMOVED'], []],
    ['an argument that became required', 'date: String', 'date: String!', ['ARG_CHANGED_KIND'], []],
    [
      'a new required argument',
      'date: String,',
      'date: String, to: Int!,',
      ['REQUIRED_ARG_ADDED'],
      [],
    ],
    ['another default', 'Int = 1', 'Int = 2', [], ['ARG_DEFAULT_VALUE_CHANGE']],
    ['a removed value', 'PAID REFUND', 'PAID', ['VALUE_REMOVED_FROM_ENUM'], []],
    ['a new value', 'REFUND', 'REFUND TIP', [], ['VALUE_ADDED_TO_ENUM']],
    [
      'a new field of an input',
      'from: String',
      'from: String to: String',
      [],
      ['OPTIONAL_INPUT_FIELD_ADDED'],
    ],
    ['a removed interface', 'implements Node', '', ['IMPLEMENTED_INTERFACE_REMOVED'], []],
    ['a removed directive', 'directive @live(at: Float) on FIELD', '', ['DIRECTIVE_REMOVED'], []],
    [
      'several changes',
      'total: Float  kind: Kind } union Found = Bill enum Kind { PAID REFUND }',
      'kind: Kind } type Ride { a: Int } union Found = Bill | Ride enum Kind { PAID TIP }',
      ['VALUE_REMOVED_FROM_ENUM', 'FIELD_REMOVED'],
      ['VALUE_ADDED_TO_ENUM', 'TYPE_ADDED_TO_UNION'],
    ],
  ])('reports %s', (_, was, is, breaking, dangerous) => {
    const before = BEFORE.replaceAll(/\n */g, ' ');
    const after = before.replace(was, is);
    expect(before).toContain(was);
    const changes = schemaChanges(readText(before), readText(after));
    const types = (list: readonly { readonly type: string }[]) =>
      list.map(({ type }) => type).sort();
    expect(types(changes.breaking)).toEqual([...breaking].sort());
    expect(types(changes.dangerous)).toEqual([...dangerous].sort());
  });

  it('ignores a built-in scalar that is no longer used', () => {
    const before = readText('type Query { a(b: Float): Int }');
    const { breaking } = schemaChanges(before, readText('type Query { a: Int }'));
    expect(breaking.map(({ type }) => type)).toEqual(['ARG_REMOVED']);
  });

  it('describes each change in printable data', () => {
    const before = readText('type Query { a: Int, b(c: Int = 1): Int }');
    const after = readText('type Query { b(c: Int = 2): Int }');
    expect(JSON.parse(JSON.stringify(schemaChanges(before, after)))).toEqual({
      breaking: [{ type: 'FIELD_REMOVED', description: 'Query.a was removed.' }],
      deprecatedRemovals: [],
      dangerous: [
        {
          type: 'ARG_DEFAULT_VALUE_CHANGE',
          description: 'The default of Query.b(c:) changed from 1 to 2.',
        },
      ],
      informational: [],
      notCompared: [],
    });
  });
});

describe('changes that graphql-js ignores', () => {
  const changesOf = (before: string, after: string) => {
    const { breaking, dangerous } = schemaChanges(readText(before), readText(after));
    return [breaking, dangerous].map((list) => list.map(({ type }) => type));
  };
  const QUERY = 'type Q { a(i: In): Int } input In { x: Int y: Int }';

  it.each([
    [
      'a removed root type',
      `schema { query: Q mutation: M } ${QUERY} type M { x: Int }`,
      `schema { query: Q } ${QUERY} type M { x: Int }`,
      ['ROOT_TYPE_CHANGED'],
    ],
    [
      'swapped root types',
      'schema { query: A mutation: B } type A { x: Int } type B { x: Int }',
      'schema { query: B mutation: A } type A { x: Int } type B { x: Int }',
      ['ROOT_TYPE_CHANGED', 'ROOT_TYPE_CHANGED'],
    ],
    [
      'another type of an argument of a directive',
      'directive @d(a: Int) on FIELD type Query { x: Int }',
      'directive @d(a: String) on FIELD type Query { x: Int }',
      ['DIRECTIVE_ARG_CHANGED_KIND'],
    ],
    [
      'an argument of a directive that became non-null',
      'directive @d(a: [Int] = [1]) on FIELD type Query { x: Int }',
      'directive @d(a: [Int!] = [1]) on FIELD type Query { x: Int }',
      ['DIRECTIVE_ARG_CHANGED_KIND'],
    ],
    [
      'an input that became @oneOf',
      `schema { query: Q } ${QUERY}`,
      `schema { query: Q } ${QUERY.replace('input In', 'input In @oneOf')}`,
      ['INPUT_BECAME_ONE_OF'],
    ],
  ])('breaks: %s', (_, before, after, types) => {
    expect(changesOf(before, after)).toEqual([types, []]);
    expect(changesOf(before, before)).toEqual([[], []]);
  });

  it.each([
    ['a nullable argument of a directive', 'a: Int! = 1', 'a: Int = 1'],
    ['a list argument with nullable items', 'a: [Int!]', 'a: [Int]'],
  ])('does not break: %s', (_, before, after) => {
    const sdl = (argument: string) => `directive @d(${argument}) on FIELD type Query { x: Int }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], []]);
  });

  it.each([
    ['12345678901234567890', '12345678901234567891', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
    ['{a: 1}', '{a: 2}', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
  ])('reports a dangerous change of a default from %s to %s', (before, after, type) => {
    const sdl = (value: string) =>
      `scalar Long type Query { f(i: In): Int } input In { x: Long = ${value} }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], [type]]);
  });

  it('breaks if an argument becomes required, even if its type accepts more', () => {
    const before = 'type Query { f(a: [Int!]! = [1]): Int }';
    expect(changesOf(before, 'type Query { f(a: [Int]!): Int }')[0]).toEqual([
      'DEFAULT_VALUE_REQUIRED',
    ]);
  });

  it.each([
    ['{b: 1}', '{a: 5, b: 1}'],
    ['{a: 1, b: 2}', '{b: 2, a: 1}'],
    ['{s: "x"}', '{a: 5, s: """x"""}'],
    ['{l: 1}', '{l: [1], a: 5}'],
  ])('treats the defaults %s and %s as equal', (before, after) => {
    const sdl = (value: string) =>
      `input In { a: Int = 5 b: Int s: String l: [Int] } type Query { f(i: In = ${value}): Int }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], []]);
    expect(changesOf(sdl(before), sdl('{b: 7}'))[1]).toEqual(['ARG_DEFAULT_VALUE_CHANGE']);
  });

  it('breaks if a non-null element loses its default', () => {
    const sdl = (value: string) =>
      `type Query { f(i: In, a: Int!${value}): Int } input In { x: Int!${value} }`;
    expect(changesOf(sdl(' = 1'), sdl(''))).toEqual([
      ['DEFAULT_VALUE_REQUIRED', 'DEFAULT_VALUE_REQUIRED'],
      ['ARG_DEFAULT_VALUE_CHANGE', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
    ]);
    expect(changesOf(sdl(''), sdl(' = 1'))).toEqual([[], []]);
    expect(
      changesOf('type Query { a: Int }', `${sdl(' = 1')} extend type Query { a: Int }`)[0],
    ).toEqual([]);
  });
});

describe('defaults', () => {
  const changes = (type: string, before: string, after: string) => {
    const sdl = (value: string) =>
      `scalar JSON enum E { A B } input In { a: Int b: JSON c: [ID!] d: In }
       type Query { f(x: ${type}${value === '' ? '' : ` = ${value}`}): Int }`;
    return schemaChanges(readText(sdl(before)), readText(sdl(after))).dangerous;
  };

  it('are equal in every spelling', () =>
    checkRows(
      [
        ['Float', '1.0', '1'],
        ['Float', '1e10', '10000000000'],
        ['Float', '0.10', '1e-1'],
        ['Float', '-0.0', '0'],
        ['Float', '12.50E+2', '1250'],
        ['JSON', '123456789012345678901234567890.0', '123456789012345678901234567890'],
        ['String', '"""a"""', '"a"'],
        ['String', '"""\n  a\n  b\n"""', '"a\\nb"'],
        ['String', '"\\u0041"', '"A"'],
        ['ID', '1', '"1"'],
        ['[ID!]', '1', '["1"]'],
        ['In', '{a: 1, b: {x: 1, y: 2.0}}', '{b: {y: 2, x: 1.0}, a: 1}'],
        ['In', '{c: 1, d: {a: 1}}', '{d: {a: 1}, c: ["1"]}'],
        ['JSON', '[{b: 1, a: 2}]', '[{a: 2, b: 1}]'],
      ],
      ([type, before, after]) => {
        expect(changes(type, before, after)).toEqual([]);
        expect(changes(type, after, before)).toEqual([]);
      },
    ));

  it('are different in every other way', () =>
    checkRows(
      [
        ['Float', '1.0', '10'],
        ['Float', '1', '-1'],
        ['JSON', '123456789012345678901234567890', '123456789012345678901234567891'],
        ['JSON', '1', '"1"'],
        ['JSON', '[1, 2]', '[2, 1]'],
        ['E', 'A', 'B'],
        ['Boolean', 'true', 'false'],
        ['Int', '', '1'],
        ['Int', '1', ''],
        ['Int', '', 'null'],
      ],
      ([type, before, after]) => {
        expect(changes(type, before, after)).toHaveLength(1);
      },
    ));
});

describe('changes of elements', () => {
  const changes = (before: string, after: string) => {
    const { breaking, deprecatedRemovals, dangerous, informational } = schemaChanges(
      readText(before),
      readText(after),
    );
    return [breaking, deprecatedRemovals, dangerous, informational].map((list) =>
      list.map(({ description }) => description),
    );
  };
  const DIRECTIVES = `directive @auth(role: String = "user", level: Int) repeatable
    on OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | ENUM_VALUE | SCHEMA | SCALAR`;
  const around = (field: string, more = '') => `${DIRECTIVES} type Query { ${field} } ${more}`;

  it('of directives are dangerous', () =>
    checkRows(
      [
        ['a: Int', 'a: Int @auth', 'The directive auth of Query.a was added: @auth.'],
        ['a: Int @auth', 'a: Int', 'The directive auth of Query.a was removed (was @auth).'],
        [
          'a: Int @auth(role: "x")',
          'a: Int @auth(role: "y")',
          'The directive auth of Query.a changed from @auth(role: "x") to @auth(role: "y").',
        ],
        [
          'a: Int @auth(level: 1) @auth(level: 2)',
          'a: Int @auth(level: 2) @auth(level: 3)',
          'The directive auth of Query.a changed from @auth(level: 1) to @auth(level: 3).',
        ],
        [
          'a(b: Int @auth): Int',
          'a(b: Int): Int',
          'The directive auth of Query.a(b:) was removed (was @auth).',
        ],
      ],
      ([before, after, description]) => {
        expect(changes(around(before), around(after))).toEqual([[], [], [description], []]);
      },
    ));

  it('of directives are also found in extensions', () => {
    const before = around('a: Int', 'extend schema @auth extend type Query @auth(level: 1)');
    expect(changes(before, around('a: Int'))[2]).toEqual([
      'The directive auth of schema was removed (was @auth).',
      'The directive auth of Query was removed (was @auth(level: 1)).',
    ]);
  });

  it('are not the order, the spelling and the defaults of directives', () => {
    const before = 'a: Int @auth(level: 1, role: "user") @auth(level: 2)';
    const after = 'a: Int @auth(level: 2, role: """user""") @auth(level: 1)';
    expect(changes(around(before), around(after))).toEqual([[], [], [], []]);
  });

  it('of directives are not compared with an introspection', () => {
    const sdl = around('a: Int @auth');
    const json = JSON.stringify(introspectionFromSchema(readText(sdl).schema));
    expect(changes(sdl, json)).toEqual([[], [], [], []]);
    expect(changes(json, sdl)).toEqual([[], [], [], []]);
  });

  it('of directives that documents cannot use do not break', () => {
    expect(changes(around('a: Int'), 'type Query { a: Int }')).toEqual([[], [], [], []]);
  });

  it('of known definitions are not reported', () => {
    const before = 'type Query { a: AWSDate b: Int } type A @key(fields: "id") { id: ID! }';
    expect(changes(before, 'type Query { b: Int a: Int } type A { id: ID! }')).toEqual([
      ['Query.a changed type from AWSDate to Int.'],
      [],
      ['The directive key of A was removed (was @key(fields: "id")).'],
      [],
    ]);
  });

  it('of deprecations are informational', () => {
    const before = 'type Query { a: Int @deprecated b: Int c(d: Int): Int e: E } enum E { A }';
    const after = `type Query { a: Int b: Int @deprecated(reason: "use a") c(d: Int @deprecated): Int e: E }
      enum E { A @deprecated(reason: "old") }`;
    const was = changes(before, after);
    expect(was.slice(0, 3)).toEqual([[], [], []]);
    expect(was[3]).toEqual([
      'The deprecation of Query.a was removed (was "No longer supported").',
      'The deprecation of Query.b was added: "use a".',
      'The deprecation of Query.c(d:) was added: "No longer supported".',
      'The deprecation of E.A was added: "old".',
    ]);
    const reason = (text: string) => `type Query { a: Int @deprecated(reason: "${text}") }`;
    expect(changes(reason('x'), reason('y'))[3]).toEqual([
      'The deprecation of Query.a changed from "x" to "y".',
    ]);
  });

  it('of the specification of a scalar are dangerous', () => {
    const sdl = (url: string) =>
      `scalar S ${url && `@specifiedBy(url: "${url}")`} type Query { a: S }`;
    expect(changes(sdl(''), sdl('https://a'))[2]).toEqual([
      'The specification of S was added: https://a.',
    ]);
    expect(changes(sdl('https://a'), sdl('https://b'))[2]).toEqual([
      'The specification of S changed from https://a to https://b.',
    ]);
  });

  it('that remove something deprecated are separate', () => {
    const before = `type Query { a: Int @deprecated b: Int c(d: Int @deprecated, e: Int): Int f(i: In): E }
      input In { x: Int @deprecated y: Int } enum E { A @deprecated B C } interface I { z: Int @deprecated y: Int }`;
    const after =
      'type Query { c(e: Int): Int f(i: In): E } input In { y: Int } enum E { B } interface I { y: Int }';
    const [breaking, removals] = changes(before, after);
    expect(breaking?.sort()).toEqual(['C was removed from enum type E.', 'Query.b was removed.']);
    expect(removals?.sort()).toEqual([
      'A was removed from enum type E.',
      'I.z was removed.',
      'In.x was removed.',
      'Query.a was removed.',
      'Query.c arg d was removed.',
    ]);
  });
});

describe('the schema of clients', () => {
  const changes = (before: string, after: string) => {
    const [was, is] = [before, after].map((text) =>
      readSchema([{ name: 's.graphql', text }], { forClients: true }),
    );
    const found = was && is ? schemaChanges(was, is) : undefined;
    const { notCompared: _, ...lists } = found ?? { notCompared: [] };
    return Object.values(lists).flatMap((list: readonly SchemaChange[]) =>
      list.map(({ description }) => description),
    );
  };

  it('has no inaccessible elements', () => {
    const before = 'type Query { a: Int b: Int c(d: Int @inaccessible): Int } type T { x: Int }';
    const after = before
      .replace('b: Int', 'b: Int @federation__inaccessible')
      .replace('type T', 'type T @inaccessible')
      .replace('type', `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3") type`);
    expect(changes(before, after).sort()).toEqual(['Query.b was removed.', 'T was removed.']);
    expect(changes(before, before.replace('d: Int @inaccessible', 'e: Int'))).toEqual([
      'An optional arg e on Query.c was added.',
    ]);
  });

  it('has no elements of Federation', () => {
    const internal = `
      type Query { a: Int @join__field(graph: A) _service: _Service! _entities: [_Entity]! }
      directive @join__field(graph: join__Graph) on FIELD_DEFINITION enum join__Graph { A B }
      union _Entity = Query`;
    expect(changes(internal, 'type Query { a: Int }')).toEqual([]);
    expect(changes(internal, internal.replace('A B', 'A'))).toEqual([]);
  });

  it.each([
    ['import: [{ name: "@inaccessible", as: "@private" }]', 'federation', '@private'],
    ['as: "fed"', 'federation', '@fed__inaccessible'],
    ['as: "secret"', 'inaccessible', '@secret'],
    ['import: ["@inaccessible"]', 'federation', '@inaccessible'],
  ])('knows the directive under the name of a link with %s', (link, spec, directive) => {
    const before = `extend schema @link(url: "https://specs.apollo.dev/${spec}/v2.3", ${link})
      type Query { a: Int b: Int }`;
    const after = before.replace('b: Int', `b: Int ${directive}`);
    expect(changes(before, after)).toEqual(['Query.b was removed.']);
    expect(changes(after, before)).toEqual([]);
  });

  it('has no element of an inaccessible type', () => {
    const before = `type Query { a(in: In): U t: T i: I } union U = T | V type V implements I { x: Int }
      interface I { x: Int } input In { x: Int s: S } scalar S type T { x: Int }`;
    const after = before
      .replace('type T', 'type T @inaccessible')
      .replace('interface I', 'interface I @inaccessible')
      .concat(' extend scalar S @inaccessible');
    expect(changes(before, after).sort()).toEqual([
      'I was removed.',
      'In.s was removed.',
      'Query.i was removed.',
      'Query.t was removed.',
      'S was removed.',
      'T was removed from union type U.',
      'T was removed.',
      'V no longer implements interface I.',
    ]);
  });

  it('may have no members', () => {
    const parts = 'type Query { _service: _Service! } type T { a: Int @inaccessible }';
    expect(changes(parts, parts)).toEqual([]);
    expect(changes(parts.replace('@inaccessible', ''), parts)).toEqual(['T.a was removed.']);
  });

  it('may lack a field of an interface', () => {
    const sdl = `type Query { n: N } interface N { t: V } type V { a: Int }
      type Z implements N { t: V } type W implements N { t: X } type X implements N @inaccessible { t: V }`;
    const covariant = sdl
      .replace('interface N { t: V }', 'interface N { t: N }')
      .replaceAll('t: V }', 't: X }');
    expect(changes(covariant, covariant)).toEqual([]);
  });

  it('keeps a field that another subgraph defines', () => {
    const sdl =
      'type Query { a: User } type User @key(fields: "id") { id: ID! mail: String @external }';
    expect(changes(sdl, sdl.replace('mail: String @external', ''))).toEqual([]);
    expect(
      changes(sdl.replace(' @external', ''), sdl.replace('mail: String @external', '')),
    ).toEqual(['User.mail was removed.']);
  });

  it('has the types that a link imports', () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3",
      import: ["@key", "FieldSet"]) type Query { a: Int }`;
    expect(changes(`${sdl} scalar FieldSet`, sdl)).toEqual([]);
    expect(changes('type Query { a: Int } scalar FieldSet', sdl)).toEqual([]);
  });

  it('has names of users that look like those of a gateway', () => {
    const before = `type Query { r(f: Filter): Field users: [core__User] } type core__User { id: ID }
      enum Field { Id link__c } input Filter { link__c: ID join__x: Int y: Int }
      directive @ui__inaccessible on FIELD_DEFINITION type T { a: Int colour: Int @ui__inaccessible }`;
    const after = before.replace(/link__c\b(: ID)?|join__x: Int|colour.*?(?=})/g, '');
    const others = `extend schema @link(url: "https://mine.example/delay/v1.0", import: ["@delay"])
      directive @delay(ms: Int) on FIELD directive @join(on: Int) on FIELD
      type Query { a: delay__Time } type delay__Time { a: Int }`;
    expect(changes(others, 'type Query { b: Int }').sort()).toEqual([
      'Query.a was removed.',
      'delay was removed.',
      'delay__Time was removed.',
      'join was removed.',
    ]);
    expect(changes(before, after).sort()).toEqual([
      'Filter.join__x was removed.',
      'Filter.link__c was removed.',
      'T.colour was removed.',
      'link__c was removed from enum type Field.',
    ]);
  });

  it('does not lose a type whose name begins like a built-in one', () => {
    const sdl =
      'type Query { a: I } interface I { a: Int } type StandardRide implements I { a: Int }';
    expect(changes(sdl, sdl.replace(/ type StandardRide.*/, ''))).toContain(
      'StandardRide was removed.',
    );
  });
});

it('a directive may lose the locations of schemas', () => {
  const sdl = 'directive @live on FIELD | FIELD_DEFINITION | QUERY type Query { a: Int }';
  const breaking = (lost: string) =>
    schemaChanges(readText(sdl), readText(sdl.replace(lost, ''))).breaking.map(
      ({ description }) => description,
    );
  expect(breaking('| QUERY')).toEqual(['QUERY was removed from live.']);
  expect(breaking('| FIELD_DEFINITION')).toEqual([]);
});

describe('introspections with fewer features', () => {
  const SDL = `directive @live(n: Int) repeatable on FIELD scalar D @specifiedBy(url: "http://x")
    input In @oneOf { a: Int b: Int } type Query { a(i: In, old: Int @deprecated): D }`;
  const old = (sdl = SDL, source = getIntrospectionQuery()) =>
    JSON.stringify(graphqlSync({ schema: readText(sdl).schema, source }));
  const changes = (before: string, after: string) => {
    const { notCompared: _, ...lists } = schemaChanges(readText(before), readText(after));
    return Object.values(lists)
      .flat()
      .map(({ description }) => description);
  };

  it('name their omissions, which are not compared', () => {
    expect(readText(old()).omitted).toEqual([
      'directives',
      'repeatable directives',
      '@oneOf',
      '@specifiedBy',
      'deprecated arguments',
    ]);
    expect(changes(old(), SDL.replace('old: Int @deprecated', ''))).toEqual([]);
    expect(changes(SDL.replace('old: Int @deprecated', ''), old())).toEqual([]);
    // The introspection does not contain the deprecated argument.
    const input = SDL.replace('b: Int', 'b: Int c: Int @deprecated');
    const json = old(input);
    expect([changes(input, json), changes(json, input)]).toEqual([[], []]);
    const removed = SDL.replace('(i: In, old: Int @deprecated)', '');
    expect(changes(json, removed)).toEqual(['Query.a arg i was removed.']);
  });

  it('may omit deprecated fields and values', () => {
    const query = getIntrospectionQuery()
      .replaceAll('(includeDeprecated: true)', '')
      .replaceAll(/isDeprecated\s+deprecationReason/g, '');
    const sdl = 'type Query { e: E z: Int @deprecated } enum E { A B @deprecated }';
    const json = old(sdl, query);
    expect(readText(json).omitted).toContain('deprecated elements');
    expect([changes(sdl, json), changes(json, sdl)]).toEqual([[], []]);
  });

  it('may name no reason of a deprecation', () => {
    const sdl =
      'type Query { e: E z(x: Int @deprecated): Int @deprecated } enum E { A B @deprecated }';
    const json = JSON.stringify(schemaIntrospection(readText(sdl).schema));
    const bare = json.replaceAll(/"deprecationReason":"[^"]*"/g, '"deprecationReason":null');
    expect(bare).not.toBe(json);
    expect([changes(bare, sdl), changes(sdl, bare)]).toEqual([[], []]);
  });

  it('omit only directives if the server is current', () => {
    const introspection = JSON.stringify(schemaIntrospection(readText(SDL).schema));
    expect(readText(introspection).omitted).toEqual(['directives']);
    expect(changes(introspection, SDL.replace(' repeatable', ''))).toEqual([
      'Repeatable flag was removed from live.',
    ]);
  });
});

describe('directives that documents cannot use', () => {
  it('may change their arguments', () => {
    const sdl = (type: string) =>
      `directive @auth(level: ${type}) on FIELD_DEFINITION type Query { a: Int @auth }`;
    const { breaking } = schemaChanges(readText(sdl('Int')), readText(sdl('String')));
    expect(breaking).toEqual([]);
  });
});
