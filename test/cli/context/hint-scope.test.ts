import { expect, it } from 'vitest';
import { withScope } from '../../../src/cli/context/hint-scope.ts';
import { MopError } from '../../../src/errors.ts';

it.each([
  [{}, 'mop account list shows the links', 'mop account list shows the links'],
  [{ env: 'sandbox' }, 'mop account list shows', 'mop account list --env sandbox shows'],
  [{ profile: 'b' }, 'see mop config list', 'see mop config list -p b'],
  [{ profile: 'b', env: 'test' }, 'mop gql schema; x', 'mop gql schema -p b --env test; x'],
  [{ env: 'test' }, 'mop doctor shows', 'mop doctor --env test shows'],
  [{ profile: 'b' }, 'run: mop doctor -p b', 'run: mop doctor -p b'],
  [{ profile: '$(id)' }, 'run: mop doctor', 'run: mop doctor'],
  [{ env: 'sandbox' }, 'mop gql help explains', 'mop gql help explains'],
])('the options %j in the hint %j', (given, hint, expected) => {
  expect(withScope(new MopError('api', 'm', { hint, seqId: 's' }), given)).toMatchObject({
    code: 'api',
    message: 'm',
    details: { hint: expected, seqId: 's' },
  });
});
