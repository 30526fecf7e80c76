import type { ServerResponse } from 'node:http';
import { serve, type TestServer } from '../../support/server.ts';

/** The default answer of a model. */
export const VERDICT = { level: 'high', score: 72, reasons: ['dependency: it is the only one'] };

/** A chat completion with this content, the rest of the choice changed as given. */
export function completion(content: unknown, choice: object = {}): string {
  const message = { role: 'assistant', content };
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop', ...choice }],
  });
}

/** An endpoint that answers every question with this body. */
export function modelServer(body: string | Uint8Array, status = 200): Promise<TestServer> {
  return serve((_, response) => answer(response, body, status));
}

export function answer(response: ServerResponse, body: string | Uint8Array, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}
