/** Signals and pipes reach `mop gql` only as a process of its own. Needs a build. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../support/cli.ts';
import { BIN, startMop } from '../../../support/process.ts';
import { sh } from '../../support.ts';
import { event, ID, replying, sockets } from './socket-service.ts';
import { service, withResolvers } from './support.ts';

const SUBSCRIPTION = 'subscription { count }';

const next = (value: unknown): string => `event: next\ndata: {"data":{"value":${value}}}\n\n`;

/** A stream of events that stays open. `left` settles when the client closes the connection. */
async function eventStream(endless = false) {
  const { promise: left, resolve } = withResolvers();
  const { endpoint } = await service((_, response) => {
    response.on('close', () => resolve());
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const more = (value: number): void => {
      if (response.destroyed) return;
      response.write(next(value), () => {
        if (endless) setTimeout(() => more(value + 1), 10);
      });
    };
    more(1);
  });
  return { endpoint, left };
}

/** Interrupts a subscription after its first result. */
async function interrupt(endpoint: string) {
  const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
  const { child, ended } = startMop(['gql', SUBSCRIPTION, '--endpoint', endpoint], env);
  if (child.stdout) await once(child.stdout, 'data');
  child.kill('SIGINT');
  return ended;
}

const INTERRUPTED = {
  code: 130,
  stdout: '{"data":{"value":1}}\n',
  stderr: expect.stringMatching(
    /^mop: interrupted; the output is incomplete: 1 result printed\nhint: .*--count N .+\n$/,
  ),
};

it('SIGINT ends server-sent events and their connection', async () => {
  const { endpoint, left } = await eventStream();
  expect(await interrupt(endpoint)).toEqual(INTERRUPTED);
  await left;
});

it('SIGINT completes the operation of a WebSocket', async () => {
  const { endpoint, connected } = await sockets(replying(event({ value: 1 })));
  expect(await interrupt(endpoint)).toEqual(INTERRUPTED);
  const { texts, closed } = await connected;
  expect(await closed).toEqual({ code: 1000, reason: '' });
  expect(texts.at(-1)).toBe(`{"type":"complete","id":"${ID}"}`);
});

it('a subscription ends quietly with head -n 1', async () => {
  const { endpoint, left } = await eventStream(true);
  const script = `exec 3>&1
{ "$NODE" "$BIN" gql '${SUBSCRIPTION}' --endpoint "$ENDPOINT" 2>&3; echo "code $?" >&3; } | head -n 1`;
  const env = { NODE: process.execPath, BIN, ENDPOINT: endpoint };
  expect(await sh(script, { env })).toBe('{"data":{"value":1}}\ncode 0\n');
  await left;
});
