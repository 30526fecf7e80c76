import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { errorOf, mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { files, gql, jsonLines } from './support.ts';

describe('mop gql run', () => {
  const RUN = `
    interface Node { id: ID! }
    type Query {
      ride(id: ID, city: String): Ride
      rides(city: String, state: State, min: Float, tag: String, tags: [String!]): [Ride!]!
      node(id: ID): Node
      search(text: String): [Found!]
      big: Long
      half: Float
      whole: Int
      name: String
      me: Person!
      none: Int
      matrix: [[Int]]
    }
    type Mutation {
      rename(id: ID!, name: String): Ride
      put(ride: RideInput!): Ride
      ping: Boolean
    }
    type Subscription { rideChanged: Ride }
    type Ride implements Node { id: ID! city: String state: State fare: Float tags: [String!] driver: Person name: String }
    type Person implements Node { id: ID! name: String }
    union Found = Ride | Person
    enum State { OPEN ENDED }
    input RideInput { city: String fare: Float }
    scalar Long
  `;

  const DATA = `{
    "rides": [
      {"id": 1, "city": "杭州", "state": "OPEN", "fare": 1.0, "tags": ["a", "b"], "driver": {"id": "p1", "name": "Li"}},
      {"id": "2", "city": "上海", "state": "ENDED", "fare": 1e2, "tags": ["b"]},
      {"id": "3", "city": "杭州", "state": "ENDED", "fare": 2.50, "tags": [], "driver": null}
    ],
    "ride": [
      {"id": "1", "city": "杭州"},
      {"id": "2", "city": "上海"}
    ],
    "node": {"__typename": "Person", "id": "p1", "name": "Li"},
    "search": [
      {"__typename": "Ride", "id": "1", "city": "杭州"},
      {"__typename": "Person", "id": "p1", "name": "Li"}
    ],
    "big": 12345678901234567890,
    "half": 1.50,
    "whole": 3.0,
    "name": "n",
    "me": {"id": "me"},
    "matrix": [[1, 2], [], null, [3, null]],
    "rename": {"city": "杭州", "name": "before"}
  }`;

  const runs = async (document: string, ...args: string[]) => {
    const [schema = '', data = ''] = await files({ 'schema.graphql': RUN, 'data.json': DATA });
    const result = await gql('run', document, '--schema', schema, '--data', data, ...args);
    expect(await readFile(data, 'utf8')).toBe(DATA);
    return result;
  };

  it('executes documents on the data', () =>
    checkRows<[document: string, args: string[], data: string]>(
      [
        [
          '{ rides { id city } }',
          [],
          '{"rides":[{"id":"1","city":"杭州"},{"id":"2","city":"上海"},{"id":"3","city":"杭州"}]}',
        ],
        ['{ rides(city: "杭州") { id } }', [], '{"rides":[{"id":"1"},{"id":"3"}]}'],
        ['{ rides(city: "杭州", state: ENDED) { id } }', [], '{"rides":[{"id":"3"}]}'],
        ['{ rides(city: "nowhere") { id } }', [], '{"rides":[]}'],
        ['{ rides(city: null) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"},{"id":"3"}]}'],
        ['{ rides(min: 5) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"},{"id":"3"}]}'],
        ['{ rides(tags: ["a"]) { id } }', [], '{"rides":[{"id":"1"}]}'],
        ['{ rides(tags: ["a", "b"]) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"}]}'],
        ['{ rides { fare } }', [], '{"rides":[{"fare":1.0},{"fare":1e2},{"fare":2.50}]}'],
        [
          '{ rides { driver { name } } }',
          [],
          '{"rides":[{"driver":{"name":"Li"}},{"driver":null},{"driver":null}]}',
        ],
        ['{ ride(id: 2) { city } }', [], '{"ride":{"city":"上海"}}'],
        ['{ ride { id } }', [], '{"ride":{"id":"1"}}'],
        ['{ ride(id: 9) { city } }', [], '{"ride":null}'],
        [
          '{ a: ride(id: 1) { city } b: ride(id: 2) { city } }',
          [],
          '{"a":{"city":"杭州"},"b":{"city":"上海"}}',
        ],
        [
          '{ node { __typename id ... on Person { name } ... on Ride { city } } }',
          [],
          '{"node":{"__typename":"Person","id":"p1","name":"Li"}}',
        ],
        [
          '{ search { ... on Ride { city } ... on Person { name } __typename } }',
          [],
          '{"search":[{"city":"杭州","__typename":"Ride"},{"name":"Li","__typename":"Person"}]}',
        ],
        [
          '{ big half name none }',
          [],
          '{"big":12345678901234567890,"half":1.50,"name":"n","none":null}',
        ],
        ['{ matrix }', [], '{"matrix":[[1,2],[],null,[3,null]]}'],
        ['{ __typename }', [], '{"__typename":"Query"}'],
        [
          '{ __type(name: "State") { enumValues { name } } }',
          [],
          '{"__type":{"enumValues":[{"name":"OPEN"},{"name":"ENDED"}]}}',
        ],
        [
          'query ($c: String) { rides(city: $c) { id } }',
          ['-F', 'c=上海'],
          '{"rides":[{"id":"2"}]}',
        ],
        ['query ($i: ID) { ride(id: $i) { city } }', ['-F', 'i=2'], '{"ride":{"city":"上海"}}'],
        [
          'query ($s: State) { rides(state: $s) { id } }',
          ['--variables', '{"s":"OPEN"}'],
          '{"rides":[{"id":"1"}]}',
        ],
        ['query ($s: State = OPEN) { rides(state: $s) { id } }', [], '{"rides":[{"id":"1"}]}'],
        [
          'query ($w: Boolean!) { name big @include(if: $w) half @skip(if: $w) }',
          ['-F', 'w=false'],
          '{"name":"n","half":1.50}',
        ],
        ['query A { name } query B { half }', ['--operation', 'B'], '{"half":1.50}'],
        [
          '{ ...F } fragment F on Query { name me { ...P } } fragment P on Person { id }',
          [],
          '{"name":"n","me":{"id":"me"}}',
        ],
      ],
      async ([document, args, data]) => {
        const { code, stdout, stderr } = await runs(document, ...args);
        expect([code, stderr, stdout]).toEqual([0, '', `{"data":${data}}\n`]);
        expect((await runs(document, ...args, '--raw')).stdout).toBe(`${data}\n`);
      },
    ));

  it.each([
    [
      'mutation { rename(id: 7, name: "after") { id name city } }',
      '{"rename":{"id":"7","name":"after","city":"杭州"}}',
    ],
    [
      'mutation { put(ride: {city: "上海", fare: 2.5}) { city fare } }',
      '{"put":{"city":"上海","fare":2.5}}',
    ],
    ['mutation { ping }', '{"ping":true}'],
  ])('answers %s, and does not change the file', async (document, data) => {
    const { code, stdout, stderr } = await runs(document);
    expect([code, stderr, stdout]).toEqual([0, '', `{"data":${data}}\n`]);
  });

  it('reads the document from a file and from standard input', async () => {
    const [schema = '', data = '', document = ''] = await files({
      'schema.graphql': RUN,
      'data.json': DATA,
      'document.graphql': 'query N { name }',
    });
    const args = ['--schema', schema, '--data', data];
    expect((await gql('run', `@${document}`, ...args)).stdout).toBe('{"data":{"name":"n"}}\n');
    const piped = await mop(['gql', 'run', '-', ...args], { stdin: '{ name }' });
    expect(piped.stdout).toBe('{"data":{"name":"n"}}\n');
    const shown = await mop(['gql', 'run', '{ half }', '--no-color', ...args], {
      stdoutIsTerminal: true,
    });
    expect(shown.stdout).toBe('{\n  "data": {\n    "half": 1.50\n  }\n}\n');
  });

  it('reports data that does not fit the schema', () =>
    checkRows(
      [
        ['{ me { id } x: node { id ... on Ride { city } } }', '{"me":{}}', 'id', 14],
        ['{ rides { id } }', '{"rides":5}', 'rides', 14],
        ['{ rides { id } }', '{}', 'Query.rides', 14],
        ['{ whole }', '{"whole":1.5}', 'whole', 14],
        ['{ whole }', '{"whole":"x"}', 'whole', 14],
        ['{ rides { state } }', '{"rides":[{"state":"SHUT"}]}', 'SHUT', 14],
        ['{ node { id } }', '{"node":{"id":"1"}}', '__typename', 14],
        ['{ node { id } }', '{"node":{"id":"1","__typename":"Nope"}}', 'Nope', 14],
        ['{ ride { city } }', '{"ride":"x"}', 'ride', 14],
      ],
      async ([document, data, message, code]) => {
        const schema = await file(RUN);
        const args = ['run', document, '--schema', schema, '--data', await file(data)];
        const result = await gql(...args);
        expect([result.code, JSON.parse(result.stdout).errors.length > 0]).toEqual([code, true]);
        expect(result.stderr).toContain(message);
        expect(result.stderr).toMatch(/\(document:\d+:\d+\)\nhint: .+\n$/);
      },
    ));

  it('prints partial data, and accepts it with --allow-partial', async () => {
    const [schema = '', data = ''] = await files({ s: RUN, d: '{"name":"n","whole":1.5}' });
    const args = ['run', '{ name whole }', '--schema', schema, '--data', data];
    const refused = await gql(...args);
    expect([refused.code, JSON.parse(refused.stdout).data]).toEqual([
      14,
      { name: 'n', whole: null },
    ]);
    const allowed = await gql(...args, '--allow-partial', '--raw');
    expect([allowed.code, allowed.stdout]).toEqual([0, '{"name":"n","whole":null}\n']);
    expect(allowed.stderr).toMatch(/^mop: warning: whole: .+\n$/);
    const json = await gql(...args, '--json');
    expect([errorOf(json).code, jsonLines(json.stderr).length]).toEqual(['graphql', 1]);
  });

  it('shows the place of a validation error', async () => {
    const result = await runs('{\n  name\n  nope\n}');
    expect([result.code, result.stdout]).toEqual([14, '']);
    expect(result.stderr).toMatch(
      /^mop: document:3:3: Cannot query field "nope" on type "Query"\..*\n2 \| {3}name\n3 \| {3}nope\n {2}\| {3}\^\n4 \| \}\nhint: .+\n$/,
    );
  });

  it('refuses invalid documents and options', () =>
    checkRows<[document: string, args: string[], message: string]>(
      [
        ['{', [], 'document:1:2: Syntax Error'],
        ['', [], 'Syntax Error: Unexpected <EOF>.'],
        ['query A { name } query B { half }', [], 'has 2 operations'],
        ['query A { name }', ['--operation', 'B'], 'no operation "B"'],
        ['query ($i: ID!) { ride(id: $i) { id } }', [], '"$i"'],
        ['query ($s: State) { rides(state: $s) { id } }', ['-F', 's=SHUT'], '"SHUT"'],
        ['{ name }', ['-F', 'i=1'], 'declares no variable $i'],
        ['subscription { rideChanged { id } }', [], 'no events'],
        ['@/does/not/exist', [], 'there is no such file'],
        ['{ name }', ['--endpoint', 'http://127.0.0.1/'], 'run takes no --endpoint'],
        ['{ name }', ['--paginate'], 'run takes no --paginate'],
        ['{ name }', ['--get'], 'run takes no --get'],
        ['{ name }', ['--upload', 'a=@b'], 'run takes no --upload'],
      ],
      async ([document, args, message]) => {
        const { code, stdout, stderr } = await runs(document, ...args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(message);
        expect(stderr).toMatch(/\nhint: .+\n$/);
      },
    ));

  it('refuses data that is not a JSON object', () =>
    checkRows(
      [
        ['{"a":', 'the data are not JSON'],
        ['', 'the data are not JSON'],
        ['[1]', 'not a JSON object'],
        ['"a"', 'not a JSON object'],
        ['{"a":1,}', 'the data are not JSON'],
      ],
      async ([text, message]) => {
        const schema = await file(RUN);
        const args = ['run', '{ name }', '--schema', schema, '--data', await file(text)];
        expectFailure(await gql(...args), 2, message);
      },
    ));

  it('needs a schema and data', async () => {
    const schema = await file(RUN);
    const data = await file(DATA);
    expectFailure(await gql('run', '{ name }', '--data', data), 2, '--schema is missing');
    expectFailure(await gql('run', '{ name }', '--schema', schema), 2, '--data is missing');
    expectFailure(
      await gql('run', '--schema', schema, '--data', data),
      2,
      'missing required argument',
    );
    const missing = ['--schema', schema, '--data', '/does/not/exist'];
    expectFailure(await gql('run', '{ name }', ...missing), 2, 'there is no such file');
  });
});
