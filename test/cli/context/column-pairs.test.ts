import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnPair, columnPairList } from '../../../src/cli/context/column-pairs.ts';
import { settingFault } from '../../../src/cli/context/setting-keys.ts';
import { MopError } from '../../../src/errors.ts';

describe('columnPair', () => {
  it.each([
    { text: 'order_id', bill: 'order_id', records: 'order_id' },
    { text: 'order_id=id', bill: 'order_id', records: 'id' },
    { text: 'a=b=c', bill: 'a', records: 'b=c' },
    { text: 'a==', bill: 'a', records: '=' },
    { text: 'a,b=c', bill: 'a,b', records: 'c' },
    { text: ' a = b ', bill: ' a ', records: ' b ' },
    { text: '订单号=编号', bill: '订单号', records: '编号' },
    { text: '1=3', bill: '1', records: '3' },
  ])('$text', ({ text, ...pair }) => expect(columnPair(text)).toEqual(pair));

  it.each(['', ' ', '=', 'a=', '=b', 'a= ', '\t=b'])('refuses %j', (text) => {
    const refused = expect.objectContaining({
      code: 'usage',
      message: `a column is missing in ${JSON.stringify(text)}`,
    });
    expect(() => columnPair(text)).toThrow(refused);
  });
});

describe('columnPairList', () => {
  it.each([
    { text: 'a', pairs: ['a a'] },
    { text: 'a=b,c', pairs: ['a b', 'c c'] },
    { text: ' a=b ,\tc=d=e ', pairs: ['a b', 'c d=e'] },
  ])('$text', ({ text, pairs }) => {
    const found = columnPairList(text).map(({ bill, records }) => `${bill} ${records}`);
    expect(found).toEqual(pairs);
  });

  it('accepts the same texts as the settings', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '=', ',', ' '), maxLength: 8 });
    const isRead = (list: string): boolean => {
      try {
        return columnPairList(list).length > 0;
      } catch (error) {
        expect(error).toBeInstanceOf(MopError);
        return false;
      }
    };
    fc.assert(
      fc.property(text, (list) => {
        for (const key of ['compare_key', 'compare_amount'] as const) {
          expect(settingFault(key, list) === undefined).toBe(isRead(list));
        }
      }),
      { seed: 11 },
    );
  });
});
