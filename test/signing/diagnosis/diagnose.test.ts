import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { variantsFor } from '../../../src/signing/diagnosis/attempts.ts';
import {
  EFFORTS,
  runSearch,
  type SearchResult,
  searchMistakes,
} from '../../../src/signing/diagnosis/diagnose.ts';
import {
  DIAGNOSIS_IDS,
  type DiagnosisId,
  type Evidence,
  RARE,
} from '../../../src/signing/diagnosis/mistake.ts';
import type { Signer } from '../../../src/signing/diagnosis/signer.ts';
import { checkRows } from '../../support/rows.ts';
import { credentials } from '../helpers.ts';
import {
  bareRequest,
  bodyRequest,
  caseOf,
  headerRequest,
  idsOf,
  OTHERS,
  RICH_BODY,
  RICH_HEADERS,
  rowsOfText,
  search,
  variantOf,
} from './support.ts';

const { secret } = credentials;

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex').toUpperCase();
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}

describe('one mistake', () => {
  it('is the first in the order of the contract, if several explain the signature', () => {
    const request = bareRequest('{"a":"","b":false,"c":"x"}');
    const cases: readonly (readonly [string, DiagnosisId, readonly DiagnosisId[]])[] = [
      [`b=false&c=x${secret}`, 'empty-dropped', ['field-missing']],
      [`a=&c=x${secret}`, 'field-missing', []],
      [`a=&b=false&c=x&key=${secret}`, 'secret-joined', ['secret-sorted-in']],
    ];
    for (const [message, id, alternatives] of cases) {
      const found = search(request, md5(message));
      expect([idsOf(found), found.alternatives]).toEqual([[id], alternatives]);
    }
  });

  it('is a common one rather than a rare one, if both explain the signature', () => {
    const { evidence } = caseOf(bareRequest('{"a":0}'));
    expect(DIAGNOSIS_IDS.indexOf('empty-dropped')).toBeLessThan(
      DIAGNOSIS_IDS.indexOf('field-missing'),
    );
    expect(variantOf('empty-dropped', 'fields that are zero were left out', evidence).cost).toBe(
      RARE,
    );
    const found = search(bareRequest('{"a":0}'), md5(secret));
    // Falsy values of JavaScript are not rare.
    expect(found.diagnosis.map(({ title }) => title)).toEqual([
      'fields that JavaScript treats as false were left out',
    ]);
  });
});

