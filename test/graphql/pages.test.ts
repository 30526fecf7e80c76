import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { chooseOperation, parseDocument } from '../../src/graphql/document.ts';
import { pagedField } from '../../src/graphql/paged-field.ts';
import { pages } from '../../src/graphql/pages.ts';
import { asResponse } from '../../src/graphql/response.ts';
import { printJson } from '../../src/json/print.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { checkRows } from '../support/rows.ts';
import { all, asJson, failureOf, parseObject, untilFailure } from './support.ts';

const INFO = 'pageInfo { hasNextPage endCursor }';
const CURSOR = '$endCursor: String';

function fieldOf(text: string, name?: string): string {
  const document = parseDocument(text, 'q');
  return pagedField(document, chooseOperation(document, name)).join('.');
}

/** A connection that continues after the cursor; null ends it. */
function page(cursor: unknown, more: object = {}): object {
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
  const path = fieldOf(text).split('.');
  const request = { kind: 'query', query: text, variables } as const;
  const responses = pages(request, path, async ({ variables }) => {
    const answer = answers[received.length] ?? expect.fail('there is no such page');
    received.push(variables ? printJson(variables) : '{}');
    return asResponse(asJson(answer)) ?? expect.fail('it is not a response');
  });
  return { received, responses };
}

const BILLS = `query (${CURSOR}) { bills(after: $endCursor) { ${INFO} } }`;

/** The requested cursors when a server returns these pages, as JSON, and the failure after them. */
async function cursorsOf(text: string, answers: readonly unknown[]) {
  const { received, responses } = paging(text, answers);
  let failure: MopError | undefined;
  try {
    for await (const _ of responses);
  } catch (error) {
    failure = error as MopError;
  }
  expect(received).toHaveLength(answers.length);
  return { cursors: received.map((variables) => JSON.parse(variables).endCursor), failure };
}

/** The message after these pages. All of them are returned before it. */
async function faultOf(answers: readonly unknown[], text = BILLS): Promise<string> {
  const { came, error } = await untilFailure(paging(text, answers).responses);
  expect(came).toEqual(answers.map((answer) => JSON.stringify(answer)));
  expect(error.code).toBe('graphql');
  return error.message;
}

describe('the paged field', () => {
  it.each([
    ['alone', BILLS, 'bills'],
    ['by its alias', `query (${CURSOR}) { b: bills(after: $endCursor) { ${INFO} } }`, 'b'],
    ['by any argument', `query (${CURSOR}) { a(first: 1, from: $endCursor) { ${INFO} } }`, 'a'],
    [
      'by a part of an argument',
      `query (${CURSOR}) { a(page: { in: [{ after: $endCursor }] }) { ${INFO} } }`,
      'a',
    ],
    [
      'in a fragment',
      `query (${CURSOR}) { ...F } fragment F on Query { bills(after: $endCursor) { ...I } } fragment I on Bills { ${INFO} }`,
      'bills',
    ],
    [
      'inside an inline fragment',
      `query (${CURSOR}) { ... on Query { bills(after: $endCursor) { ... { ${INFO} } } } }`,
      'bills',
    ],
    [
      'inside another field',
      `query (${CURSOR}) { org { rides(after: $endCursor) { nodes { id } ${INFO} } } }`,
      'org.rides',
    ],
    [
      'selected twice',
      `query (${CURSOR}) { a(after: $endCursor) { ${INFO} } ... { a(after: $endCursor) { id } } }`,
      'a',
    ],
  ])('is found: %s', (_, text, name) => {
    expect(fieldOf(text)).toBe(name);
  });

  it.each([
    ['aliases', `b: a(after: $endCursor) { ${INFO} } a(after: $endCursor) { ${INFO} }`, 'b, a'],
    [
      'fields inside each other',
      `a(after: $endCursor) { ${INFO} nodes { b(after: $endCursor) { ${INFO} } } }`,
      'a, a.nodes.b',
    ],
    ['fields without pageInfo', `a(after: $endCursor) { ${INFO} } b(c: $endCursor)`, 'a, b'],
  ])('is the only one: not several %s', async (_, fields, names) => {
    const { code, message, details } = await failureOf(() =>
      fieldOf(`query (${CURSOR}) { ${fields} }`),
    );
    const expected = `--paginate follows one field, and several take $endCursor: ${names}`;
    expect([code, message]).toEqual(['usage', expected]);
    expect(details.hint).toContain('a query for each');
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
  ])('is missing: %s', async (_, text) => {
    const { code, message, details } = await failureOf(() => fieldOf(text));
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
  ])('is missing: %s', async (_, text) => {
    const name = text.includes('query A') ? 'A' : undefined;
    expect((await failureOf(() => fieldOf(text, name))).code).toBe('usage');
  });
});

