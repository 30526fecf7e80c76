import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, sh } from '../../support.ts';
import { answer, jsonLines, sentTo, service } from './support.ts';

describe('--paginate', () => {
  const DOCUMENT = `query Rides($first: Float, $endCursor: String) {
    rides(first: $first, after: $endCursor) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;

  const page = (id: number, endCursor: unknown, hasNextPage = endCursor !== null) => ({
    data: { rides: { nodes: [{ id }], pageInfo: { hasNextPage, endCursor } } },
  });

  /** Gives its pages by the cursor that it is asked with. */
  const paged = (pages: Record<string, unknown>) =>
    service((request, response, index) => {
      const { endCursor = '' } = JSON.parse(request.body).variables ?? {};
      return answer(pages[endCursor] ?? 'no such page')(request, response, index);
    });

  const PAGES = { '': page(1, 'c1'), c1: page(2, 'c"2'), 'c"2': page(3, 'c3', false) };

  it('prints a line for each page, up to the last', async () => {
    const { gql, requests } = await paged(PAGES);
    const { code, stdout, stderr } = await gql([DOCUMENT, '--paginate', '-F', 'first=1.0']);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toEqual([PAGES[''], PAGES.c1, PAGES['c"2']]);
    expect(sentTo({ requests }).map(({ variables }) => variables)).toEqual([
      { first: 1 },
      { first: 1, endCursor: 'c1' },
      { first: 1, endCursor: 'c"2' },
    ]);
    for (const { body } of requests) {
      expect(body).toContain('"first":1.0');
      expect(JSON.parse(body)).toMatchObject({ query: DOCUMENT, operationName: 'Rides' });
    }
  });

  it('prints data alone with --raw', async () => {
    const { gql } = await paged(PAGES);
    const { stdout } = await gql([DOCUMENT, '--paginate', '--raw']);
    expect(jsonLines(stdout)).toEqual(Object.values(PAGES).map(({ data }) => data));
  });

  it('writes lines to a terminal too', async () => {
    const { gql } = await paged(PAGES);
    const { stdout } = await gql([DOCUMENT, '--paginate', '--no-color'], {
      stdoutIsTerminal: true,
    });
    expect(jsonLines(stdout)).toHaveLength(3);
  });

  it('shows the page and the items so far on a terminal', async () => {
    const { gql } = await paged(PAGES);
    const { stdout, stderr } = await gql([DOCUMENT, '--paginate', '--no-color'], {
      stderrIsTerminal: true,
    });
    expect(jsonLines(stdout)).toEqual(Object.values(PAGES));
    const shown = ['page 1', 'page 2, 1 item so far', 'page 3, 2 items so far'];
    const texts = stderr.match(/page \d+(?:, \d+ items? so far)?/g) ?? [];
    expect([...new Set(texts)]).toEqual(shown);
    // The spinner is gone, and the cursor is back.
    expect(stderr.endsWith('\u001b[?25h')).toBe(true);
    for (const option of ['--quiet', '--json', '--verbose']) {
      const result = await gql([DOCUMENT, '--paginate', option], { stderrIsTerminal: true });
      expect(result.stderr).not.toContain('so far');
    }
  });

  it('starts at a given endCursor', async () => {
    const { gql, requests } = await paged(PAGES);
    expect(jsonLines((await gql([DOCUMENT, '--paginate', '-f', 'endCursor=c1'])).stdout)).toEqual([
      PAGES.c1,
      PAGES['c"2'],
    ]);
    expect(requests).toHaveLength(2);
  });

  it('works with GET', async () => {
    const { gql, url, requests } = await service((request, response, index) => {
      const given = new URL(request.path, 'http://x').searchParams.get('variables') ?? '{}';
      const { endCursor = '' } = JSON.parse(given);
      return answer((PAGES as Record<string, unknown>)[endCursor])(request, response, index);
    });
    expect(jsonLines((await gql([DOCUMENT, '--paginate', '--get'])).stdout)).toHaveLength(3);
    expect(requests.map(({ path }) => new URL(path, url).searchParams.get('variables'))).toEqual([
      null,
      '{"endCursor":"c1"}',
      '{"endCursor":"c\\"2"}',
    ]);
  });

  it.each([
    [
      'an alias',
      'query ($endCursor: String) { all: rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
      (info: unknown) => ({ all: { pageInfo: info } }),
    ],
    [
      'nested fields',
      'query ($endCursor: String) { me { rides(after: $endCursor) { pageInfo { ...P } } } } fragment P on PageInfo { hasNextPage endCursor }',
      (info: unknown) => ({ me: { rides: { pageInfo: info } } }),
    ],
    [
      'other connections',
      'query ($endCursor: String) { cities { pageInfo { hasNextPage endCursor } } rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
      (info: unknown) => ({
        cities: { pageInfo: { hasNextPage: true, endCursor: 'of-another' } },
        rides: { pageInfo: info },
      }),
    ],
  ])('finds the cursor of %s', async (_, document, data) => {
    const { gql, ...server } = await service((request, response, index) =>
      answer({ data: data({ hasNextPage: index === 0, endCursor: 'c1' }) })(
        request,
        response,
        index,
      ),
    );
    expect((await gql([document, '--paginate'])).code).toBe(0);
    expect(sentTo(server).map(({ variables }) => variables)).toEqual([
      undefined,
      { endCursor: 'c1' },
    ]);
  });

  it('stops at the first page with errors', async () => {
    const failed = { ...page(2, 'c2'), errors: [{ message: 'half a page', path: ['rides'] }] };
    const { gql, requests } = await paged({ ...PAGES, c1: failed });
    const result = await gql([DOCUMENT, '--paginate']);
    expect(result.code).toBe(14);
    expect(jsonLines(result.stdout)).toEqual([PAGES[''], failed]);
    expect(result.stderr).toMatch(
      /^mop: the response has an error: rides: half a page; the output is incomplete: 2 pages \(2 items\) printed\nhint: to continue, run it again with -f endCursor=c1\n$/,
    );
    expect(requests).toHaveLength(2);
  });

  it('reports the errors of a page as JSON, with the cursor of the page', async () => {
    const failed = { data: { rides: null }, errors: [{ message: 'half a page', path: ['rides'] }] };
    const { gql } = await paged({ ...PAGES, c1: failed });
    const result = await gql([DOCUMENT, '--paginate', '--json']);
    expect(jsonLines(result.stdout)).toEqual([PAGES[''], failed]);
    expect(errorOf(result)).toMatchObject({
      code: 'graphql',
      message: expect.stringContaining('the output is incomplete: 2 pages (1 item) printed'),
      hint: expect.stringContaining('run it again with -f endCursor=c1'),
    });
    // The connection is null, so the last page is unknown.
    const partial = await gql([DOCUMENT, '--paginate', '--allow-partial', '--json']);
    expect([partial.code, jsonLines(partial.stdout)]).toEqual([14, [PAGES[''], failed]]);
    const lines = jsonLines(partial.stderr);
    expect(lines.at(-1).error).toMatchObject({
      message: expect.stringMatching(
        /^more pages may follow: rides .* 2 pages \(1 item\) printed$/,
      ),
      hint: expect.stringContaining('run it again with -f endCursor=c1'),
    });
  });

  it('gives no cursor for a first page with errors, except the given one', async () => {
    const failed = { data: null, errors: [{ message: 'no' }] };
    const { gql } = await service(answer(failed));
    const first = await gql([DOCUMENT, '--paginate']);
    expect(first.stderr).toMatch(/^mop: the response has an error: no\nhint: (?!.*endCursor).+\n$/);
    const later = await gql([DOCUMENT, '--paginate', '-f', 'endCursor=c1']);
    expect(later.stderr).toContain('run it again with -f endCursor=c1');
  });

  it('continues at a cursor of any type, as the hint of an early end shows', () =>
    checkRows<[type: string, cursor: unknown]>(
      [
        ['Int', 5],
        ['Float', 1.5],
        ['Boolean', true],
        ['String', '5'],
        ['ID', "it's $(x)"],
        ['Cursor', '12'],
        ['Cursor', 12345678901234567000],
        ['Cursor', { id: [1] }],
      ],
      async ([type, cursor]) => {
        const document = DOCUMENT.replace('$endCursor: String', `$endCursor: ${type}`);
        const { gql, ...server } = await service((request, response, index) => {
          const body = index === 0 ? page(1, cursor) : index === 1 ? '<html>' : page(2, null);
          return answer(body)(request, response, index);
        });
        const { code, stderr } = await gql([document, '--paginate']);
        expect(code).toBe(5);
        const [, option = ''] = /run it again with (.*)\n$/.exec(stderr) ?? [];
        const words = (await sh(`printf '%s\\0' ${option}`)).split('\0').slice(0, -1);
        expect((await gql([document, '--paginate', ...words])).code).toBe(0);
        const given = sentTo(server).map(({ variables }) => variables?.endCursor);
        expect(given).toEqual([undefined, cursor, cursor]);
      },
    ));

  it('does not end with exit code 0 while there is a next page', async () => {
    const { gql } = await paged({ '': page(1, 'c1'), c1: page(2, null, true) });
    const result = await gql([DOCUMENT, '--paginate']);
    expect(jsonLines(result.stdout)).toHaveLength(2);
    expectFailure(
      { ...result, stdout: '' },
      14,
      'rides has a next page, but no endCursor; the output is incomplete: 2 pages (2 items) printed',
      'run it again with -f endCursor=c1',
    );
  });

  it('refuses several fields before the first request', async () => {
    const { gql, requests } = await paged(PAGES);
    const field = (name: string) =>
      `${name}: rides(after: $endCursor) { pageInfo { hasNextPage endCursor } }`;
    const document = `query ($endCursor: String) { ${field('a')} ${field('b')} }`;
    const result = await gql([document, '--paginate']);
    expectFailure(
      result,
      2,
      'several take $endCursor: a, b',
      'run a query for each of these fields',
    );
    expect(requests).toEqual([]);
  });

  it('continues with --allow-partial', async () => {
    const failed = { ...page(2, 'c"2'), errors: [{ message: 'half a page' }] };
    const { gql } = await paged({ ...PAGES, c1: failed });
    const result = await gql([DOCUMENT, '--paginate', '--allow-partial']);
    expect([result.code, result.stderr]).toEqual([0, 'mop: warning: half a page\n']);
    expect(jsonLines(result.stdout)).toEqual([PAGES[''], failed, PAGES['c"2']]);
  });

  it('keeps the pages before a page that failed', async () => {
    const { gql } = await paged({ ...PAGES, c1: '<html>' });
    const result = await gql([DOCUMENT, '--paginate', '--json']);
    expect([result.code, jsonLines(result.stdout)]).toEqual([5, [PAGES['']]]);
    expect(errorOf(result)).toMatchObject({ code: 'api' });
  });

  it('retries a page', async () => {
    const { gql, requests } = await service((request, response, index) => {
      if (index === 1) return response.writeHead(503).end();
      return answer(index === 0 ? PAGES[''] : page(2, null))(request, response, index);
    });
    const { code, stdout, waits } = await gql([DOCUMENT, '--paginate']);
    expect([code, jsonLines(stdout).length, waits.length, requests.length]).toEqual([0, 2, 1, 3]);
  });

  it('stops when a cursor repeats', async () => {
    const { gql, requests } = await paged({
      '': page(1, 'c1'),
      c1: page(2, 'c2'),
      c2: page(3, 'c1'),
    });
    const result = await gql([DOCUMENT, '--paginate']);
    expect(result.code).toBe(14);
    expect(jsonLines(result.stdout)).toHaveLength(3);
    expect(result.stderr).toMatch(
      /^mop: .*the same endCursor twice: "c1"; the output is incomplete: 3 pages \(3 items\) printed\nhint: .+\n$/,
    );
    expect(requests).toHaveLength(3);
    const stuck = await service(answer(page(1, 'c1')));
    expect((await stuck.gql([DOCUMENT, '--paginate'])).code).toBe(14);
    expect(stuck.requests).toHaveLength(2);
  });

  it('requests no more pages when the reader closes the pipe', async () => {
    const { gql, requests } = await paged(PAGES);
    const { code, stderr } = await gql([DOCUMENT, '--paginate'], { stdoutError: 'EPIPE' });
    expect([code, stderr, requests.length]).toEqual([0, '', 1]);
  });

  it('refuses a document without a connection to follow', () =>
    checkRows(
      [
        '{ rides { pageInfo { hasNextPage endCursor } } }',
        'query ($after: String) { rides(after: $after) { pageInfo { hasNextPage endCursor } } }',
        'query ($endCursor: String) { rides { pageInfo { hasNextPage endCursor } } }',
        'query ($endCursor: String) { rides(after: $endCursor) { nodes { id } } }',
        'query ($endCursor: String) { rides(after: $endCursor) { pageInfo { endCursor } } }',
        'query ($endCursor: String) { rides(after: $endCursor) { hasNextPage endCursor } }',
        'mutation ($endCursor: String) { rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
      ],
      async (document) => {
        const { gql, requests } = await paged(PAGES);
        const result = await gql([document, '--paginate']);
        expectFailure(result, 2, '--paginate needs a query', 'pageInfo { hasNextPage endCursor }');
        expect(requests).toEqual([]);
      },
    ));

  it('looks for the connection in the selected operation only', async () => {
    const { gql, requests } = await paged(PAGES);
    const document = `query A($endCursor: String) { rides(after: $endCursor) { nodes { id } } }
      query B { cities { pageInfo { hasNextPage endCursor } } }`;
    expect((await gql([document, '--paginate', '--operation', 'A'])).code).toBe(2);
    expect(requests).toEqual([]);
  });
});
