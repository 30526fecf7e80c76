import { describe, expect, it } from 'vitest';
import { redactFields, redactHeader, redactUrl, redactValues } from '../../src/redaction/redact.ts';

describe('redactHeader', () => {
  it.each([
    'X-TMS-Sign',
    'x-tms-sign',
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'SET-COOKIE',
    'X-Amz-Security-Token',
  ])('hides %s', (name) => {
    expect(redactHeader(name, 'canary')).toBe('<redacted>');
  });

  it.each(['X-TMS-Sign-Ver', 'X-TMS-Api-Key', 'X-Request-Id', 'Content-Type'])(
    'shows %s',
    (name) => {
      expect(redactHeader(name, 'value')).toBe('value');
    },
  );

  it.each(['Location', 'location'])('shows a %s without its query', (name) => {
    expect(redactHeader(name, '/path?sig=canary')).toBe('/path?<redacted>');
  });
});

describe('redactUrl', () => {
  it.each([
    ['https://h/p', 'https://h/p'],
    ['https://h/p?a=canary&b=canary?c', 'https://h/p?<redacted>'],
    ['https://h/p#canary', 'https://h/p?<redacted>'],
    ['https://h?canary\ncanary', 'https://h?<redacted>'],
    ['https://canary:canary@h:8443/p', 'https://h:8443/p'],
    ['https://can@ry:canary@h/p@2', 'https://h/p@2'],
    ['HTTPS://canary@h', 'HTTPS://h'],
    ['user:canary@h/p', 'h/p'],
    ['https:canary@h', 'h'],
    ['https:\\\\canary@h', 'https:\\\\h'],
    ['//canary@h/p', '//h/p'],
    ['/p@2/x', '/p@2/x'],
    ['/p?canary', '/p?<redacted>'],
    ['', ''],
  ])('shows %j as %j', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });
});

