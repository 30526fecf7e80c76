import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { chooseOperation, parseDocument } from '../../src/graphql/document.ts';
import { pagedFields, pages } from '../../src/graphql/pages.ts';
import { asResponse } from '../../src/graphql/response.ts';
import { printJson } from '../../src/json/print.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { asJson, failureOf, parseObject, untilFailure } from './support.ts';

const INFO = 'pageInfo { hasNextPage endCursor }';
const CURSOR = '$endCursor: String';

function connectionsOf(text: string, name?: string): string[] {
  const document = parseDocument(text, 'q');
  return pagedFields(document, chooseOperation(document, name)).map((path) => path.join('.'));
}

/** A connection that continues after the cursor; null ends it. */
function page(cursor: string | null, more: object = {}): object {
  return { pageInfo: { hasNextPage: cursor !== null, endCursor: cursor }, ...more };
}

interface Paging {
  /** The variables of each request. */
  readonly received: string[];
  readonly responses: AsyncGenerator<NonNullable<ReturnType<typeof asResponse>>>;
}

/** Pages through the answers of a server. `variables` are the first ones. */
function paging(text: string, answers: readonly unknown[], variables?: JsonObject): Paging {
  const received: string[] = [];
  const paths = connectionsOf(text).map((path) => path.split('.'));
  const request = { kind: 'query', query: text, variables } as const;
  const responses = pages(request, paths, async ({ variables }) => {
    const answer = answers[received.length] ?? expect.fail('there is no such page');
    received.push(variables ? printJson(variables) : '{}');
    return asResponse(asJson(answer)) ?? expect.fail('it is not a response');
  });
  return { received, responses };
}

const BILLS = `query (${CURSOR}) { bills(after: $endCursor) { ${INFO} } }`;

/** The requested cursors when a server returns these pages. */
async function cursorsOf(text: string, answers: readonly unknown[]): Promise<string[]> {
  const { received, responses } = paging(text, answers);
  let count = 0;
  for await (const _ of responses) count++;
  expect(count).toBe(answers.length);
  return received.flatMap((variables) => {
    const { endCursor } = JSON.parse(variables) as { readonly endCursor?: string };
    return endCursor === undefined ? [] : [endCursor];
  });
}

describe('the fields of a connection', () => {
  it.each([
    ['one', BILLS, ['bills']],
    ['by its alias', `query (${CURSOR}) { b: bills(after: $endCursor) { ${INFO} } }`, ['b']],
    ['by any argument', `query (${CURSOR}) { a(first: 1, from: $endCursor) { ${INFO} } }`, ['a']],
    [
      'in a fragment',
      `query (${CURSOR}) { ...F } fragment F on Query { bills(after: $endCursor) { ...I } } fragment I on Bills { ${INFO} }`,
      ['bills'],
    ],
    [
      'inside an inline fragment',
      `query (${CURSOR}) { ... on Query { bills(after: $endCursor) { ... { ${INFO} } } } }`,
      ['bills'],
    ],
    [
      'inside another field',
      `query (${CURSOR}) { org { rides(after: $endCursor) { nodes { id } ${INFO} } } }`,
      ['org.rides'],
    ],
    [
      'several',
      `query (${CURSOR}) { a(after: $endCursor) { ${INFO} } b(after: $endCursor) { ${INFO} } }`,
      ['a', 'b'],
    ],
  ])('are found: %s', (_, text, names) => {
    expect(connectionsOf(text)).toEqual(names);
  });

  it.each([
    ['no variable', `{ bills { ${INFO} } }`],
    ['an unused variable', `query (${CURSOR}) { bills { ${INFO} } }`],
    ['a variable that is not declared', `{ bills(after: $endCursor) { ${INFO} } }`],
    ['another variable', `query ($after: String) { bills(after: $after) { ${INFO} } }`],
    ['no pageInfo', `query (${CURSOR}) { bills(after: $endCursor) { hasNextPage endCursor } }`],
    ['no end', `query (${CURSOR}) { bills(after: $endCursor) { pageInfo { endCursor } } }`],
    ['no cursor', `query (${CURSOR}) { bills(after: $endCursor) { pageInfo { hasNextPage } } }`],
    ['a mutation', `mutation (${CURSOR}) { bills(after: $endCursor) { ${INFO} } }`],
    ['a subscription', `subscription (${CURSOR}) { bills(after: $endCursor) { ${INFO} } }`],
  ])('are missing: %s', async (_, text) => {
    const { code, message, details } = await failureOf(() => connectionsOf(text));
    expect([code, message]).toEqual(['usage', expect.stringContaining('--paginate')]);
    expect(details.hint).toContain('pageInfo { hasNextPage endCursor }');
  });

  // Each of these would silently end after the first page.
  it.each([
    ['pageInfo by another name', `query (${CURSOR}) { a(after: $endCursor) { info: ${INFO} } }`],
    [
      'a cursor by another name',
      `query (${CURSOR}) { a(after: $endCursor) { pageInfo { hasNextPage end: endCursor } } }`,
    ],
    [
      'pageInfo of another field',
      `query (${CURSOR}) { a(after: $endCursor) { id } b { ${INFO} } }`,
    ],
    [
      'a cursor in another operation',
      `query A(${CURSOR}) { a { b } } query B(${CURSOR}) { a(after: $endCursor) { ${INFO} } }`,
    ],
  ])('are missing: %s', async (_, text) => {
    const name = text.includes('query A') ? 'A' : undefined;
    expect((await failureOf(() => connectionsOf(text, name))).code).toBe('usage');
  });
});

