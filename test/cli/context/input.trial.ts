import { it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { CREDENTIALS, expectFailure, file } from '../support.ts';

const MIB = 1024 ** 2;

it('all fields of -F together have at most 64 MiB, after JSON quoting', async () => {
  const path = await file('\u0001'.repeat(12 * MIB));
  const result = await mop(['sign', '-F', `a=@${path}`], { env: CREDENTIALS });
  expectFailure(result, 2, 'the body has more than 64 MiB');
});

it('a JSON body to verify has at most 64 MiB', async () => {
  const path = await file(`{"a":"${' '.repeat(64 * MIB)}","sign":"x"}`);
  const result = await mop(['sign', 'verify', `@${path}`], { env: CREDENTIALS });
  expectFailure(result, 2, 'the text has more than 64 MiB', '--entry');
});
