import { describe, expect, it } from 'vitest';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { answer, jsonLines, service } from './support.ts';

describe('a result', () => {
  const ENVELOPE =
    '{"data":{"z":12345678901234567890,"a":1.0,"10":1e2,"2":-0,"城市":"杭州 \\u0007","list":[],"o":{}},"extensions":{"cost":1.50}}';

  it('is printed with all its digits and in its order', async () => {
    const { gql } = await service(answer(ENVELOPE));
    for (const args of [[], ['--json'], ['--quiet'], ['--get']]) {
      const { code, stdout, stderr } = await gql(['{ a }', ...args]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${ENVELOPE}\n`, stderr: '' });
    }
  });

  it('is one line in a pipe, with any layout', async () => {
    const spread = '\ufeff {\n "data" : { "a" : [ 1.0 , 2 ] }\n}\n';
    const { gql } = await service(answer(spread));
    expect((await gql(['{ a }'])).stdout).toBe('{"data":{"a":[1.0,2]}}\n');
  });

  it('is indented in a terminal, except with --json', async () => {
    const { gql } = await service(answer('{"data":{"a":1.0,"list":[1e2,{"b":[]}]}}'));
    const world = { stdoutIsTerminal: true };
    expect((await gql(['{ a }', '--no-color'], world)).stdout).toBe(`{
  "data": {
    "a": 1.0,
    "list": [
      1e2,
      {
        "b": []
      }
    ]
  }
}
`);
    expect((await gql(['{ a }', '--raw', '--no-color'], world)).stdout).toBe(
      '{\n  "a": 1.0,\n  "list": [\n    1e2,\n    {\n      "b": []\n    }\n  ]\n}\n',
    );
    expect((await gql(['{ a }', '--json', '--no-color'], world)).stdout).toBe(
      '{"data":{"a":1.0,"list":[1e2,{"b":[]}]}}\n',
    );
  });

  it('is only its data with --raw', () =>
    checkRows(
      [
        ['{"data":{"a":1.0,"b":12345678901234567890}}', 0, '{"a":1.0,"b":12345678901234567890}\n'],
        ['{"data":{"a":null},"errors":[{"message":"m"}]}', 14, '{"a":null}\n'],
        ['{"data":null,"errors":[{"message":"m"}]}', 14, 'null\n'],
        ['{"errors":[{"message":"m"}]}', 14, ''],
        ['{"data":null}', 14, 'null\n'],
        ['{"data":null,"errors":[]}', 14, 'null\n'],
      ],
      async ([body, code, stdout]) => {
        const { gql } = await service(answer(body));
        expect(await gql(['{ a }', '--raw'])).toMatchObject({ code, stdout });
      },
    ));

  it('with empty or null errors succeeds', () =>
    checkRows(
      [
        '{"data":{"a":1},"errors":[]}',
        '{"data":{"a":1},"errors":null}',
        '{"data":{}}',
        '{"errors":null,"data":{"a":1},"extensions":null}',
      ],
      async (body) => {
        const { gql } = await service(answer(body));
        expect(await gql(['{ a }'])).toMatchObject({ code: 0, stdout: `${body}\n`, stderr: '' });
      },
    ));

  it('exits with 5 if it is not a GraphQL response', () =>
    checkRows(
      [
        '{}',
        '[]',
        '"data"',
        'null',
        '{"data":5}',
        '{"data":[]}',
        '{"errors":{}}',
        '{"errors":[]}',
        '{"errors":"no"}',
        '{"message":"Not Found"}',
        '[{"data":{"a":1}}]',
        '{"data":{"a":1}} {"data":{"a":2}}',
        '{"data":{"a":NaN}}',
        "{'data':{}}",
      ],
      async (body) => {
        const { gql, requests } = await service(answer(body));
        expectFailure(await gql(['{ a }']), 5, 'a body that is not a GraphQL response');
        expect(requests).toHaveLength(1);
      },
    ));

  it('may be large', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => ({ id: at, name: `row ${at}` }));
    const body = JSON.stringify({ data: { rows } });
    const { gql } = await service(answer(body));
    const { code, stdout } = await gql(['{ rows { id name } }']);
    expect([code, stdout.length]).toEqual([0, body.length + 1]);
  });

  it('keeps its exit code when the reader closes the pipe', async () => {
    const { gql } = await service((request, response, index) =>
      answer(index === 0 ? { data: {} } : { data: {}, errors: [{ message: 'm' }] })(
        request,
        response,
        index,
      ),
    );
    const world = { stdoutError: 'EPIPE' };
    expect(await gql(['{ a }'], world)).toMatchObject({ code: 0, stderr: '' });
    expect(await gql(['{ a }'], world)).toMatchObject({ code: 14 });
    expect((await gql(['{ a }'], { stdoutError: 'ENOSPC' })).code).not.toBe(0);
  });
});

describe('errors of a response', () => {
  /** Everything but the wording of the hint. */
  const withoutHint = (stderr: string) => stderr.replace(/^hint: .+\n$/m, 'hint\n');

  const ERRORS = [
    { message: 'no total', path: ['bills', 2, 'total'], locations: [{ line: 3, column: 5 }] },
    {
      message: 'two places',
      locations: [
        { line: 1, column: 2 },
        { line: 30, column: 4 },
      ],
      extensions: { code: 'X' },
    },
    { message: 'nowhere' },
  ];

  it('are reported with their path and place, and the envelope is printed', async () => {
    const body = JSON.stringify({ errors: ERRORS.slice(0, 1), data: { bills: [] } });
    const { gql } = await service(answer(body));
    const result = await gql(['{ a }']);
    expect([result.code, result.stdout]).toEqual([14, `${body}\n`]);
    expect(withoutHint(result.stderr)).toBe(
      'mop: the response has an error: bills.2.total: no total (document:3:5)\nhint\n',
    );
    const path = await file('{ a }', { name: 'file.graphql' });
    expect(withoutHint((await gql([`@${path}`])).stderr)).toBe(
      'mop: the response has an error: bills.2.total: no total (file.graphql:3:5)\nhint\n',
    );
    expect((await gql(['-'], { stdin: '{ a }' })).stderr).toContain('(document:3:5)\n');
  });

  it('are reported one by one when there are several', async () => {
    const body = JSON.stringify({ data: { a: 1 }, errors: ERRORS });
    const { gql } = await service(answer(body));
    const { code, stdout, stderr } = await gql(['{ a }']);
    expect([code, stdout]).toEqual([14, `${body}\n`]);
    expect(withoutHint(stderr)).toBe(`mop: bills.2.total: no total (document:3:5)
mop: two places (document:1:2, document:30:4)
mop: nowhere
mop: the response has 3 errors, first: bills.2.total: no total (document:3:5)
hint
`);
  });

  it.each([1, 3])('are one line of JSON on stderr with --json: %d of them', async (count) => {
    const body = JSON.stringify({ data: { a: 1 }, errors: ERRORS.slice(0, count) });
    const { gql } = await service(answer(body));
    const result = await gql(['{ a }', '--json']);
    expect([result.code, result.stdout]).toEqual([14, `${body}\n`]);
    expect(jsonLines(result.stderr)).toEqual([
      {
        error: {
          code: 'graphql',
          message: expect.stringContaining('bills.2.total: no total (document:3:5)'),
          hint: expect.stringContaining('--allow-partial'),
          exit_code: 14,
          retryable: false,
        },
      },
    ]);
  });

  it('are warnings with --allow-partial, if there is data', async () => {
    const body = JSON.stringify({ data: { a: null }, errors: ERRORS });
    const { gql } = await service(answer(body));
    expect(await gql(['{ a }', '--allow-partial'])).toMatchObject({
      code: 0,
      stdout: `${body}\n`,
      stderr: `mop: warning: bills.2.total: no total (document:3:5)
mop: warning: two places (document:1:2, document:30:4)
mop: warning: nowhere
`,
    });
    const json = await gql(['{ a }', '--allow-partial', '--json', '--raw']);
    expect([json.code, json.stdout]).toEqual([0, '{"a":null}\n']);
    expect(jsonLines(json.stderr).map(({ warning }) => warning.message)).toHaveLength(3);
  });

  it.each(['{"errors":[{"message":"m"}]}', '{"data":null,"errors":[{"message":"m"}]}'])(
    'are not allowed without data: %s',
    async (body) => {
      const { gql } = await service(answer(body));
      expect(await gql(['{ a }', '--allow-partial'])).toMatchObject({
        code: 14,
        stdout: `${body}\n`,
        stderr: expect.stringMatching(/^mop: the response has an error: m\nhint: .+\n$/),
      });
    },
  );

  it('may lack the expected fields', () =>
    checkRows(
      [
        ['{}', 'an error without a message'],
        ['"no"', 'an error: no'],
        ['null', 'an error without a message'],
        ['{"message":5}', 'an error without a message'],
        ['{"message":"m","path":null,"locations":null}', 'm\n'],
        ['{"message":"m","path":[],"locations":[]}', 'm\n'],
        ['{"message":"m","path":["a",null,{}]}', 'm\n'],
        ['{"message":"m","locations":[{"line":0,"column":0}]}', 'm\n'],
        ['{"message":"m","locations":[{"line":"1"},5,null]}', 'm\n'],
        ['{"message":""}', 'the response has an error'],
      ],
      async ([error, reported]) => {
        const { gql } = await service(answer(`{"data":{},"errors":[${error}]}`));
        const { code, stderr } = await gql(['{ a }']);
        expect(code).toBe(14);
        expect(stderr).toMatch(/^mop: .+\nhint: .+\n$/);
        expect(stderr).toContain(reported);
      },
    ));

  const wild = 'a\u001b[2J\u009b1m\r\n\u202eb\u0000\u2028mop: done';
  const error = { message: wild, path: [wild, 1], locations: [{ line: 1, column: 1 }] };
  const WILD = answer({ data: { [wild]: wild }, errors: [error, error] });
  const terminals = { stdoutIsTerminal: true, stderrIsTerminal: true };
  const DRAWS = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

  it('write no control characters to the terminal', () =>
    checkRows([[[]], [['--raw']], [['--allow-partial']], [['--verbose']]], async ([args]) => {
      const { gql } = await service(WILD);
      const { stdout, stderr } = await gql(['{ a }', '--no-color', ...args], terminals);
      expect(stdout).not.toMatch(DRAWS);
      expect(stderr).not.toMatch(DRAWS);
      expect(stderr).not.toMatch(/^mop: done/m);
      expect(stdout).toContain('\\u202e');
    }));

  it('write no control characters to stdout with --json', async () => {
    const { gql } = await service(WILD);
    const { stdout } = await gql(['{ a }', '--json', '--no-color'], terminals);
    expect(stdout).not.toMatch(DRAWS);
    expect(JSON.parse(stdout).data).toEqual({ [wild]: wild });
  });

  // JSON.stringify does not escape C1, bidirectional controls and line separators.
  it('write no control characters to stderr with --json', async () => {
    const { gql } = await service(WILD);
    const { stderr } = await gql(['{ a }', '--json', '--no-color'], terminals);
    expect(stderr).not.toMatch(DRAWS);
  });
});
