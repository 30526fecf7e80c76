/** Credentials that come back in a stream, or over a WebSocket. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Transport } from '../../src/http/transport.ts';
import { answeringSocket, COMPLETE, type Script, serveSockets } from '../graphql/support.ts';
import { type Handler, serve } from '../support/server.ts';
import { bench, CANARIES, HEADERS, leaksOf } from './bench.ts';

const SUBSCRIPTION = 'subscription { a }';
const PARAMS = ['--connection-params', JSON.stringify({ headers: { token: CANARIES.connection } })];
const SAID = [CANARIES.bearer, CANARIES.cookie, CANARIES.apiKeyHeader].join(' and ');
/** The values that only a WebSocket receives. */
const ALL_SAID = `${SAID} and ${CANARIES.connection}`;

/** The leaks outside the results, which are printed unchanged. */
async function leaksBeside(argv: readonly string[], url: string): Promise<string[]> {
  const leaks = await leaksOf(argv, await bench(url));
  return leaks.filter((leak) => !leak.includes(' stdout: '));
}

const error = (message: string): string => JSON.stringify([{ message }]);

describe('a WebSocket whose server repeats the credentials shows none', () => {
  it.each<[string, Script]>([
    ['in an error', answeringSocket(`{"id":"1","type":"error","payload":${error(ALL_SAID)}}`)],
    [
      'in a result',
      answeringSocket(
        `{"id":"1","type":"next","payload":{"data":null,"errors":${error(ALL_SAID)}}}`,
        COMPLETE,
      ),
    ],
    ['in what is no message', answeringSocket(ALL_SAID)],
    ['in a message of another kind', answeringSocket(JSON.stringify({ type: ALL_SAID }))],
    [
      'in the reason for which it closes',
      answeringSocket((socket) => socket.close(4403, ALL_SAID)),
    ],
    [
      'in a ping',
      answeringSocket(JSON.stringify({ type: 'ping', payload: { reported: ALL_SAID } }), 'x'),
    ],
  ])('%s', async (_, script) => {
    const { url, handshakes, messages } = await serveSockets(script);
    const argv = ['gql', SUBSCRIPTION, '--endpoint', url.href, ...HEADERS, ...PARAMS];
    expect(await leaksBeside(argv, url.href)).toEqual([]);
    expect(handshakes[0]?.headers.authorization).toBe(`Bearer ${CANARIES.bearer}`);
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({
      payload: { headers: { token: CANARIES.connection } },
    });
  });
});

describe('a stream of events whose server repeats the credentials shows none', () => {
  const events =
    (...data: readonly string[]): Handler =>
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(data.map((each) => `event: next\ndata: ${each}\n\n`).join(''));
    };

  it.each([
    ['in a result', events(`{"data":null,"errors":${error(SAID)}}`)],
    ['in what is no result', events(SAID)],
    ['in JSON that is no result', events(JSON.stringify({ data: SAID }))],
  ])('%s', async (_, handler) => {
    const { url, requests } = await serve(handler);
    expect(await leaksBeside(['gql', SUBSCRIPTION, ...HEADERS], url)).toEqual([]);
    expect(requests).toHaveLength(3);
  });
});

describe('an answer that is read as it comes', () => {
  /** The trace of a stream in two pieces; the second is sent after the first is read. */
  async function traceOf(first: string, second: string, secrets: string[] = []): Promise<string> {
    const lines: string[] = [];
    let goOn = (): void => {};
    const { url } = await serve((_, response) => {
      response.setHeader('Content-Type', 'text/event-stream').write(first);
      goOn = () => response.end(second);
    });
    const transport = new Transport({ trace: (line) => lines.push(line) });
    onTestFinished(() => transport.close());
    const request = {
      method: 'GET',
      url: new URL(url),
      headers: [],
      isStream: true,
      secrets,
    } as const;
    const { body } = await transport.send(request);
    for await (const _ of body) goOn();
    return lines.join('').replaceAll('< ', '');
  }

  it('is shown without its secrets', async () => {
    const shown = await traceOf('{"sign":"canary-1"}', '{"a":"token-canary"}', ['token-canary']);
    expect(shown).toContain('"sign":"<redacted>"');
    expect(shown).not.toMatch(/canary/);
  });

  it.each([
    ['a secret value', '{"a":"token-', 'canary"}', ['token-canary']],
    ['a secret field', '{"authorization":"token-', 'canary"}', []],
  ])('is shown without %s that comes in two pieces', async (_, first, second, secrets) => {
    expect(await traceOf(first, second, secrets)).not.toContain('canary');
  });
});