describe('pages', () => {
  it('are requested one after the other until the last', async () => {
    const answers = ['a', 'b', null].map((cursor) => ({ data: { bills: page(cursor) } }));
    expect((await cursorsOf(BILLS, answers)).cursors).toEqual([undefined, 'a', 'b']);
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

  it('may have cursors of any type', async () => {
    const given = [5, 1.5, true, '5', '', { id: 1 }];
    const answers = [...given, null].map((cursor) => ({ data: { bills: page(cursor) } }));
    expect((await cursorsOf(BILLS, answers)).cursors).toEqual([undefined, ...given]);
  });

  it('end with hasNextPage false and any cursor', () =>
    checkRows(['a', 7, null, undefined], async (endCursor) => {
      const data = { bills: { pageInfo: { hasNextPage: false, endCursor } } };
      const { cursors, failure } = await cursorsOf(BILLS, [{ data }]);
      expect([cursors, failure]).toEqual([[undefined], undefined]);
    }));

  it('end without any item above the paged field', async () => {
    const query = `query ($endCursor: String) { rides { bills(after: $endCursor) { ${INFO} } } }`;
    const { failure } = await cursorsOf(query, [{ data: { rides: [] } }]);
    expect(failure).toBeUndefined();
  });

  it('name another connection that has more pages', async () => {
    const data = { bills: { ...page(null), nodes: [{ rides: page('r') }] } };
    const [last] = await all(paging(BILLS, [{ data }]).responses);
    expect(last).toMatchObject({ otherPages: 'bills.nodes.rides' });
  });

  it('are not complete if a next page is possible but has no cursor', () =>
    checkRows<[data: object | null, message: string]>(
      [
        [{ bills: { pageInfo: { hasNextPage: true, endCursor: null } } }, 'but no endCursor'],
        [{ bills: { pageInfo: { hasNextPage: true } } }, 'bills has a next page, but no endCursor'],
        [{ bills: { pageInfo: { hasNextPage: 'true', endCursor: 'a' } } }, 'no pageInfo with a'],
        [{ bills: { pageInfo: { endCursor: 'a' } } }, 'no pageInfo with a Boolean hasNextPage'],
        [{ bills: { nodes: [] } }, 'no pageInfo with'],
        [{ bills: { pageInfo: null } }, 'no pageInfo with'],
        [{ bills: null }, 'no pageInfo with'],
        [{ rides: page('a') }, 'no pageInfo with'],
        [null, 'no pageInfo with'],
      ],
      async ([data, message]) => {
        const answer = { data, errors: [{ message: 'no' }] };
        expect(await faultOf([answer])).toContain(message);
        const later = await faultOf([{ data: { bills: page('a') } }, answer]);
        expect(later).toContain(`more pages may follow: bills `);
      },
    ));

  it.each([
    [['a', 'a'], '"a"'],
    [['a', 'b', 'c', 'b'], '"b"'],
    [['', ''], '""'],
    [[1, 2, 1], '1'],
  ])('are not complete if a cursor repeats: %j', async (cursors, shown) => {
    const answers = cursors.map((cursor) => ({ data: { bills: page(cursor) } }));
    expect(await faultOf(answers)).toBe(
      `more pages may follow: bills has the same endCursor twice: ${shown}`,
    );
  });

  it('are not complete if the first cursor repeats', async () => {
    const variables = parseObject('{"endCursor":"a"}');
    const { responses } = paging(BILLS, [{ data: { bills: page('a') } }], variables);
    expect((await untilFailure(responses)).error.message).toContain('endCursor twice: "a"');
  });

  it('throw the error of an exchange', async () => {
    const failure = new MopError('network', 'down', { hint: 'later' });
    const request = { kind: 'query', query: BILLS } as const;
    const responses = pages(request, ['bills'], () => Promise.reject(failure));
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
    expect((await cursorsOf(text, answers)).cursors).toEqual([undefined, 'a']);
  });

  it('is the field that takes the cursor, regardless of names', async () => {
    const text = `query (${CURSOR}) {
      rides(after: $endCursor) { ${INFO} nodes { rides(first: 1) { ${INFO} } } }
    }`;
    const data = { rides: page(null, { nodes: [{ rides: page('wrong') }] }) };
    expect(await cursorsOf(text, [{ data }])).toEqual({ cursors: [undefined] });
  });

  const LISTED = `query (${CURSOR}) { orgs { rides(after: $endCursor) { ${INFO} } } }`;
  const orgs = (...cursors: unknown[]) => ({
    data: { orgs: cursors.map((cursor) => ({ rides: page(cursor) })) },
  });

  it('may be in a list whose items have no next page', async () => {
    const { cursors, failure } = await cursorsOf(LISTED, [orgs(null, null)]);
    expect([cursors, failure]).toEqual([[undefined], undefined]);
  });

  it('is not searched in fragments without end', async () => {
    const chain = Array.from({ length: 3000 }, (_, at) => `fragment F${at} on Q { ...F${at + 1} }`);
    const error = await failureOf(() =>
      cursorsOf(`query (${CURSOR}) { ...F0 } ${chain.join(' ')}`, []),
    );
    expect([error.code, error.message]).toEqual([
      'usage',
      expect.stringContaining('too many places'),
    ]);
  });

  it('may be in a list without any connection', async () => {
    const other = { data: { orgs: [null, {}] } };
    expect(await cursorsOf(LISTED, [other])).toEqual({ cursors: [undefined] });
  });

  it('may be in a list of one item that has an id', async () => {
    const org = (id: number, cursor: unknown) => ({
      data: { orgs: [{ id, rides: page(cursor) }] },
    });
    const { cursors } = await cursorsOf(LISTED, [org(1, 'a'), org(1, 'b'), org(1, null)]);
    expect(cursors).toEqual([undefined, 'a', 'b']);
    const changed = { data: { orgs: [{ id: 1, commitId: 9, rides: page(null) }] } };
    expect((await cursorsOf(LISTED, [org(1, 'a'), changed])).failure).toBeUndefined();
    for (const id of [{ authorId: 7 }, { id: null }]) {
      const unknown = { data: { orgs: [{ ...id, rides: page('a') }] } };
      expect(await faultOf([unknown], LISTED)).toContain('is in a list, and has a next page');
    }
    for (const second of [org(2, null), { data: { orgs: [] } }, { data: { orgs: [null] } }]) {
      expect(await faultOf([org(1, 'a'), second], LISTED)).toContain(
        'this page is of another item',
      );
    }
  });

  it.each([
    ['2 of 3 have a next page, the first after 7', [null, 7, 'b']],
    // On the next page, the only item may be another one.
    ['has a next page after "a"', ['a']],
  ])('does not continue in a list: %s', async (count, cursors) => {
    expect(await faultOf([orgs(...cursors)], LISTED)).toBe(
      `more pages may follow: orgs.rides is in a list, and ${count}`,
    );
  });
});
