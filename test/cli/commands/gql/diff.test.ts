import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { executing, gql, jsonLines, SDL, service } from './support.ts';

describe('mop gql diff', () => {
  const OLD = `
    type Query { a: Int b(x: Int): String e: E u: U }
    enum E { ONE TWO }
    union U = A | B
    type A { a: Int }
    type B { b: Int }
    input I { a: Int }
    extend type Query { i(i: I): Int }
  `;

  const diff = async (before: string, after: string, ...args: string[]) =>
    gql('diff', await file(before), await file(after), ...args);

  const NONE = { breaking: [], deprecated_removals: [], dangerous: [], informational: [] };

  it('reports no change when fields are only added', async () => {
    const added = OLD.replace('a: Int b', 'a: Int c: Int b').replace(
      'type A {',
      'type A { c: Int ',
    );
    for (const after of [OLD, added]) {
      expect(await diff(OLD, after)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^.+\n$/),
      });
      expect(await diff(OLD, after, '--json')).toMatchObject({
        code: 0,
        stdout: '{"breaking":[],"deprecated_removals":[],"dangerous":[],"informational":[]}\n',
        stderr: '',
      });
      expect(await diff(OLD, after, '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
  });

  it('reports breaking changes', () =>
    checkRows(
      [
        ['a: Int b', 'b', 'FIELD_REMOVED', 'Query.a was removed.'],
        [
          'a: Int b',
          'a: String b',
          'FIELD_CHANGED_KIND',
          'Query.a changed type from Int to String.',
        ],
        ['ONE TWO', 'ONE', 'VALUE_REMOVED_FROM_ENUM', 'TWO was removed from enum type E.'],
        [
          'b(x: Int)',
          'b(x: Int!)',
          'ARG_CHANGED_KIND',
          'Query.b arg x has changed type from Int to Int!.',
        ],
        [
          'b(x: Int)',
          'b(x: Int, y: Int!)',
          'REQUIRED_ARG_ADDED',
          'A required arg y on Query.b was added.',
        ],
        [
          'input I { a: Int }',
          'input I { a: Int b: Int! }',
          'REQUIRED_INPUT_FIELD_ADDED',
          'A required field b on input type I was added.',
        ],
        ['U = A | B', 'U = A', 'TYPE_REMOVED_FROM_UNION', 'B was removed from union type U.'],
      ],
      async ([before, after, type, description]) => {
        const changed = OLD.replace(before, after);
        const json = await diff(OLD, changed, '--json');
        expect([json.code, JSON.parse(json.stdout)]).toEqual([
          14,
          { ...NONE, breaking: [{ type, description }] },
        ]);
        expect(jsonLines(json.stderr)).toEqual([
          { error: expect.objectContaining({ code: 'graphql', exit_code: 14 }) },
        ]);
        const { code, stdout, stderr } = await diff(OLD, changed);
        expect([code, stdout]).toEqual([14, `breaking   ${description}\n`]);
        expect(stderr).toMatch(/^mop: .+\nhint: .+\n$/);
      },
    ));

  it('reports dangerous changes', () =>
    checkRows(
      [
        ['ONE TWO', 'ONE TWO THREE', 'VALUE_ADDED_TO_ENUM', 'THREE was added to enum type E.'],
        [
          'b(x: Int)',
          'b(x: Int, y: Int)',
          'OPTIONAL_ARG_ADDED',
          'An optional arg y on Query.b was added.',
        ],
        [
          'U = A | B',
          'U = A | B | Query',
          'TYPE_ADDED_TO_UNION',
          'Query was added to union type U.',
        ],
      ],
      async ([before, after, type, description]) => {
        const changed = OLD.replace(before, after);
        const json = await diff(OLD, changed, '--json');
        expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([
          0,
          { ...NONE, dangerous: [{ type, description }] },
          '',
        ]);
        expect(await diff(OLD, changed)).toMatchObject({
          code: 0,
          stdout: `dangerous  ${description}\n`,
          stderr: '',
        });
      },
    ));

  it('shows breaking changes before dangerous ones', async () => {
    const changed = OLD.replace('ONE TWO', 'ONE THREE').replace('a: Int b', 'b');
    const { code, stdout, stderr } = await diff(OLD, changed);
    expect([code, stdout.match(/^\w+/gm)]).toEqual([14, ['breaking', 'breaking', 'dangerous']]);
    expect(stderr).toContain('2 breaking changes');
    const before = await file(OLD);
    const args = ['gql', 'diff', before, await file(changed)];
    const shown = await mop(args, { stdoutIsTerminal: true });
    expect(shown.stdout).toContain('\u001b[31mbreaking');
    expect((await mop([...args, '-q'])).stdout).toBe('');
    expect((await mop(args, { stdoutError: 'EPIPE' })).code).toBe(14);
  });

  it('accepts files and URLs in both places', async () => {
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    const path = await file(SDL);
    expect((await gql('diff', path, endpoint, '-H', 'X-Trace: 1')).code).toBe(0);
    expect((await gql('diff', endpoint, path)).code).toBe(0);
    expect((await gql('diff', endpoint, await file('type Query { a: Int }'))).code).toBe(14);
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers['x-trace']).toBe('1');
  });

  it('refuses invalid arguments', () =>
    checkRows(
      [
        [['a.graphql'], 'missing required argument'],
        [['/does/not/exist', '/does/not/exist'], 'there is no such file'],
        [['a', 'b', 'c'], 'too many arguments'],
        [['a', 'b', '--schema', 'c'], 'diff takes no --schema'],
        [['a', 'b', '--endpoint', 'c'], 'diff takes no --endpoint'],
        [['a', 'b', '--refresh'], 'diff takes no --refresh'],
      ],
      async ([args, message]) => {
        expectFailure(await gql('diff', ...args), 2, message);
      },
    ));
});
