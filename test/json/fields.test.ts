import { describe, expect, it } from 'vitest';
import { AnswerFields, type Contract } from '../../src/json/fields.ts';
import { parseJson } from '../../src/json/parse.ts';

const CONTRACT: Contract = {
  sender: 'shop',
  hint: 'ask the shop',
  isStrict: false,
  wrongKind: (kind, found) => `is not a ${kind} but a ${found.kind}`,
};

function fieldsOf(text: string, contract = CONTRACT): AnswerFields {
  return new AnswerFields(parseJson(text), contract, 'data.', { seqId: 's' });
}

describe('a field of an answer', () => {
  it.each(['optional', 'required'] as const)('(%s) keeps its digits', (demand) => {
    const fields = fieldsOf('{"price":1.50,"name":""}');
    expect(fields[demand]('price', 'number')).toEqual({ kind: 'number', text: '1.50' });
    expect(fields[demand]('name', 'string')).toEqual({ kind: 'string', value: '' });
  });

  it.each(['{}', '{"a":null}', '{"b":1}', '[]', '"a"'])('may be missing in %s', (text) => {
    expect(fieldsOf(text).optional('a', 'string')).toBeUndefined();
    expect(() => fieldsOf(text).required('a', 'string')).toThrow(
      `the shop's answer breaks the contract: data.a is ${text.includes('null') ? 'null' : 'missing'}`,
    );
  });

  it.each(['optional', 'required'] as const)('of another kind is rejected (%s)', (demand) => {
    expect(() => fieldsOf('{"a":7}')[demand]('a', 'string')).toThrow(
      expect.objectContaining({
        code: 'api',
        message: "the shop's answer breaks the contract: data.a is not a string but a number",
        details: { hint: 'ask the shop', seqId: 's' },
      }),
    );
  });

  it('that occurs twice is rejected only by a strict contract', () => {
    const text = '{"a":"1","a":"2"}';
    expect(fieldsOf(text).required('a', 'string').value).toBe('1');
    expect(() => fieldsOf(text, { ...CONTRACT, isStrict: true }).optional('a', 'string')).toThrow(
      'data.a occurs more than once',
    );
  });
});

it('reads every field of an undefined value as missing', () => {
  expect(new AnswerFields(undefined, CONTRACT).optional('a', 'string')).toBeUndefined();
});
