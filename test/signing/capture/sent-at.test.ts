import { expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';

const SIGNATURE = '579A3D3356000369AF6B9961B1A51627';
const BODY = `{"city":"杭州","at":"2020-01-01T00:00:00Z","timestamp":1795769000,"sign":"${SIGNATURE}"}`;
const SENT = 1_795_769_000;

it.each<[string, string, number | undefined]>([
  ['a log with a zone', `2026-11-27T08:43:20.123Z DEBUG body=${BODY}`, SENT],
  ['a log with an offset', `2026-11-27 16:43:20,123+08:00 body=${BODY}`, SENT],
  ['a log in brackets', `[2026-11-27T16:43:20+0800] [api] body=${BODY}`, SENT],
  ['a log without a zone', `2026-11-27 16:43:20 DEBUG body=${BODY}`, undefined],
  [
    'a member of a log line',
    `{"time":"2026-11-27T08:43:20Z","body":${JSON.stringify(BODY)}}`,
    SENT,
  ],
  ['a body with a time of its own', BODY, undefined],
])('reads the time of sending in %s', async (_, text, sentAt) => {
  expect((await readCapture(text)).sentAt).toBe(sentAt);
});

it('reads the time of each entry of a HAR file', async () => {
  const entry = (time: string, sign: string) => ({
    startedDateTime: time,
    request: {
      method: 'POST',
      url: 'https://h.example/open/v1/x',
      headers: [],
      postData: { mimeType: 'application/json', text: BODY.replace(SIGNATURE, sign) },
    },
  });
  const other = SIGNATURE.replace('5', '6');
  const entries = [
    entry('2026-11-27T08:43:20.000Z', SIGNATURE),
    entry('2026-11-27T08:44:20.000+00:00', other),
  ];
  const har = JSON.stringify({ log: { entries } });
  expect((await readCapture(har, { entry: 1 })).sentAt).toBe(SENT);
  expect((await readCapture(har, { entry: 2 })).sentAt).toBe(SENT + 60);
});
