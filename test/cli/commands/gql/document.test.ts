import { describe, expect, it } from 'vitest';
import { mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { jsonLines, sentTo, service } from './support.ts';

describe('a document', () => {
  const TEXT = '# städte 杭州\r\nquery Cities {\r\n\ta  (b: "x\\ny")\n}\n';

  it('is sent unchanged from an argument, a file and standard input', () =>
    checkRows(
      [
        ['an argument', async () => ({ argument: TEXT })],
        ['@FILE', async () => ({ argument: `@${await file(TEXT)}` })],
        ['standard input', async () => ({ argument: '-', stdin: TEXT })],
        ['@-', async () => ({ argument: '@-', stdin: TEXT })],
        [
          'a file with a byte order mark',
          async () => ({ argument: `@${await file(`\ufeff${TEXT}`)}` }),
        ],
      ],
      async ([_, given]) => {
        const { gql, ...server } = await service();
        const { argument, stdin = '' } = (await given()) as { argument: string; stdin?: string };
        const result = await gql([argument], { stdin });
        expect(result).toMatchObject({ code: 0, stdout: '{"data":{"a":1}}\n', stderr: '' });
        expect(sentTo(server)).toEqual([{ query: TEXT, operationName: 'Cities' }]);
      },
    ));

  it('is not sent when it is missing, unreadable or not GraphQL', () =>
    checkRows<{ args: string[]; stdin?: string | Uint8Array; message: string; hint?: string }>(
      [
        { args: [], message: 'nothing to run', hint: '@FILE' },
        { args: [''], message: 'document:1:1: Syntax Error: Unexpected <EOF>.' },
        { args: [' \n,\ufeff'], message: 'Syntax Error: Unexpected <EOF>.' },
        { args: ['# only a comment'], message: 'Syntax Error: Unexpected <EOF>.' },
        { args: ['-'], stdin: '', message: 'document:1:1: Syntax Error: Unexpected <EOF>.' },
        { args: ['-'], stdin: Buffer.from('{ 杭 }', 'utf16le'), message: '' },
        {
          args: ['-'],
          stdin: Buffer.from([0x7b, 0xff, 0x7d]),
          message: 'is not UTF-8',
          hint: 'iconv',
        },
        {
          args: ['@/does/not/exist'],
          message: 'cannot read "/does/not/exist": there is no such file',
        },
        { args: ['@/'], message: 'it is a directory' },
        { args: ['{a'.repeat(20_000)], message: 'nests too deeply' },
        { args: ['{ a }', '{ b }'], message: 'too many arguments' },
        { args: ['--operation', 'A'], message: 'nothing to run' },
      ],
      async ({ args, stdin = '', message, hint }) => {
        const { gql, requests } = await service();
        const { code, stdout, stderr } = await gql(args, { stdin });
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(/^mop: .*\n(?:.*\n)*hint: .+\n$/);
        expect(stderr).toContain(message);
        expect(stderr).toContain(hint ?? '');
        expect(requests).toEqual([]);
      },
    ));

  it('that is not UTF-8 is reported with its file', async () => {
    const path = await file(Buffer.from([0x7b, 0x20, 0xc0, 0x7d]), { name: 'latin.graphql' });
    const { gql } = await service();
    expectFailure(await gql([`@${path}`]), 2, 'latin.graphql is not UTF-8', 'iconv');
  });

  it('with a syntax error is shown with its line and a caret', async () => {
    const { gql, requests } = await service();
    const hint = 'hint: mop gql help explains the language\n';
    expect(await gql(['{ a { } }'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `mop: document:1:7: Syntax Error: Expected Name, found "}".
1 | { a { } }
  |       ^
${hint}`,
    });
    const path = await file('query A {\n\ta\n\tb(c: )\n}\n', { name: 'broken.graphql' });
    expect(await gql([`@${path}`])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `mop: broken.graphql:3:7: Syntax Error: Unexpected ")".
2 |  a
3 |  b(c: )
  |       ^
4 | }
${hint}`,
    });
    const json = await gql(['{ a { } }', '--json']);
    expect(jsonLines(json.stderr)).toEqual([
      {
        error: {
          code: 'usage',
          message: 'document:1:7: Syntax Error: Expected Name, found "}".',
          hint: expect.any(String),
          exit_code: 2,
          retryable: false,
        },
      },
    ]);
    expect(json.stdout).toBe('');
    expect(requests).toEqual([]);
  });

  it('writes no control characters to the terminal when it is invalid', async () => {
    const { gql } = await service();
    const wild = '{ a(b: "\u001b[2J\u009b1m\u202e") \u001b[31m }';
    const { code, stderr } = await gql([wild, '--no-color'], { stderrIsTerminal: true });
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
  });

  const TWO = 'query A { a } mutation B { b }';

  it('without exactly one matching operation is not sent', () =>
    checkRows(
      [
        [TWO, [], 'has 2 operations', 'A, B'],
        [`{ a } ${TWO}`, [], 'has 3 operations', 'A, B'],
        [TWO, ['--operation', 'C'], 'no operation "C"', 'A, B'],
        [TWO, ['--operation', ''], 'no operation ""', 'A, B'],
        ['{ a }', ['--operation', 'A'], 'no operation "A"', '--operation'],
        ['fragment F on T { a }', [], 'has no operation', ''],
        ['fragment F on T { a }', ['--operation', 'F'], 'has no operation', ''],
        ['type T { a: Int }', [], 'has no operation', ''],
      ],
      async ([document, args, message, hint]) => {
        const { gql, requests } = await service();
        expectFailure(await gql([document, ...args]), 2, message, hint);
        expect(requests).toEqual([]);
      },
    ));

  it('with several operations is sent whole, with the name of one', async () => {
    const { gql, ...server } = await service();
    for (const name of ['A', 'B']) {
      expect((await gql([TWO, '--operation', name])).code).toBe(0);
    }
    expect(sentTo(server)).toEqual([
      { query: TWO, operationName: 'A' },
      { query: TWO, operationName: 'B' },
    ]);
  });

  it('and its variables cannot both be standard input', async () => {
    const { gql, requests } = await service();
    const args = ['-', '--variables', '-'];
    expectFailure(await gql(args, { stdin: 'query ($a: Int) { a }' }), 2, 'used twice');
    expect(requests).toEqual([]);
  });
});

it('suggests @FILE for an argument that is the name of a file', async () => {
  const path = await file('{ a }', { name: 'query.graphql' });
  const { code, stderr } = await mop(['gql', path, '--env', 'sandbox']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`hint: write @${path}`)]);
});
