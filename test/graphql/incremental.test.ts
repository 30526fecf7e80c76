import { describe, expect, it } from 'vitest';
import { mergedResults, onlyResult, partsOfOne } from '../../src/graphql/incremental.ts';
import { asResponse, type GraphqlResponse } from '../../src/graphql/response.ts';
import { parseJson } from '../../src/json/parse.ts';
import { checkRows } from '../support/rows.ts';
import { failureOf, printed, untilFailure } from './support.ts';

const ASKED = { url: new URL('https://h.example/graphql'), secrets: ['canary'] };

async function* responses(parts: readonly string[]): AsyncGenerator<GraphqlResponse> {
  for (const part of parts) {
    yield asResponse(parseJson(part)) ?? expect.fail(`${part} is neither a response nor a part`);
  }
}

const merged = (parts: readonly string[]) => mergedResults(responses(parts), ASKED);

/** Payloads of graphql-js 17.1. */
const GRAPHQL_17 = [
  '{"data":{"hello":"w","slow":{"id":"1"},"list":[{"id":"1"},{"id":"2"}],"nums":["n0"]},"pending":[{"id":"0","path":["slow"],"label":"L"},{"id":"1","path":["slow"],"label":"M"},{"id":"2","path":["list",0]},{"id":"3","path":["list",1]},{"id":"4","path":["nums"],"label":"S"}],"hasNext":true}',
  '{"hasNext":true,"incremental":[{"id":"4","items":["n1"]}]}',
  '{"hasNext":true,"incremental":[{"id":"4","items":["n2"]}],"completed":[{"id":"4"}]}',
  '{"hasNext":true,"completed":[{"id":"0","errors":[{"message":"must broke","path":["slow","must"]}]}]}',
  '{"hasNext":true,"incremental":[{"id":"1","data":{"a":"A"}}],"completed":[{"id":"1"}]}',
  '{"hasNext":true,"pending":[{"id":"5","path":["list",0,"nested"]}],"incremental":[{"id":"2","data":{"a":"A","nested":[]}}],"completed":[{"id":"2"}]}',
  '{"hasNext":true,"incremental":[{"id":"5","items":["x"]}]}',
  '{"hasNext":true,"incremental":[{"id":"3","data":{"a":"B"}}],"completed":[{"id":"3"}]}',
  '{"hasNext":false,"incremental":[{"id":"5","items":["y"]}],"completed":[{"id":"5"}]}',
];

const MERGES: readonly (readonly [name: string, parts: readonly string[], result: string])[] = [
  [
    'a whole result',
    ['{"data":{"a":1.0},"extensions":{"n":-0}}'],
    '{"data":{"a":1.0},"extensions":{"n":-0}}',
  ],
  ['one part', ['{"data":{"a":1},"hasNext":false}'], '{"data":{"a":1}}'],
  [
    'a last part without content',
    ['{"data":{"a":1},"hasNext":true}', '{"hasNext":false}'],
    '{"data":{"a":1}}',
  ],
  [
    'graphql-js 17',
    GRAPHQL_17,
    '{"data":{"hello":"w","slow":{"id":"1","a":"A"},"list":[{"id":"1","a":"A","nested":["x","y"]},{"id":"2","a":"B"}],"nums":["n0","n1","n2"]},"errors":[{"message":"must broke","path":["slow","must"]}]}',
  ],
  [
    'graphql-js 17, with a subPath',
    [
      '{"data":{"a":{"b":[{"c":{}}]}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}',
      '{"incremental":[{"id":"0","subPath":["b",0,"c"],"data":{"d":1e2}}],"completed":[{"id":"0"}],"hasNext":false}',
    ],
    '{"data":{"a":{"b":[{"c":{"d":1e2}}]}}}',
  ],
  [
    'Apollo Server (20220824)',
    [
      '{"hasNext":true,"errors":[{"message":"1"}],"data":{"a":{"x":1.0},"l":[{"i":0}]}}',
      '{"hasNext":true,"incremental":[{"path":["l",1],"items":[{"i":12345678901234567890},{"i":2}]},{"path":["l",3],"items":null,"errors":[{"message":"2"}]}]}',
      '{"hasNext":true,"incremental":[{"path":["l",0],"label":"L","data":{"j":-0}},{"path":["a"],"data":null,"errors":[{"message":"3"}]}]}',
      '{"hasNext":false,"incremental":[{"path":[],"data":{"late":true,"a":{"y":[1]}},"extensions":{"cost":{"b":2}}}],"extensions":{"cost":{"a":1}}}',
    ],
    '{"errors":[{"message":"1"},{"message":"2"},{"message":"3"}],"data":{"a":{"x":1.0,"y":[1]},"l":[{"i":0,"j":-0},{"i":12345678901234567890},{"i":2}],"late":true},"extensions":{"cost":{"a":1,"b":2}}}',
  ],
  [
    'a list that another fragment selects too (20220824)',
    [
      '{"data":{"l":[{"a":1},{"a":2}]},"hasNext":true}',
      '{"incremental":[{"path":[],"data":{"l":[{"b":1},{"b":2}]}}],"hasNext":false}',
    ],
    '{"data":{"l":[{"a":1,"b":1},{"a":2,"b":2}]}}',
  ],
  [
    'names of inherited properties',
    [
      '{"data":{"__proto__":{}},"hasNext":true}',
      '{"incremental":[{"path":["__proto__"],"data":{"constructor":1}}],"hasNext":false}',
    ],
    '{"data":{"__proto__":{"constructor":1}}}',
  ],
];

