/** Printed errors and clients of the library contain no secret. */
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DetectionClient, GraphqlClient, PlatformClient, Transport } from '../../src/index.ts';
import { closedPort, proxyServer } from '../http/support.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { AUTHORIZATION, QUERY, scriptedPlatform } from '../support/platform.ts';
import { type Handler, serve } from '../support/server.ts';
import { echoes } from './services.ts';
import { traces } from './traces.ts';
import { CANARIES, signsIn } from './workspace.ts';

/** Everything that loggers and crash reports may print of an error. */
function dumpOf(error: unknown): string {
  const { message, stack, cause } = error as Error;
  return [
    inspect(error, { depth: Infinity, showHidden: true }),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    `${message}${stack}${inspect(cause)}`,
  ].join('\n');
}

const HEADERS = [
  ['Authorization', `Bearer ${CANARIES.bearer}`],
  ['Cookie', `one=${CANARIES.cookie}`],
] as const;

/** A call by each client to the server at `url`. */
const CALLS = {
  platform: (url, transport) =>
    platform(url, transport).call({ path: 'x', mode: 'body', body: '{}' }),
  'platform, signed in headers': (url, transport) =>
    platform(url, transport).call({ path: 'x', mode: 'header', body: '{}' }),
  'a bill': (url, transport) =>
    platform(url, transport).billDescriptor({ date: '2026-11-19', type: 'all' }, { force: true }),
  detection: (url, transport) =>
    new DetectionClient({ baseUrl: url, transport, headers: HEADERS, retries: 0 }).detect('text'),
  health: (url, transport) =>
    new DetectionClient({ baseUrl: url, transport, headers: HEADERS, retries: 0 }).health(),
  GraphQL: (url, transport) =>
    new GraphqlClient({ endpoint: url, transport, headers: HEADERS, retries: 0 }).send({
      kind: 'query',
      query: '{ a }',
    }),
} satisfies Record<string, (url: string, transport: Transport) => Promise<unknown>>;

type Call = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as Call[];

function platform(url: string, transport: Transport): PlatformClient {
  const credentials = { apiKey: 'key-1', secret: CANARIES.variable };
  return new PlatformClient({ credentials, transport, baseUrl: url, openBaseUrl: url, retries: 0 });
}

function openTransport(proxy?: string): Transport {
  const transport = new Transport(
    proxy === undefined ? {} : { proxy: { http: proxy, https: proxy } },
  );
  onTestFinished(() => transport.close());
  return transport;
}

/** The secrets in the error of a call, if it fails. */
async function leaksOfCall(
  name: Call,
  url: string,
  transport = openTransport(),
  signs: () => string[] = () => [],
) {
  const error = await CALLS[name](url, transport).then(
    () => undefined,
    (error: unknown) => error,
  );
  return error === undefined ? undefined : leaksIn(dumpOf(error), signs());
}

function leaksIn(dump: string, signs: readonly string[]): string[] {
  const secrets = [...Object.entries(CANARIES), ...signs.map((sign) => ['sign', sign] as const)];
  return secrets.flatMap(([name, secret]) =>
    traces(dump, secret).map((form) => `${name} (${form})`),
  );
}

async function leaksOfAll(handler: Handler): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of NAMES) {
    const { url, requests } = await serve(handler);
    const leaks = await leaksOfCall(name, url, openTransport(), () => signsIn(requests));
    if (leaks && leaks.length > 0) found[name] = leaks;
    expect(requests.length).toBeGreaterThan(0);
  }
  return found;
}

describe('an error of the library contains no secret', () => {
  // The library does not know the platform's own secret.
  const HANDLERS = Object.entries(echoes(''));

  it.each(HANDLERS)('when a server answers with %s', async (_, handler) => {
    expect(await leaksOfAll(handler)).toEqual({});
  });

  it.each(NAMES)('when the connection is refused: %s', async (name) => {
    expect(await leaksOfCall(name, `http://127.0.0.1:${await closedPort()}`)).toEqual([]);
  });

  it.each(NAMES)('when a proxy refuses: %s', async (name) => {
    const { host, rawHeaders } = await proxyServer(407);
    const proxy = `http://user:${encodeURIComponent(CANARIES.proxy)}@${host}`;
    expect(await leaksOfCall(name, 'https://service.example', openTransport(proxy))).toEqual([]);
    expect(rawHeaders).toHaveLength(1);
  });

  it.each(NAMES)('when the transport is closed: %s', async (name) => {
    const transport = openTransport();
    await transport.close();
    expect(await leaksOfCall(name, 'http://127.0.0.1:9', transport)).toEqual([]);
  });

  const redirecting = async (locationOf: (credential: string) => string): Promise<string> => {
    const { url } = await serve(({ headers }, response) => {
      const location = locationOf(encodeURIComponent(headers.authorization ?? ''));
      response.writeHead(302, { Location: location }).end();
    });
    return url;
  };

  it.each([
    ['a query', (credential: string) => `/login?for=${credential}`],
    ['a user', (credential: string) => `https://${credential}@host.example/login`],
  ])(
    'when GraphQL is redirected to an address with the credential in %s',
    async (_, locationOf) => {
      expect(await leaksOfCall('GraphQL', await redirecting(locationOf))).toEqual([]);
    },
  );

  it('when GraphQL is redirected to an address with the credential in its path', async () => {
    const url = await redirecting((credential) => `/for/${credential}`);
    expect(await leaksOfCall('GraphQL', url)).toEqual([]);
  });

  it('when a bill cannot be downloaded', async () => {
    const { url } = await scriptedPlatform({ download: (response) => response.destroy() });
    const target = `${await temporaryDirectory()}/bill.csv`;
    const job = { date: '2026-11-19', type: 'all', target } as const;
    const error = await platform(url, openTransport())
      .fetchBill(job, { force: true })
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'network' });
    expect(leaksIn(dumpOf(error), [])).toEqual([]);
  });
});

it('the dump of an error includes hidden properties and causes', () => {
  const hidden = Object.defineProperty(new Error('a'), 'hidden', { value: CANARIES.typed });
  const error = new Error('b', { cause: new AggregateError([hidden], 'c') });
  expect(leaksIn(dumpOf(error), [])).not.toEqual([]);
  expect(leaksIn(dumpOf(new Error('b')), [])).toEqual([]);
});

it('the dump of a client contains no secret', async () => {
  const proxy = `http://user:${encodeURIComponent(CANARIES.proxy)}@127.0.0.1:9`;
  const transport = openTransport(proxy);
  const options = { transport, headers: HEADERS };
  const clients = [
    platform('http://127.0.0.1:9', transport),
    new DetectionClient({ ...options, baseUrl: 'http://127.0.0.1:9' }),
    new GraphqlClient({ ...options, endpoint: 'http://127.0.0.1:9' }),
  ];
  for (const client of clients) expect(leaksIn(dumpOf(client), [])).toEqual([]);
});

it('a descriptor contains the link of a bill', async () => {
  const { url } = await scriptedPlatform();
  const bill = { date: '2026-11-19', type: 'all' } as const;
  const descriptor = await platform(url, openTransport()).billDescriptor(bill, { force: true });
  expect(descriptor).toMatchObject({ authorization: AUTHORIZATION });
  expect(descriptor.downloadUrl.search).toBe(`?${QUERY}`);
});
