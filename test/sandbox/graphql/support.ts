import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { type Reply, send } from '../support.ts';

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects in there.
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

type Served = Pick<Sandbox, 'url'>;

/** Sends a document as JSON. */
export function post(
  { url }: Served,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
}

export function resultOf({ body }: Reply): Result {
  return JSON.parse(body.toString()) as Result;
}

/** The data of a document that is executed without errors. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects in there.
export async function data(sandbox: Served, query: string, variables?: object): Promise<any> {
  const result = resultOf(await post(sandbox, query, variables));
  if (result.errors) throw new Error(JSON.stringify(result.errors));
  return result.data;
}

/** The first error of a document, and its code. */
export async function failure(
  sandbox: Served,
  query: string,
  variables?: object,
): Promise<{ readonly message: string; readonly code: unknown }> {
  const { errors } = resultOf(await post(sandbox, query, variables));
  return { message: errors?.[0]?.message ?? '', code: errors?.[0]?.extensions?.code };
}

export const BAD_INPUT = 'BAD_USER_INPUT';

/** An event stream as it arrives. */
export interface EventStream {
  readonly response: IncomingMessage;
  readonly request: ClientRequest;
  /** Everything until then, once the text has come. */
  until(text: string): Promise<string>;
  /** Everything, once it has ended. */
  end(): Promise<string>;
}

/** Opens an event stream with a GET, or a POST of JSON. */
export function openStream(
  { url }: Served,
  query: string,
  method: 'GET' | 'POST' = 'POST',
): Promise<EventStream> {
  const address = `${url}/graphql`;
  const target = method === 'GET' ? `${address}?query=${encodeURIComponent(query)}` : address;
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(target, { method, headers, agent: false }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      response.on('error', () => {});
      const ended = new Promise<string>((finish) => response.on('close', () => finish(received)));
      resolve({
        response,
        request: outgoing,
        until: (text) =>
          new Promise((finish) => {
            const look = (): void => {
              if (received.includes(text)) finish(received);
            };
            response.on('data', look);
            look();
          }),
        end: () => ended,
      });
    });
    onTestFinished(() => void outgoing.destroy());
    outgoing.on('error', reject).end(method === 'POST' ? JSON.stringify({ query }) : undefined);
  });
}

/** The results that events of a stream carry. */
export function resultsIn(stream: string): readonly Result[] {
  return [...stream.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, json = '']) =>
    JSON.parse(json),
  );
}

/** A function that says how many timers of a second and more, set from here on, are not cleared. */
export function countTimers(): () => number {
  const set = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const clear = [vi.spyOn(globalThis, 'clearTimeout'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => {
    for (const spy of [...set, ...clear]) spy.mockRestore();
  });
  return () => {
    const cleared = clear.flatMap(({ mock }) => mock.calls.map(([timer]) => timer));
    const timers = set.flatMap(({ mock }) =>
      mock.results.filter((_, index) => Number(mock.calls[index]?.[1]) >= 1000),
    );
    return timers.filter(({ value }) => !cleared.includes(value)).length;
  };
}

/** A query of 400 fields for each of many rides; `rides` contains the fragment F. */
export function multiplied(rides: string): string {
  const fields = Array.from({ length: 400 }, (_, at) => `a${at}: id`).join(' ');
  return `{ bills(last: 92) { rides(first: 100) { ${rides} } } } fragment F on Ride { ... on Ride { ${fields} } }`;
}
