import { it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { CREDENTIALS, expectFailure, file } from '../support.ts';

const MIB = 1024 ** 2;

it('all fields of -F together have at most 64 MiB, after JSON quoting', async () => {
  const path = await file('\u0001'.repeat(12 * MIB));
  const result = await mop(['sign', '-F', `a=@${path}`], { env: CREDENTIALS });
  expectFailure(result, 2, 'the body has more than 64 MiB');
});