describe('redactFields', () => {
  it.each([
    ['{"sign":"canary"}', '{"sign":"<redacted>"}'],
    ['{ "Sign" : "canary" }', '{ "Sign" : "<redacted>" }'],
    [String.raw`{"authorization":"a\"canary\\"}`, '{"authorization":"<redacted>"}'],
    ['{"X-TMS-Sign":"canary","api_secret":""}', '{"X-TMS-Sign":"<redacted>","api_secret":""}'],
    ['[{"sign":"canary"},{"sign":"canary"}]', '[{"sign":"<redacted>"},{"sign":"<redacted>"}]'],
    [
      '{"download_url":"https://h/p?canary","a":1}',
      '{"download_url":"https://h/p?<redacted>","a":1}',
    ],
    [
      String.raw`{"download_url":"https:\/\/h\/p?a=\"canary\"","a":1}`,
      '{"download_url":"https://h/p?<redacted>","a":1}',
    ],
    ['{"download_url":"https://h/p"}', '{"download_url":"https://h/p"}'],
    // Truncated by a lost connection.
    ['{"authorization":"canary', '{"authorization":"<redacted>'],
    ['{"authorization":"canary\\', '{"authorization":"<redacted>'],
    ['{"authorization":{"a":["canary', '{"authorization":"<redacted>"'],
    // A value of any kind.
    ['{"sign":123,"a":1}', '{"sign":"<redacted>","a":1}'],
    ['{"authorization":{"a":{"b":"}"},"c":[1]},"d":1}', '{"authorization":"<redacted>","d":1}'],
    ['{"sign":["canary",{"sign":"x"}]}', '{"sign":"<redacted>"}'],
    ['{"download_url":{"a":"canary"}}', '{"download_url":"<redacted>"}'],
    ['{"download_url":"https://h/p?canary', '{"download_url":"https://h/p?<redacted>'],
    [
      String.raw`{"download_url":"https://h/p\u003fcanary\u00`,
      '{"download_url":"https://h/p?<redacted>',
    ],
    // Any escaping.
    [
      String.raw`{"download_url":"https://h/p\u003fcanary"}`,
      '{"download_url":"https://h/p?<redacted>"}',
    ],
    [String.raw`{"download_url":"https:\/\/u:canary@h\/p"}`, '{"download_url":"https://h/p"}'],
    [String.raw`{"authorizatio\u006e":"canary"}`, String.raw`{"authorizatio\u006e":"<redacted>"}`],
    // Not a URL, so it may be a secret.
    ['{"download_url":"h/x?sig=canary"}', '{"download_url":"<redacted>"}'],
    ['{"download_url":"canary"}', '{"download_url":"<redacted>"}'],
    ['{"download_url":""}', '{"download_url":""}'],
    // JSON in a string.
    [
      String.raw`{"data":"{\"download_url\":\"https://h/x?sig=canary\",\"authorization\":\"canary\"}","a":1}`,
      String.raw`{"data":"{\"download_url\":\"https://h/x?<redacted>\",\"authorization\":\"<redacted>\"}","a":1}`,
    ],
    [String.raw`["\n [{\"sign\":\"canary\"}]"]`, String.raw`["\n [{\"sign\":\"<redacted>\"}]"]`],
    [
      String.raw`{"a":"{\"b\":\"{\\\"sign\\\":\\\"canary\\\"}\"}"}`,
      String.raw`{"a":"{\"b\":\"{\\\"sign\\\":\\\"<redacted>\\\"}\"}"}`,
    ],
    [
      String.raw`{"data":"{\"authorization\":\"canary\u00`,
      String.raw`{"data":"{\"authorization\":\"<redacted>`,
    ],
    ['{"data":"{\n\\"sign\\":\\"canary\\"}"}', '{"data":"{\n\\"sign\\":\\"<redacted>\\"}"}'],
    [String.raw`{"data":"{\"a\":1}"}`, String.raw`{"data":"{\"a\":1}"}`],
    // Other notations.
    ['<authorization>canary</authorization>', '<authorization><redacted></authorization>'],
    ['<b sign="canary"/>', '<b sign="<redacted>"/>'],
    ['<a:sign x="1"><![CDATA[canary]]></a:sign>', '<a:sign x="1"><![CDATA[<redacted>]]></a:sign>'],
    ['<td>Authorization</td> <td>canary</td>', '<td>Authorization</td> <td><redacted></td>'],
    ['cb({authorization:"canary"})', 'cb({authorization:"<redacted>"})'],
    ["{'sign': 'can\\'ary'}", "{'sign': '<redacted>'}"],
    ['a=1&sign=canary&b=2', 'a=1&sign=<redacted>&b=2'],
    ['a%3D1%26sign%3Dcanary%26b%3D2', 'a%3D1%26sign%3D<redacted>%26b%3D2'],
    ['Authorization: Bearer canary\r\nA: b', 'Authorization: <redacted>\r\nA: b'],
    ['api_secret=trueblue-31415926535', 'api_secret=<redacted>'],
    ['{&quot;sign&quot;:&quot;canary&quot;,', '{&quot;sign&quot;:&quot;<redacted>&quot;,'],
    ['{"\0s\0i\0g\0n":\0"canary"}', '{"\0s\0i\0g\0n":\0"<redacted>"}'],
    // Not secrets.
    ['the sign is wrong, authorization required', 'the sign is wrong, authorization required'],
    ['{"signature":"a","design":"b","sign":null}', '{"signature":"a","design":"b","sign":null}'],
    ['not JSON', 'not JSON'],
  ])('shows %s as %s', (text, shown) => {
    expect(redactFields(text)).toBe(shown);
  });
});

it('hides values of any length', () => {
  const long = 'x'.repeat(20_000_000);
  expect(redactFields(`{"sign":"${long}"}`)).toBe('{"sign":"<redacted>"}');
  expect(redactFields(`{"download_url":"https://h/?${long}"`)).toHaveLength(39);
  expect(redactFields(`authorization=${'S3cr'.repeat(40_000)} end`)).toBe(
    'authorization=<redacted> end',
  );
});

it.each([`sign ${'a'.repeat(99)}`, 'sign ', 'sign=\\"', 'sign<a>', 'authorization="', 'sign:{['])(
  'ends for a million characters of %j',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redactFields(text).length).toBeLessThanOrEqual(4 * text.length);
  },
);

describe('redactValues', () => {
  it.each<[text: string, values: string[], shown: string]>([
    ['a canary, a canary', ['canary'], 'a <redacted>, a <redacted>'],
    [String.raw`{"m":"say \"canary\""}`, ['say "canary"'], String.raw`{"m":"<redacted>\""}`],
    ['?s=can%20ary%2F', ['can ary/'], '?s=<redacted>'],
    ['plain', ['', 'other'], 'plain'],
    ['$& stays', ['x'], '$& stays'],
    ['abcdefg abcd', ['abcd', 'abcdefg'], '<redacted> <redacted>'],
    ['half \ud800 of a pair', ['half \ud800'], '<redacted> of a pair'],
  ])('redacts %j and %j: %j', (text, values, shown) => {
    expect(redactValues(text, values)).toBe(shown);
  });
});
