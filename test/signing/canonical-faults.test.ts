import { expect, it } from 'vitest';
import { canonicalFaults } from '../../src/signing/compare.ts';

it.each<[string, string, readonly string[]]>([
  ['a right one', 'api_key=k&nonce=n&seq_id=1&timestamp=1', []],
  ['values with & and =', 'api_key=a&b&nonce=c=d&seq_id=1&timestamp=1', []],
  [
    'a right one of header mode',
    'X-TMS-Api-Key=k&X-TMS-Nonce=n&X-TMS-Seq-Id=1&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&a=1',
    [],
  ],
  [
    'one without the version',
    'X-TMS-Api-Key=k&X-TMS-Seq-Id=1&X-TMS-Timestamp=1',
    ['lacks X-TMS-Sign-Ver'],
  ],
  ['a line end', 'api_key=k&nonce=n&seq_id=1&timestamp=1\n', ['begins or ends with white space']],
  [
    'upper case behind lower case',
    'api_key=k&nonce=n&seq_id=1&timestamp=1&Z=1',
    ['is not sorted by name (timestamp before Z)'],
  ],
  [
    'all faults at once',
    ' b=1&a=1&sign=x&a=2',
    [
      'begins or ends with white space',
      'contains the signature (sign)',
      'contains a twice',
      'is not sorted by name (b before a)',
      'lacks api_key, seq_id, timestamp, nonce',
    ],
  ],
])('the faults of %s', (_, canonical, faults) => {
  expect(canonicalFaults(canonical)).toEqual(faults);
});
