import { STATUS_CODES } from 'node:http';
import type { Handler, Received } from '../support/server.ts';
import { CANARIES } from './workspace.ts';

/** The whole request, and `secret` if the request is for the platform, which knows the api secret. */
export function echoOf({ method, path, rawHeaders, body }: Received, secret = ''): string {
  const isPlatform = /^\/(?:open\/v1|api\/open)\//.test(path);
  return [`${method} ${path}`, ...rawHeaders, body, isPlatform ? secret : ''].join(' ');
}

/** Servers that echo the request and the api secret, each in a different format. */
export function echoes(secret: string): Readonly<Record<string, Handler>> {
  const echo = (request: Received): string => echoOf(request, secret);
  // Limited to characters that are valid in a header and in the status line.
  const line = (request: Received): string => echo(request).replace(/[^ -~]/g, '');
  // Clients of all services read this as an error.
  const errorOf = (request: Received, code: number): string => {
    const message = echo(request);
    const error = { code: 'echo', message };
    const data = { diagnosis: [{ id: message }], canonical: message };
    return JSON.stringify({ code, message, data, error, errors: [error] });
  };
  const json =
    (status: number, content: (request: Received) => string): Handler =>
    (request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(content(request));
    };
  const page =
    (status: number): Handler =>
    (request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' });
      response.end(`<html>${echo(request)}</html>`);
    };
  return {
    'an error': json(400, (request) => errorOf(request, 1234)),
    'an error with HTTP 500': json(500, (request) => errorOf(request, 2000)),
    'a refused signature': json(200, (request) => errorOf(request, 1002)),
    'a refused timestamp': json(200, (request) => errorOf(request, 1055)),
    'a refused caller': json(401, (request) => errorOf(request, 1003)),
    'a message alone': json(403, (request) => JSON.stringify({ message: echo(request) })),
    'a page': page(500),
    'a page instead of an answer': page(200),
    'a redirect': (request, response) => {
      const link = `/moved?${encodeURIComponent(echo(request))}`;
      response.writeHead(302, { Location: link }).end(`<a href="${link}">moved</a>`);
    },
    'a reason phrase and a header': (request, response) => {
      const headers = { 'X-Echo': line(request), 'Set-Cookie': `a=${CANARIES.setCookie}` };
      response.writeHead(418, line(request), headers).end('no');
    },
    'an unknown status': (request, response) => {
      response.writeHead(799, STATUS_CODES[400]).end(echo(request));
    },
    'a truncated answer': (request, response) => {
      const text = errorOf(request, 1234);
      response.writeHead(200, { 'Content-Length': `${Buffer.byteLength(text) * 2}` });
      response.write(text, () => response.destroy());
    },
    'an answer without a code': json(200, (request) => JSON.stringify({ data: echo(request) })),
    'an answer of wrong types': json(200, (request) =>
      JSON.stringify({ code: echo(request), data: 1, status: 1, overall_risk: 1, errors: 1 }),
    ),
    'an answer that is not an object': json(200, (request) => JSON.stringify([echo(request)])),
    'an answer that is not UTF-8': (request, response) => {
      const text = Buffer.from(errorOf(request, 1234));
      response.writeHead(200).end(Buffer.concat([text, Buffer.from([0xff])]));
    },
    'an answer that is not HTTP': (request, { socket }) => {
      socket?.end(`HTTP/1.1 200 OK\r\nX Echo ${line(request)}\r\n\r\n${echo(request)}`);
    },
  };
}