describe('pages', () => {
  it('are requested one after the other until the last', async () => {
    const answers = ['a', 'b', null].map((cursor) => ({ data: { bills: page(cursor) } }));
    expect(await cursorsOf(BILLS, answers)).toEqual(['a', 'b']);
  });

  it('keep the other variables, with their digits', async () => {
    const variables = parseObject('{"n":1.0,"big":1234567890123456789,"endCursor":"start"}');
    const answers = ['a"b', null].map((cursor) => ({ data: { bills: page(cursor) } }));
    const { received, responses } = paging(BILLS, answers, variables);
    for await (const _ of responses);
    expect(received).toEqual([
      printJson(variables),
      '{"n":1.0,"big":1234567890123456789,"endCursor":"a\\"b"}',
    ]);
  });

  it('are returned unchanged, each as it arrives', async () => {
    const answers = [
      { data: { bills: page('a') }, errors: [{ message: 'in part' }], extensions: { cost: 1 } },
      { data: { bills: page(null) } },
    ];
    const { received, responses } = paging(BILLS, answers);
    const first = await responses.next();
    expect(received).toHaveLength(1);
    expect(first.value?.errors).toHaveLength(1);
    expect(printJson(first.value.json)).toBe(JSON.stringify(answers[0]));
    await responses.return(undefined);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['hasNextPage false', { bills: { pageInfo: { hasNextPage: false, endCursor: 'a' } } }],
    ['no cursor', { bills: { pageInfo: { hasNextPage: true, endCursor: null } } }],
    ['a cursor that is not a string', { bills: { pageInfo: { hasNextPage: true, endCursor: 7 } } }],
    [
      'a hasNextPage that is not a boolean',
      { bills: { pageInfo: { hasNextPage: 'true', endCursor: 'a' } } },
    ],
    ['no pageInfo', { bills: { nodes: [] } }],
    ['pageInfo null', { bills: { pageInfo: null } }],
    ['the connection null', { bills: null }],
    ['another connection', { rides: page('a') }],
    ['nothing', {}],
  ])('end with %s', async (_, data) => {
    expect(await cursorsOf(BILLS, [{ data }])).toEqual([]);
  });

  it('end with a response without data', async () => {
    expect(await cursorsOf(BILLS, [{ data: null, errors: [{ message: 'no' }] }])).toEqual([]);
  });

  it.each([
    ['a', ['a', 'a'], 2],
    ['b', ['a', 'b', 'c', 'b'], 4],
    ['', ['', ''], 2],
  ])('end when the cursor %j repeats', async (cursor, cursors, count) => {
    const answers = cursors.map((cursor) => ({ data: { bills: page(cursor) } }));
    const { came, error } = await untilFailure(paging(BILLS, answers).responses);
    expect(came).toEqual(answers.map((answer) => JSON.stringify(answer)));
    expect(came).toHaveLength(count);
    expect([error.code, error.message]).toEqual([
      'api',
      `the server returned the same endCursor twice: ${cursor}`,
    ]);
  });

  it('throw the error of an exchange', async () => {
    const failure = new MopError('network', 'down', { hint: 'later' });
    const request = { kind: 'query', query: BILLS } as const;
    const responses = pages(request, [['bills']], () => Promise.reject(failure));
    expect((await untilFailure(responses)).error).toBe(failure);
  });
});

describe('the connection to follow', () => {
  it('is found by its alias', async () => {
    const text = `query (${CURSOR}) { bills { ${INFO} } b: bills(after: $endCursor) { ${INFO} } }`;
    const answers = [
      { data: { bills: page('wrong'), b: page('a') } },
      { data: { bills: page('wrong'), b: page(null) } },
    ];
    expect(await cursorsOf(text, answers)).toEqual(['a']);
  });

  const NESTED = `query (${CURSOR}) {
    org { rides(after: $endCursor) { ${INFO} nodes { stops(after: $endCursor) { ${INFO} } } } }
  }`;
  const nested = (outer: string | null, ...inner: (string | null)[]) => ({
    data: {
      org: { rides: page(outer, { nodes: inner.map((cursor) => ({ stops: page(cursor) })) }) },
    },
  });

  it('is the outermost', async () => {
    const answers = [nested('a', 'x', 'y'), nested('b', null), nested(null, null)];
    expect(await cursorsOf(NESTED, answers)).toEqual(['a', 'b']);
  });

  it('is the outermost even if another one has more pages', async () => {
    expect(await cursorsOf(NESTED, [nested(null, 'x')])).toEqual([]);
  });

  it('is the field that takes the cursor, regardless of names', async () => {
    const text = `query (${CURSOR}) {
      rides(after: $endCursor) { ${INFO} nodes { rides(first: 1) { ${INFO} } } }
    }`;
    const data = { rides: page(null, { nodes: [{ rides: page('wrong') }] }) };
    expect(await cursorsOf(text, [{ data }])).toEqual([]);
  });

  it('may be in a list', async () => {
    const text = `query (${CURSOR}) { orgs { rides(after: $endCursor) { ${INFO} } } }`;
    const orgs = (...cursors: (string | null)[]) => ({
      data: { orgs: cursors.map((cursor) => ({ rides: page(cursor) })) },
    });
    expect(await cursorsOf(text, [orgs(null, 'a'), orgs(null, null)])).toEqual(['a']);
  });
});
