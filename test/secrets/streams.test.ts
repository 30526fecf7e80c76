/** Credentials that a server echoes in an event stream or over a WebSocket. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Transport } from '../../src/http/transport.ts';
import { answeringSocket, COMPLETE, type Script, serveSockets } from '../graphql/support.ts';
import { type Handler, serve } from '../support/server.ts';
import { CANARIES, createWorkspace, HEADERS, leaksOf } from './workspace.ts';

const SUBSCRIPTION = 'subscription { a }';
const PARAMS = ['--connection-params', JSON.stringify({ headers: { token: CANARIES.connection } })];
const SENT = [CANARIES.bearer, CANARIES.cookie, CANARIES.apiKeyHeader].join(' and ');
/** The connection parameters exist only over a WebSocket. */
const ALL_SENT = `${SENT} and ${CANARIES.connection}`;

/** The leaks outside the results, which are printed unchanged. */
async function leaksOutsideResults(argv: readonly string[], url: string): Promise<string[]> {
  const leaks = await leaksOf(argv, await createWorkspace(url));
  return leaks.filter((leak) => !leak.includes(' stdout: '));
}

const error = (message: string): string => JSON.stringify([{ message }]);

describe('mop gql prints no credential that a WebSocket echoes', () => {
  it.each<[string, Script]>([
    ['in an error', answeringSocket(`{"id":"1","type":"error","payload":${error(ALL_SENT)}}`)],
    [
      'in a result',
      answeringSocket(
        `{"id":"1","type":"next","payload":{"data":null,"errors":${error(ALL_SENT)}}}`,
        COMPLETE,
      ),
    ],
    ['in an invalid message', answeringSocket(ALL_SENT)],
    ['in the type of a message', answeringSocket(JSON.stringify({ type: ALL_SENT }))],
    [
      'in the reason of the close',
      answeringSocket((socket) => socket.close(4403, `${CANARIES.cookie} ${CANARIES.connection}`)),
    ],
    [
      'in a ping',
      answeringSocket(JSON.stringify({ type: 'ping', payload: { reported: ALL_SENT } }), 'x'),
    ],
  ])('%s', async (_, script) => {
    const { url, handshakes, messages } = await serveSockets(script);
    const argv = ['gql', SUBSCRIPTION, '--endpoint', url.href, ...HEADERS, ...PARAMS];
    expect(await leaksOutsideResults(argv, url.href)).toEqual([]);
    expect(handshakes[0]?.headers.authorization).toBe(`Bearer ${CANARIES.bearer}`);
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({
      payload: { headers: { token: CANARIES.connection } },
    });
  });
});

describe('mop gql prints no credential that an event stream echoes', () => {
  const events =
    (...data: readonly string[]): Handler =>
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(data.map((each) => `event: next\ndata: ${each}\n\n`).join(''));
    };

  it.each([
    ['in a result', events(`{"data":null,"errors":${error(SENT)}}`)],
    ['in data that is not JSON', events(SENT)],
    ['in JSON that is not a result', events(JSON.stringify({ data: SENT }))],
  ])('%s', async (_, handler) => {
    const { url, requests } = await serve(handler);
    expect(await leaksOutsideResults(['gql', SUBSCRIPTION, ...HEADERS], url)).toEqual([]);
    expect(requests).toHaveLength(3);
  });
});

describe('the trace of a streamed answer', () => {
  /** The trace of a stream in two pieces; the second is sent after the first is read. */
  async function traceOf(first: string, second: string, secrets: string[] = []): Promise<string> {
    const lines: string[] = [];
    let sendRest = (): void => {};
    const { url } = await serve((_, response) => {
      response.setHeader('Content-Type', 'text/event-stream').write(first);
      sendRest = () => response.end(second);
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
    for await (const _ of body) sendRest();
    return lines.join('').replaceAll('< ', '');
  }

  it('omits its secrets', async () => {
    const shown = await traceOf('{"sign":"canary-1"}', '{"a":"token-canary"}', ['token-canary']);
    expect(shown).toContain('"sign":"<redacted>"');
    expect(shown).not.toMatch(/canary/);
  });

  it.each([
    ['a secret value', '{"a":"token-', 'canary"}', ['token-canary']],
    ['a secret field', '{"authorization":"token-', 'canary"}', []],
  ])('omits %s that arrives in two pieces', async (_, first, second, secrets) => {
    expect(await traceOf(first, second, secrets)).not.toContain('canary');
  });
});
