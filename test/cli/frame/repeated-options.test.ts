import { expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { checkRows, testTable } from '../../support/rows.ts';
import { CREDENTIALS, expectFailure } from '../support.ts';

const SIGN = ['sign', '{}', '--timestamp', '1795132800', '--dry-run'];

testTable(
  'an option with two values is refused',
  [
    [['-p', 'a', ...SIGN, '-p', 'b'], '--profile'],
    [[...SIGN, '--profile', 'a', '--profile=b'], '--profile'],
    [[...SIGN, '--mode', 'header', '--no-nonce', '--nonce', 'x'], '--nonce'],
    [[...SIGN, '--mode', 'header', '--nonce', 'x', '--no-nonce'], '--nonce'],
    [[...SIGN, '--timeout', '1', '--timeout', '2'], '--timeout'],
    [[...SIGN, '--env', 'test', '--env', 'sandbox'], '--env'],
    [['bill', 'fetch', '-o', 'a', '--env', 'sandbox', '-o', 'b'], '--out'],
    [['gql', '{ a }', '--variables', '{}', '--variables', '{"a":1}'], '--variables'],
  ] as const,
  ([argv]) => argv.join(' '),
  async ([argv, option]) => {
    const message =
      option === '--nonce'
        ? '--nonce and --no-nonce exclude each other'
        : `${option} is given twice, with different values`;
    expectFailure(await mop(argv, { env: CREDENTIALS }), 2, message, 'leave out one');
  },
);

it('does not print the two values, and reports them as JSON', async () => {
  const argv = ['--json', ...SIGN, '--api-key', 'canary-1', '--api-key', 'canary-2'];
  const { code, stdout, stderr } = await mop(argv, { env: CREDENTIALS });
  expect([code, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'usage' });
  expect(stderr).not.toContain('canary');
});

it('accepts the same value twice', async () => {
  await checkRows(
    [
      ['--json', ...SIGN, '--json'],
      ['--timeout', '2', ...SIGN, '--timeout', '2.0'],
      [...SIGN, '--mode', 'header', '--no-nonce', '--no-nonce'],
      ['--env', 'production', ...SIGN, '--env=production'],
    ],
    async (argv) => expect(await mop(argv, { env: CREDENTIALS })).toMatchObject({ code: 0 }),
  );
});

it('collects the values of a repeatable option', async () => {
  const { stdout } = await mop(['sign', '-F', 'a=1', '-f', 'b=2', '-F', 'c=3', '--as', 'body'], {
    env: CREDENTIALS,
  });
  expect(JSON.parse(stdout)).toMatchObject({ a: 1, b: '2', c: 3 });
  const headers = ['-H', 'X-TMS-A: 1', '-H', 'X-TMS-B: 2', '--mode', 'header', '--as', 'headers'];
  expect((await mop(['sign', '{}', ...headers], { env: CREDENTIALS })).stdout).toMatch(
    /X-TMS-A: 1\n[\s\S]*X-TMS-B: 2\n/i,
  );
});