describe('the fewest mistakes', () => {
  const request = bareRequest('{"b":"x y","a":"","n":null,"o":{"k":"中"}}');

  it.each<[string, readonly DiagnosisId[]]>([
    [`b=x y&o={"k":"中"}${secret}`, ['empty-dropped']],
    [`b=x y&o={"k": "中"}${secret}`, ['empty-dropped', 'nested-spacing']],
    [
      `b=x%20y&a=&o=%7B%22k%22%3A%22%E4%B8%AD%22%7D${secret}`,
      ['sort-unsorted', 'value-url-encoded'],
    ],
    [`a=&b=x y&n=null&o={"k":"中"}&key=${secret}`, ['secret-joined', 'null-included']],
    [`a=&b=x y&o={"k": "\\u4e2d"}${secret}`, ['nested-spacing', 'nested-escaped-unicode']],
    [`a=&b=x y&o[k]=中another secret`, ['secret-other-profile', 'nested-flattened']],
    // Three unsigned fields are more than a combination of two single fields.
    [secret, ['field-missing']],
  ])('of %s are %j', (message, ids) => {
    const found = search(request, md5(message));
    expect(idsOf(found)).toEqual(ids);
    expect(found.signer?.signature).toBe(md5(message));
    expect(found.complete).toBe(true);
  });

  it('need no more candidates for a signature in lower case', () => {
    const message = `b=x y&o={"k": "中"}${secret}`;
    const upper = search(request, md5(message));
    const lower = search(request, md5(message).toLowerCase());
    expect(idsOf(lower)).toEqual(['empty-dropped', 'hex-lowercase', 'nested-spacing']);
    expect(lower.candidates).toBe(upper.candidates);
  });

  it('are tried first: one mistake, then two, then sets of fields', () => {
    const wide = bareRequest('{"a":"1","b":"2","c":"3 4","d":"5","e":"6"}');
    const tried = [
      `a=1&b=2&c=3+4&d=5&e=6${secret}`,
      `a=1&b=2&c=3+4&d=5&e=6&key=${secret}`,
      `a=1&e=6${secret}`,
      `nothing of the kind${secret}`,
    ].map((message) => search(wide, md5(message)).candidates);
    expect(tried).toEqual(tried.toSorted((a, b) => a - b));
    expect(new Set(tried).size).toBe(tried.length);
  });

  it('include the habits of a language, found before combinations of two', () => {
    const json =
      '{"gone":null,"memo":"","paid":true,"lat":30.1,"stops":[{"name":"西湖","n":[1,2]}],"a":"x"}';
    const stops = String.raw`[{"name": "\u897f\u6e56", "n": [1, 2]}]`;
    const dumps = `a=x&gone=None&lat=30.1&memo=&paid=True&stops=${stops}`;
    const found = search(bareRequest(json), md5(dumps + secret), EFFORTS.low);
    expect(idsOf(found)).toEqual([
      'null-included',
      'boolean-reformatted',
      'nested-spacing',
      'nested-escaped-unicode',
    ]);
  });

  it('are the most plausible explanation', () =>
    checkRows(
      rowsOfText(`
        {"gone":null,"agree":false,"level":0,"vip":true} | agree=&gone=&level=&vip=true | null-included number-reformatted boolean-reformatted
        {"agree":false,"vip":true} | agree=&vip=true | boolean-reformatted
        {"a":"x","zone":"1"} | a=x&zone= | pairs-joined
        {"a":"x","price":"10.50"} | a=x&price=10.5 | value-reformatted
        {"a":"x","updated":"2026-11-23T10:00:00Z"} | a=x&updated=2026-11-23T10:00:00 | value-reformatted
        {"a":"x","b":"y","zone":"1"} | a=x&b=y& | secret-joined field-missing
        {"a":"X","b":"y"} | a=x&b=y | value-reformatted
      `),
      ([json = '', canonical, ids = '']) => {
        expect(idsOf(search(bareRequest(json), md5(canonical + secret)))).toEqual(ids.split(' '));
      },
    ));

  it('include the habits of each language', () => {
    const json =
      '{"gone":null,"paid":true,"lat":30.25,"at":"a/西","stops":[{"name":"西湖/a","ok":false}],"a":"x"}';
    return checkRows(
      // json.dumps and json_encode of all values except strings, of everything, and of nested JSON.
      rowsOfText(String.raw`
        a=x&at=a/西&gone=null&lat=30.25&paid=true&stops=[{"name": "\u897f\u6e56/a", "ok": false}] | null-included nested-spacing nested-escaped-unicode
        a="x"&at="a/\u897f"&gone=null&lat=30.25&paid=true&stops=[{"name": "\u897f\u6e56/a", "ok": false}] | null-included nested-spacing nested-escaped-unicode string-quoted
        a=x&at=a/西&gone=null&lat=30.25&paid=true&stops=[{"name":"\u897f\u6e56\/a","ok":false}] | null-included nested-escaped-unicode nested-escaped-slash
        a="x"&at="a\/\u897f"&gone=null&lat=30.25&paid=true&stops=[{"name":"\u897f\u6e56\/a","ok":false}] | null-included nested-escaped-unicode nested-escaped-slash string-quoted
        a=x&at=a/西&gone=&lat=30.25&paid=1&stops=[{"name":"西湖\/a","ok":false}] | null-included boolean-reformatted nested-escaped-slash
        a=x&at=a/西&gone=&lat=30.25&paid=1&stops=[{"name":"\u897f\u6e56/a","ok":false}] | null-included boolean-reformatted nested-escaped-unicode
        a=x&at=a/西&gone=None&lat=30.25&paid=True&stops=[{"name": "西湖/a", "ok": false}] | null-included boolean-reformatted nested-spacing
        a=x&at=a/西&gone=None&lat=30.25&paid=True&stops=[{"name":"\u897f\u6e56/a","ok":false}] | null-included boolean-reformatted nested-escaped-unicode
        a=x&at=a/西&gone=&lat=30.25&paid=true&stops=[{"name"=>"西湖/a", "ok"=>false}] | null-included nested-flattened
        a=x&at=a/西&gone=%!s(<nil>)&lat=%!s(float64=30.25)&paid=%!s(bool=true)&stops=[map[name:西湖/a ok:%!s(bool=false)]] | null-included number-reformatted boolean-reformatted nested-flattened
        a=x&at=a%2F%E8%A5%BF&gone=&lat=30.25&paid=true&stops= | null-included nested-flattened value-url-encoded
        a=Optional[x]&at=Optional[a/西]&gone=Optional.empty&lat=Optional[30.25]&paid=Optional[true]&stops=[{"name":"西湖/a","ok":false}] | null-included number-reformatted boolean-reformatted value-reformatted
      `),
      ([canonical, ids = '']) => {
        const found = idsOf(search(bareRequest(json), md5(canonical + secret)));
        expect(found.toSorted()).toEqual(ids.split(' ').toSorted());
      },
    );
  });

  it('include every set of missing fields of a small request', () => {
    const names = ['a', 'b', 'c', 'd'];
    const request = bareRequest('{"a":"1","b":"1","c":"1","d":"1"}');
    for (let set = 0; set < 2 ** names.length - 1; set++) {
      const kept = names.filter((_, index) => set & (1 << index));
      const message = kept.map((name) => `${name}=1`).join('&') + secret;
      const { diagnosis } = search(request, md5(message));
      expect(diagnosis).toMatchObject([
        { id: 'field-missing', fields: names.filter((name) => !kept.includes(name)) },
      ]);
    }
  });
});