describe('merged results', () => {
  it('contain all parts, with their digits', () =>
    checkRows(MERGES, async ([_, parts, result]) => {
      expect(await printed(merged(parts))).toEqual([result]);
    }));

  it('have the errors of all parts', async () => {
    const { errors, data } = await onlyResult(merged(GRAPHQL_17));
    expect([errors, data?.kind]).toEqual([
      [{ message: 'must broke', path: 'slow.must', locations: [] }],
      'object',
    ]);
  });

  it('follow each other', async () => {
    const parts = MERGES.flatMap(([, parts]) => parts);
    expect(await printed(merged(parts))).toEqual(MERGES.map(([, , result]) => result));
  });
});

describe('parts', () => {
  const FIRST =
    '{"data":{"a":{},"l":[0],"n":null},"pending":[{"id":"0","path":["a"]}],"hasNext":true}';

  it('that do not fit the result are an error', () =>
    checkRows(
      [
        '{"incremental":[{"path":["b"],"data":{"c":1}}],"hasNext":false}',
        '{"incremental":[{"path":["n"],"data":{"c":1}}],"hasNext":false}',
        '{"incremental":[{"path":["a"],"data":1}],"hasNext":false}',
        '{"incremental":[{"path":["a","b"],"data":{"c":1}}],"hasNext":false}',
        '{"incremental":[{"path":["l",3],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":["l",4294967295],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":["l",-1],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":["l",1.5],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":["l"],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":[],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"path":["a",0],"items":[1]}],"hasNext":false}',
        '{"incremental":[{"data":{"c":1}}],"hasNext":false}',
        '{"incremental":[{"id":"1","data":{"c":1}}],"hasNext":false}',
        '{"incremental":[{"id":"0","items":[1]}],"hasNext":false}',
        '{"incremental":["x"],"hasNext":false}',
        '{"incremental":[{"path":["l",1],"items":null}],"hasNext":false}',
        '{"incremental":[{"path":["a"],"data":null}],"hasNext":false}',
        '{"path":[],"data":{"b":1},"hasNext":false}',
        '{"path":["l",1],"items":[1],"label":"L","hasNext":false}',
        '{"data":{"b":1}}',
        '{"completed":[{"id":"7"}],"hasNext":false}',
        '{"pending":[{"id":"7"}],"hasNext":false}',
      ],
      async (part) => {
        const { code, message } = await failureOf(() => printed(merged([FIRST, part])));
        expect([code, message]).toEqual([
          'api',
          expect.stringContaining('does not fit the result'),
        ]);
      },
    ));

  it('without a first one are an error without secrets', async () => {
    const { code, message } = await failureOf(() =>
      printed(merged(['{"hasNext":true,"x":"canary"}'])),
    );
    expect([code, message]).toEqual(['api', expect.stringContaining('does not fit')]);
    expect(message).not.toContain('canary');
  });

  it('that are missing at the end are an error', () =>
    checkRows(
      [
        [FIRST],
        ['{"data":{"a":1},"hasNext":true}', '{"incremental":[],"hasNext":true}'],
        // Announced but never completed.
        [FIRST, '{"hasNext":false}'],
      ],
      async (parts) => {
        const { came, error } = await untilFailure(merged(parts));
        expect([came, error.code, error.message]).toEqual([
          [],
          'api',
          'h.example announced more parts of the result, but did not send them',
        ]);
      },
    ));

  it('of one result end with the last', async () => {
    expect(await printed(partsOfOne(responses([...GRAPHQL_17, '{"data":{}}']), ASKED))).toEqual(
      GRAPHQL_17,
    );
    const { came, error } = await untilFailure(
      partsOfOne(responses(GRAPHQL_17.slice(0, 3)), ASKED),
    );
    expect([came.length, error.code]).toEqual([3, 'api']);
    const none = await untilFailure(partsOfOne(responses([]), ASKED));
    expect(none.error.message).toContain('without a result');
  });
});
