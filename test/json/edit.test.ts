import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editJson } from '../../src/json/edit.ts';
import { JsonSyntaxError } from '../../src/json/reader.ts';

it('replaces names, strings and literals, and keeps everything else', () => {
  const json = '{"a": [1.0, "x\\u0061", true, {"xa":null}],\n"b":{}}';
  const text = (token: string) => ({ xa: '"', '1.0': '', true: 'yes' })[token] ?? token;
  expect(editJson(json, { text })).toBe('{"a": ["", "\\"", "yes", {"\\"":null}],\n"b":{}}');
});

it('replaces the values of members as a whole, at any depth', () => {
  const json = '{"s":{"s":"x","t":"x"},"l":[{"s": [1,{"s":2}] ,"t":"x"}]}';
  const seen: string[] = [];
  const members = new Map([['s', (value: string) => `<${seen.push(value)}>`]]);
  expect(editJson(json, { members, text: (token) => token.replace('x', 'y') })).toBe(
    '{"s":<1>,"l":[{"s": <2> ,"t":"y"}]}',
  );
  expect(seen).toEqual(['{"s":"x","t":"x"}', '[1,{"s":2}]']);
});

it('returns any JSON unchanged without edits, and refuses other text', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(editJson(json, { text: (token) => token })).toBe(json);
    }),
  );
  for (const json of ['', '{', '[1]]', '{"a":1']) {
    expect(() => editJson(json, {})).toThrow(JsonSyntaxError);
  }
});

it('takes linear time for many replacements', () => {
  const json = JSON.stringify(Array(200_000).fill('a'));
  const edited = editJson(json, { text: () => 'b' });
  expect(edited).toBe(json.replaceAll('a', 'b'));
});
