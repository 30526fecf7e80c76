import { describe, expect, onTestFinished, test } from 'vitest';
import { Transport } from '../../../src/http/transport.ts';
import type { LogEntry } from '../../../src/server/log-entry.ts';
import { completion, modelServer, VERDICT } from '../../detection/engine/model-server.ts';
import { start } from '../support.ts';
import { BAD_INPUT, data, failure, post, resultOf } from './support.ts';

const RISKY = 'You only need me. The bus leaves at ten.';
const DETECT = `mutation ($text: String!) {
  detect(text: $text) {
    __typename id text level score hits { rule level matchedText } safeRewrite
  }
}`;
const BOOK = `mutation ($input: BookingInput!) {
  bookRide(input: $input) { __typename id city carType passengers stops step }
}`;

describe('detect', () => {
  test('judges a text and remembers the result', async () => {
    const sandbox = await start();
    const { detect } = await data(sandbox, DETECT, { text: RISKY });
    expect(detect).toEqual({
      __typename: 'Detection',
      id: expect.any(String),
      text: RISKY,
      level: 'HIGH',
      score: expect.any(Number),
      hits: [
        { rule: expect.stringMatching(/^[A-Z]/), level: 'HIGH', matchedText: 'You only need me' },
      ],
      safeRewrite: expect.stringMatching(/^I am glad .* The bus leaves at ten\.$/),
    });
    const { detect: harmless } = await data(sandbox, DETECT, { text: 'The bus leaves at ten.' });
    expect(harmless).toMatchObject({ level: 'NONE', score: 0, hits: [] });

    const ids = async (query: string): Promise<string[]> =>
      (await data(sandbox, query)).detections.map(({ id }: { id: string }) => id);
    expect(await ids('{ detections { id } }')).toEqual([harmless.id, detect.id]);
    expect(await ids('{ detections(atLeast: HIGH) { id } }')).toEqual([detect.id]);
    expect(await ids('{ detections(atLeast: CRITICAL) { id } }')).toEqual([]);
  });

  test('forgets the oldest of more than 1000', async () => {
    const sandbox = await start();
    const detectAll = (from: number, to: number) => {
      const fields = Array.from(
        { length: to - from },
        (_, index) => `t${from + index}: detect(text: "${from + index}") { id }`,
      );
      return data(sandbox, `mutation { ${fields.join(' ')} }`);
    };
    const made = await detectAll(0, 500);
    await detectAll(500, 1001);
    const { detections } = await data(sandbox, '{ detections { text } }');
    expect(detections).toHaveLength(1000);
    expect([detections[0], detections.at(-1)]).toEqual([{ text: '1000' }, { text: '1' }]);
    const query = 'query ($id: ID!) { node(id: $id) { id } }';
    expect(await data(sandbox, query, { id: made.t0.id })).toEqual({ node: null });
  });

  test('returns rule names in the language of the client', async () => {
    const headers = { 'Accept-Language': 'zh-CN,zh;q=0.9' };
    const reply = await post(await start(), DETECT, { text: RISKY }, headers);
    expect(resultOf(reply).data.detect.hits).toMatchObject([
      { rule: expect.stringMatching(/[\u4e00-\u9fff]/) },
    ]);
  });

  test('calls the model too', async () => {
    const { url } = await modelServer(completion(JSON.stringify(VERDICT)));
    const transport = new Transport();
    onTestFinished(() => transport.close());
    const sandbox = await start({ model: { baseUrl: url, model: 'judge', transport } });
    expect(await data(sandbox, DETECT, { text: 'The sky is blue.' })).toMatchObject({
      detect: { level: 'HIGH', score: 72, hits: [] },
    });
  });

  test.each([
    ['', 'text is empty'],
    [' \n', 'text is empty'],
    ['x'.repeat(100_001), 'text has more than 100000 characters'],
    ['😀'.repeat(100_001), 'text has more than 100000 characters'],
  ])('refuses the text %#', async (text, message) => {
    const sandbox = await start();
    expect(await failure(sandbox, DETECT, { text })).toEqual({ message, code: BAD_INPUT });
    expect(await data(sandbox, '{ detections { id } }')).toEqual({ detections: [] });
  });

  test('takes a text of 100,000 characters', async () => {
    const text = '😀'.repeat(100_000);
    expect(await data(await start(), DETECT, { text })).toMatchObject({ detect: { text } });
  });
});

describe('a booking', () => {
  test('is remembered until it is cancelled', async () => {
    const sandbox = await start();
    const usual = { carType: '经济型', passengers: 1, stops: [], step: 'REQUESTED' };
    const { bookRide } = await data(sandbox, BOOK, { input: { city: '杭州' } });
    expect(bookRide).toEqual({ __typename: 'Booking', id: bookRide.id, city: '杭州', ...usual });
    const input = { city: '上海', carType: '豪华型', passengers: 6, stops: ['a', 'b'] };
    expect((await data(sandbox, BOOK, { input })).bookRide).toMatchObject(input);

    const { id } = bookRide;
    const cancel = 'mutation ($id: ID!) { cancelBooking(id: $id) { id city } }';
    expect(await data(sandbox, cancel, { id })).toEqual({ cancelBooking: { id, city: '杭州' } });
    expect(await data(sandbox, cancel, { id })).toEqual({ cancelBooking: null });
    expect(await data(sandbox, `{ node(id: "${id}") { id } }`)).toEqual({ node: null });
  });

  test.each([
    [{ city: ' ' }, 'city is empty'],
    [{ city: 'x'.repeat(101) }, 'city has more than 100 characters'],
    [{ city: 'a', carType: 'x' }, 'carType is not one of 经济型, 舒适型, 商务型, 豪华型'],
    [{ city: 'a', passengers: 0 }, 'passengers is not in 1 to 6'],
    [{ city: 'a', passengers: 7 }, 'passengers is not in 1 to 6'],
    [{ city: 'a', stops: [''] }, 'a stop is empty'],
    [{ city: 'a', stops: Array(11).fill('b') }, 'stops has more than 10 names'],
  ])('of the kind %# is refused', async (input, message) => {
    expect(await failure(await start(), BOOK, { input })).toEqual({ message, code: BAD_INPUT });
  });
});

test('the error of a bug appears only in the log', async () => {
  const entries: LogEntry[] = [];
  const sandbox = await start({ timeZone: 'Nowhere', log: (entry) => entries.push(entry) });
  const result = resultOf(await post(sandbox, '{ bills { id } detections { id } }'));
  expect(result).toEqual({
    data: null,
    errors: [
      {
        message: 'the sandbox failed',
        path: ['bills'],
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  });
  expect(entries).toMatchObject([
    { method: 'POST', path: '/graphql', status: 200, error: expect.any(RangeError) },
  ]);
});