describe('a mistake in some of the fields', () => {
  const numbers = (count: number): string =>
    JSON.stringify(Object.fromEntries(range(count).map((at) => [`f${at}`, at + 10])));
  const signed = (count: number, texts: Readonly<Record<string, string>>): string =>
    range(count)
      .map((at) => [`f${at}`, String(at + 10)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => `${name}=${texts[name] ?? text}`)
      .join('&');

  it('names one field of twenty, with its values', () => {
    const found = search(bareRequest(numbers(20)), md5(signed(20, { f7: '17.0' }) + secret));
    expect(found.diagnosis).toEqual([
      {
        id: 'number-reformatted',
        title: expect.stringMatching(/in f7 alone: f7=17\.0 instead of f7=17$/),
        fields: ['f7'],
        fix: 'sign f7 with the characters that are sent: 17; Java: read BigDecimal and sign toPlainString()',
      },
    ]);
  });

  it('names two fields of ten that were changed in different ways', () => {
    const texts = { f2: '12.0', f8: '"18"' };
    const found = search(bareRequest(numbers(10)), md5(signed(10, texts) + secret));
    expect(found.diagnosis).toMatchObject([{ id: 'number-reformatted', fields: ['f2', 'f8'] }]);
  });

  it.each([
    ['one list of two', '{"a":["x","y"],"b":["z","w"]}', 'a=["x", "y"]&b=["z","w"]', ['a']],
    [
      'lists beside an object',
      '{"a":["x","y"],"b":{"z":1,"w":2}}',
      'a=["x", "y"]&b={"z":1,"w":2}',
      ['a'],
    ],
    ['all', '{"a":["x","y"],"b":{"z":1}}', 'a=["x", "y"]&b={"z": 1}', ['a', 'b']],
  ])('names json.dumps before rarer printers that print %s alike', (_, json, text, fields) => {
    const found = search(bareRequest(json), md5(text + secret));
    expect(found.diagnosis).toMatchObject([
      { id: 'nested-spacing', title: expect.stringContaining('json.dumps'), fields },
    ]);
  });

  it('names the zone only for the dates that it moves', () =>
    checkRows(
      rowsOfText(`
        2025-03-01 20:00:00 | 20250301 | 20250302 | as yyyyMMdd, and till 8 hours later:
        2025-03-01T20:00:00Z | 20250301 | 20250302 | as yyyyMMdd, and till in UTC+8:
        2025-03-01 20:00:00 | 20250301 | 20250301 | as yyyyMMdd:
        20250302 | 20250301 | 20250302 | as yyyyMMdd:
        2025-03-01T20:00:00Z | 20250301 | 2025-03-01T20:00:00Z | as yyyyMMdd, in date alone:
        2025-03-02 | 2025-03-01T08:00:00 | 2025-03-02T08:00:00 | as yyyy-MM-ddTHH:mm:ss, 8 hours later:
      `),
      ([till, date, signed, title]) => {
        const request = bareRequest(JSON.stringify({ date: '2025-03-01', till }));
        const found = search(request, md5(`date=${date}&till=${signed}${secret}`));
        const expected = `dates were signed ${title} date=${date} instead of date=2025-03-01`;
        expect(found.diagnosis).toMatchObject([{ id: 'value-reformatted', title: expected }]);
      },
    ));

  it.each<[DiagnosisId, string, string]>([
    ['nested-flattened', 'a={"k":1,"l":2}&b=["x","y"]', `a={'k': 1, 'l': 2}&b=x,y`],
    ['value-reformatted', 'a=2025-03-01&b= x ', 'a=20250301&b=x'],
    ['boolean-reformatted', 'a=true&b=false', 'a=True&b=0'],
  ])('names two fields with different mistakes of one kind: %s', (id, right, signed) => {
    const json = right.replace(/(\w)=([^&]*)/g, (_, name, text) =>
      /^[{[tf]/.test(text) ? `"${name}":${text}` : `"${name}":"${text}"`,
    );
    const found = search(bareRequest(`{${json.replace('&', ',')}}`), md5(signed + secret));
    expect(found.diagnosis).toMatchObject([{ id, fields: ['a', 'b'] }]);
  });
});

describe('the secret as the last of the joined texts', () => {
  it.each<[DiagnosisId, string]>([
    ['pairs-joined', `a=x:b=c:${secret}`],
    ['values-only', `x|c|${secret}`],
    ['values-only', `c|x|${secret}`],
    ['values-only', `c,x,${secret}`],
  ])('is explained by secret-joined and %s: %s', (id, text) => {
    expect(idsOf(search(bareRequest('{"a":"x","b":"c"}'), md5(text)))).toEqual([
      'secret-joined',
      id,
    ]);
  });
});

it('two fields that were generated again are found together', () => {
  const request = bodyRequest('{"a":"x"}');
  const { right, evidence } = caseOf(request);
  const names = evidence.fields.map(({ name }) => name).filter((name) => /seq_id|time/.test(name));
  const canonical = right.canonical
    .replace(/(?<=timestamp=)\d+/, (seconds) => String(Number(seconds) - 1))
    .replace(/(?<=seq_id=)[^&]*/, '');
  const found = search(request, md5(canonical + secret));
  expect(found.diagnosis).toMatchObject([{ id: 'fields-stale', fields: names }]);
});

describe('the fields of a mistake', () => {
  it('are listed in the order of the request', () => {
    const request = bareRequest('{"z":"é","a":"x","m":["é"],"é":1,"sorted":1.0,"b":2.0}');
    const gbk = Buffer.concat([
      Buffer.from('a=x&b=2.0&m=["'),
      Buffer.from([0xa8, 0xa6]),
      Buffer.from('"]&sorted=1.0&z='),
      Buffer.from([0xa8, 0xa6]),
      Buffer.from('&'),
      Buffer.from([0xa8, 0xa6]),
      Buffer.from(`=1${secret}`),
    ]);
    const signature = createHash('md5').update(gbk).digest('hex').toUpperCase();
    expect(search(request, signature).diagnosis).toMatchObject([
      { id: 'charset-gbk', fields: ['z', 'm', 'é'] },
    ]);
    const numbers = `a=x&b=2&m=["é"]&sorted=1&z=é&é=1${secret}`;
    expect(search(request, md5(numbers)).diagnosis).toMatchObject([
      { id: 'number-reformatted', fields: ['sorted', 'b'] },
    ]);
  });

  it('are empty for the order, the secret and the digest', () => {
    const request = bareRequest('{"b":"x","a":"y"}');
    for (const message of [`b=x&a=y${secret}`, `a=y&b=x&key=${secret}`, 'a=y&b=xanother secret']) {
      expect(search(request, md5(message)).diagnosis).toMatchObject([{ fields: [] }]);
    }
  });

  it('are separate for two mistakes', () => {
    const request = bareRequest('{"b":"","a":1.50,"c":true}');
    expect(search(request, md5(`a=1.5&c=true${secret}`)).diagnosis).toMatchObject([
      { id: 'empty-dropped', fields: ['b'] },
      { id: 'number-reformatted', fields: ['a'] },
    ]);
  });
});

describe('the extent of a search', () => {
  it('is incomplete when it ends early', () => {
    const { complete, candidates, diagnosis, signer } = search(RICH_BODY, md5('nobody'), 200_000);
    expect({ complete, diagnosis, signer }).toEqual({
      complete: false,
      diagnosis: [],
      signer: undefined,
    });
    expect(candidates).toBeGreaterThan(20);
    expect(candidates).toBeLessThan(400);
  });

  it('is complete when every signer was tried', () => {
    const found = search(bareRequest('{"a":"1","b":2}'), md5('nobody'));
    expect(found).toMatchObject({ complete: true, diagnosis: [], alternatives: [] });
  });

  it('is incomplete when the values of a large request were not examined', () => {
    const large = bareRequest(`{"a":"${'x'.repeat(100_000)}","b":1.0}`);
    const found = search(large, md5('nobody'));
    expect(found.complete).toBe(false);
    expect(found.candidates).toBeGreaterThan(50);
  });

  it('is reported often for a large request, whose signers take long', () => {
    const large = bareRequest(`{"a":"${'x'.repeat(1_000_000)}"}`);
    const { evidence, right } = caseOf(large, md5('nobody'), OTHERS);
    const reports = [...searchMistakes(right, evidence, EFFORTS.low)];
    expect(reports.length).toBeGreaterThan(5);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  });

  it('depends only on the request', () => {
    const again = (): Omit<SearchResult, 'signer'> => {
      const { signer, ...rest } = search(RICH_HEADERS, md5('nobody'), 1_000_000);
      expect(signer).toBeUndefined();
      return rest;
    };
    expect(again()).toEqual(again());
  });

  it('does not depend on earlier searches with the same signer', () => {
    const { evidence, right } = caseOf(RICH_BODY, md5('nobody'), OTHERS);
    const run = (from: Signer, of: Evidence): number =>
      runSearch(searchMistakes(from, of, 500_000)).candidates;
    expect(run(right, evidence)).toBe(run(right, evidence));
    expect(right.signature).toBe(caseOf(RICH_BODY).right.signature);
  });

  it('is short for a request with little to vary', () => {
    const nothing = search(bareRequest('{}'), md5('nobody'));
    const little = search(bareRequest('{"a":"x"}'), md5('nobody'));
    expect(nothing.candidates).toBeLessThanOrEqual(little.candidates);
    expect(little.candidates).toBeLessThan(10_000);
  });
});

describe('headers', () => {
  it('are distinguished from fields when both are missing', () => {
    const request = headerRequest('{"a":"1","b":"2","c":"3"}', { timestamp: '1', seqId: 's' });
    const kept = `X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Sign-Ver=2.0&b=2${secret}`;
    expect(search(request, md5(kept)).diagnosis).toMatchObject([
      { id: 'field-missing', fields: ['a', 'c'] },
      { id: 'header-unsigned', fields: ['X-TMS-Timestamp', 'X-TMS-Seq-Id'] },
    ]);
  });
});

it('a "+" that was signed as a space is a change of the value', () => {
  const found = search(bareRequest('{"a":"x+y","b":"z"}'), md5(`a=x y&b=z${secret}`));
  expect(idsOf(found)).toEqual(['value-reformatted']);
});

it('the fix names the pairs of fields that were left out', () => {
  const found = search(bareRequest('{"bill_type":0,"a":"x"}'), md5(`a=x${secret}`));
  expect(found.diagnosis).toMatchObject([
    { id: 'empty-dropped', fix: expect.stringMatching(/: bill_type=0$/) },
  ]);
});

it('thousands of fields have few variants', () => {
  const fields = Array.from({ length: 3000 }, (_, index) => [`field ${index}`, index * 1.1]);
  const request = bareRequest(JSON.stringify(Object.fromEntries(fields)));
  const { evidence } = caseOf(request, md5('nobody'));
  expect(variantsFor(evidence, false).length).toBeLessThan(12_000);
  const { diagnosis, complete, candidates } = search(request, md5('nobody'), EFFORTS.low);
  expect({ diagnosis, complete }).toEqual({ diagnosis: [], complete: false });
  expect(candidates).toBeLessThan(1000);
});

it('random signatures of small requests have no diagnosis', () => {
  for (const seed of [1, 2]) {
    const request = bareRequest(`{"a":"x ${seed}","b":${seed}.50,"c":[true]}`);
    expect(search(request, md5(`random ${seed}`), EFFORTS.low).diagnosis).toEqual([]);
  }
});
