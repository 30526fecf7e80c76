import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { expect, onTestFinished } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { MopError } from '../../src/errors.ts';
import { GraphqlClient, type GraphqlClientOptions } from '../../src/graphql/client.ts';
import { chooseOperation, parseDocument } from '../../src/graphql/document.ts';
import type { GraphqlResponse } from '../../src/graphql/response.ts';
import { type LoadedSchema, readSchema } from '../../src/graphql/schema.ts';
import {
  type WebSocketOptions,
  webSocketResponses,
} from '../../src/graphql/socket-subscription.ts';
import type { HttpResponse } from '../../src/http/response.ts';
import { Transport, type TransportOptions } from '../../src/http/transport.ts';
import { jsonObject, parseJson } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import {
  type Certificate,
  type Handler,
  listen,
  serve,
  type TestServer,
} from '../support/server.ts';

/** The failure of a call. Asserts a MopError with a hint. */
export async function failureOf(call: () => unknown): Promise<MopError> {
  const [error] = await outcomeOf(call);
  expect(error).toBeInstanceOf(MopError);
  expect((error as MopError).details.hint).toMatch(/./);
  return error as MopError;
}

async function outcomeOf(call: () => unknown): Promise<[error: unknown]> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return [error];
  }
  return expect.fail(`it succeeded with ${JSON.stringify(value)}`);
}

/** All items of an iterable. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The items before a failure, and the failure. */
export async function untilFailure(
  responses: AsyncIterable<GraphqlResponse>,
): Promise<{ readonly came: string[]; readonly error: MopError }> {
  const came: string[] = [];
  const error = await failureOf(async () => {
    for await (const { json } of responses) came.push(printJson(json));
  });
  return { came, error };
}

/** The envelopes of responses, as JSON text. */
export async function printed(responses: AsyncIterable<GraphqlResponse>): Promise<string[]> {
  return (await all(responses)).map(({ json }) => printJson(json));
}

/** The schema in one text. */
export function readText(
  text: string,
  { name = 'schema.graphql', assumeValid = false } = {},
): LoadedSchema {
  return readSchema([{ name, text }], { assumeValid });
}

export function schemaOf(sdl: string): GraphQLSchema {
  return readText(sdl).schema;
}

export function operationOf(text: string, name?: string): OperationDefinitionNode {
  return chooseOperation(parseDocument(text, 'document'), name);
}

/** A value of JavaScript as JSON. */
export function asJson(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}

/** A JSON text that is an object. */
export function parseObject(text: string): JsonObject {
  return jsonObject(text) ?? expect.fail(`${text} is not an object`);
}

/** A JavaScript object as JSON. */
export function asObject(value: object): JsonObject {
  return parseObject(JSON.stringify(value));
}

export interface Endpoint extends TestServer {
  readonly client: GraphqlClient;
  /** Milliseconds of each wait. */
  readonly waits: readonly number[];
  /** Each line of each exchange. */
  readonly trace: readonly string[];
}

/** A scripted server and a client for it. */
export async function endpoint(
  handler: Handler,
  options: Partial<GraphqlClientOptions> = {},
  transportOptions: TransportOptions = {},
): Promise<Endpoint> {
  const server = await serve(handler);
  const trace: string[] = [];
  const transport = new Transport({ trace: (line) => trace.push(line), ...transportOptions });
  onTestFinished(() => transport.close());
  const waits: number[] = [];
  const client = new GraphqlClient({
    endpoint: `${server.url}/graphql`,
    transport,
    sleep: async (ms) => waits.push(ms),
    now: () => 0,
    ...options,
  });
  return { ...server, client, waits, trace };
}

/** A response with these chunks. `discarded` counts the calls of `discard`. */
export function streamOf(
  chunks: Iterable<Uint8Array>,
  type = 'text/event-stream',
): HttpResponse & { readonly discarded: () => number } {
  let discarded = 0;
  return {
    status: 200,
    header: () => type,
    body: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
    discard: () => {
      discarded++;
    },
    discarded: () => discarded,
  };
}

/** Answers with a status, a body and its type. */
export function answering(
  status: number,
  body: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): Handler {
  return (_, response) => response.writeHead(status, headers).end(body);
}

export const SUBSCRIPTION = { kind: 'subscription', query: 'subscription { a }' } as const;

/** The results of an operation over a WebSocket, by default of a subscription. */
export function responsesOf(
  url: URL | string,
  options: Partial<WebSocketOptions> = {},
  request: Parameters<typeof webSocketResponses>[0] = SUBSCRIPTION,
): ReturnType<typeof webSocketResponses> {
  const defaults = { endpoint: new URL(url), headers: [], transport: {} };
  return webSocketResponses(request, { ...defaults, ...options });
}

/** An operation for tests in which any one will do. */
export const QUERY = { kind: 'query', query: '{ a }' } as const;

/** A WebSocket server and its record of a client. */
export interface SocketServer {
  /** A `ws` address, or `wss` with a certificate. */
  readonly url: URL;
  /** Each message, in order. */
  readonly messages: readonly string[];
  /** The requests that opened a connection. */
  readonly handshakes: readonly IncomingMessage[];
  /** The close code and reason of the first connection. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

/** Handles a message; `index` counts messages from 0. */
export type Script = (message: string, socket: WebSocket, index: number) => unknown;

export interface SocketServerOptions extends ServerOptions {
  readonly certificate?: Certificate;
  /** Sent in one packet with the answer to the handshake. */
  readonly greeting?: string;
}

/** Serves WebSockets on loopback until the test ends. */
export async function serveSockets(
  script: Script,
  { certificate, greeting, ...options }: SocketServerOptions = {},
): Promise<SocketServer> {
  const messages: string[] = [];
  const handshakes: IncomingMessage[] = [];
  const server = certificate ? createTlsServer(certificate) : createServer();
  const sockets = new WebSocketServer({ server, ...options });
  sockets.on('headers', (_, request) => {
    if (greeting !== undefined) request.socket.cork();
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    sockets.on('connection', (socket, request) => {
      handshakes.push(request);
      if (greeting !== undefined) socket.send(greeting);
      request.socket.uncork();
      socket.on('error', () => {});
      socket.on('close', (code, reason) => resolve([code, String(reason)]));
      socket.on('message', (data) => {
        messages.push(String(data));
        script(String(data), socket, messages.length - 1);
      });
    });
  });
  const port = await listen(server);
  const url = new URL(`${certificate ? 'wss' : 'ws'}://127.0.0.1:${port}/graphql`);
  return { url, messages, handshakes, closed };
}

export const ACK = '{"type":"connection_ack"}';
export const COMPLETE = '{"id":"1","type":"complete"}';

export function next(payload: string): string {
  return `{"id":"1","type":"next","payload":${payload}}`;
}

/**
 * Acknowledges the connection and answers the operation with messages; calls an item that is a
 * function.
 */
export function answeringSocket(
  ...answers: readonly (string | Uint8Array | ((socket: WebSocket) => unknown))[]
): Script {
  return (message, socket) => {
    const { type } = JSON.parse(message) as { readonly type: string };
    if (type === 'connection_init') socket.send(ACK);
    if (type !== 'subscribe') return;
    for (const answer of answers) {
      if (typeof answer === 'function') answer(socket);
      else socket.send(answer);
    }
  };
}
