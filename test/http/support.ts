import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, request as forward } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { MopError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { Transport, type TransportOptions } from '../../src/http/transport.ts';
import { type Certificate, type LoopbackHost, listen } from '../support/server.ts';

/** A transport that is closed when the test ends. */
export function transport(options: TransportOptions = {}): Transport {
  const transport = new Transport(options);
  onTestFinished(() => transport.close());
  return transport;
}

export function get(url: string, headers: HttpRequest['headers'] = []): HttpRequest {
  return { method: 'GET', url: new URL(url), headers };
}

/** Requests `url` over a new transport and reads the answer. */
export async function fetchText(url: string, options: TransportOptions = {}): Promise<string> {
  return (await transport(options).sendForText(get(url))).text;
}

/** The message of a network failure. Asserts its code and that it has a hint. */
export async function networkFailure(exchange: Promise<unknown>): Promise<MopError> {
  const error = await exchange.then(
    (value) => expect.fail(`it succeeded with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(MopError);
  expect(error).toMatchObject({ code: 'network', details: { hint: expect.stringMatching(/./) } });
  return error as MopError;
}

/** A TCP server without HTTP. */
export async function socketServer(onConnection: (socket: Socket) => void): Promise<string> {
  return `127.0.0.1:${await listen(createServer(onConnection))}`;
}

/** A server that accepts connections and never answers. */
export function silentServer(): Promise<string> {
  return socketServer(() => {});
}

/**
 * A port without a listener. The system never chooses it for port 0, so that no other test listens on
 * it later.
 */
export async function closedPort(at: LoopbackHost = '127.0.0.1'): Promise<number> {
  const port = 20_000 + ((97 * process.pid + triedPorts++) % 10_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, at, () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree ? port : closedPort(at);
}

let triedPorts = 0;

export const CA = fixture('ca');

/** Certificates for 127.0.0.1 and localhost; {@link CA} issued all except the self-signed one. */
export type CertificateName = 'good' | 'self-signed' | 'wrong-host' | 'expired' | 'not-yet-valid';

export function certificate(name: CertificateName): Certificate {
  return { key: fixture('key'), cert: fixture(name) };
}

function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.pem`, import.meta.url), 'utf8');
}

export interface TestProxy {
  readonly host: string;
  /** The received requests, such as `CONNECT 127.0.0.1:443`. */
  readonly received: readonly string[];
  /** Alternating names and values, for each request. */
  readonly rawHeaders: readonly (readonly string[])[];
}

/** A proxy that works, or answers everything with one status. */
export async function proxyServer(refusal?: number, certificate?: Certificate): Promise<TestProxy> {
  const received: string[] = [];
  const rawHeaders: string[][] = [];
  const server = certificate ? createHttpsServer(certificate) : createHttpServer();
  server.on('request', (request, response) => {
    const { method = '', url = '', rawHeaders: headers } = request;
    received.push(`${method} ${url}`);
    rawHeaders.push(headers);
    if (refusal) return response.writeHead(refusal).end('from the proxy');
    const onward = forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    return request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket) => {
    received.push(`CONNECT ${request.url}`);
    rawHeaders.push(request.rawHeaders);
    if (refusal) return socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port || 80), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    return socket.on('error', () => target.destroy()).on('close', () => target.destroy());
  });
  return { host: `127.0.0.1:${await listen(server)}`, received, rawHeaders };
}
