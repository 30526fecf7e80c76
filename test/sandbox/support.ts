import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { type HeaderFields, signHeaders } from '../../src/signing/header-mode.ts';
import type { RequestFields } from '../../src/signing/request-fields.ts';

/** Just after noon in Shanghai, so the 20th is today there and the bill of the 19th is ready. */
export const NOW = Date.parse('2026-11-20T04:05:06.700Z');
export const SECONDS = Math.floor(NOW / 1000);

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False when the connection broke before the end of the answer. */
  readonly complete: boolean;
}

export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A sandbox whose clock is `NOW`; it ends with the test. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ now: () => NOW, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** One exchange; header names are sent unchanged. */
export function send(
  url: string,
  options: {
    readonly method?: string;
    /** By name; or names and values in turn, for a name that occurs twice. */
    readonly headers?: Readonly<Record<string, string>> | readonly string[];
    readonly body?: string | Uint8Array;
  } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      const finish = (): void =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks),
          complete: incoming.complete,
        });
      incoming
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', () => {})
        .on('close', finish);
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Posts JSON; header names are sent unchanged. */
export function postJson(
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const typed = { 'Content-Type': 'application/json', ...headers };
  return send(url, { method: 'POST', headers: typed, body });
}

export function envelopeOf({ status, headers, body }: Reply): Envelope {
  if (status !== 200 || headers['content-type'] !== 'application/json') {
    throw new Error(`no envelope: HTTP ${status} ${headers['content-type']} ${body}`);
  }
  return JSON.parse(body.toString()) as Envelope;
}

/** Sends a body unchanged to an operation, by default in body mode. */
export async function post(
  sandbox: Pick<Sandbox, 'url'>,
  body: string | Uint8Array,
  path = '/open/v1/trade/bill',
): Promise<Envelope> {
  return envelopeOf(await postJson(sandbox.url + path, body));
}

export const BILL = { bill_date: '2026-11-19', bill_type: 0, tar_type: 0 };

/** A request body signed by protocol 1.0 at `NOW`. */
export function signed(
  fields: object = BILL,
  common: RequestFields = {},
  secret: string = SANDBOX_CREDENTIALS.secret,
): string {
  const credentials = { apiKey: SANDBOX_CREDENTIALS.apiKey, secret };
  return signBody(JSON.stringify(fields), credentials, { timestamp: SECONDS, ...common }).body;
}

/** Calls an operation in body mode, rightly signed. */
export function call(
  sandbox: Pick<Sandbox, 'url'>,
  fields: object = BILL,
  common: RequestFields = {},
  path = '/trade/bill',
): Promise<Envelope> {
  return post(sandbox, signed(fields, common), `/open/v1${path}`);
}

/** Calls an operation in header mode, rightly signed but for the headers changed after that. */
export async function callHeaders(
  sandbox: Pick<Sandbox, 'url'>,
  fields: object | string = BILL,
  common: HeaderFields = {},
  change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
  path = '/trade/bill',
): Promise<Envelope> {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
  const { headers, body } = signHeaders(text, SANDBOX_CREDENTIALS, {
    timestamp: SECONDS,
    ...common,
  });
  const url = `${sandbox.url}/api/open${path}`;
  return envelopeOf(await postJson(url, body ?? '', change({ ...headers })));
}

/** A text field of a form, or a file; its head and content are sent unchanged. */
export interface Part {
  readonly head: string;
  readonly content: string | Uint8Array;
}

export function textPart(name: string, content: string | Uint8Array): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, content };
}

export function filePart(name: string, filename: string, content: string | Uint8Array): Part {
  const head = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
  return { head: `${head}\r\nContent-Type: application/octet-stream`, content };
}

export const BOUNDARY = 'boundary-of-the-test';

/** A multipart form as it goes on the wire. */
export function formBody(parts: readonly Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Sends a form to an operation in header mode, signed over these text fields. */
export async function callForm(
  sandbox: Pick<Sandbox, 'url'>,
  texts: Readonly<Record<string, string>>,
  body: string | Uint8Array,
  {
    path = '/user/sync',
    contentType = `multipart/form-data; boundary=${BOUNDARY}`,
  }: { readonly path?: string; readonly contentType?: string } = {},
): Promise<Envelope> {
  const fields = Object.entries(texts).map(([name, value]) => ({ name, value }));
  const { headers } = signHeaders(fields, SANDBOX_CREDENTIALS, { timestamp: SECONDS });
  const reply = await send(`${sandbox.url}/api/open${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': contentType },
    body,
  });
  return envelopeOf(reply);
}

/** Follows a descriptor, with its authorization. */
export function download({ data }: Envelope): Promise<Reply> {
  return send(data.download_url ?? '', { headers: { Authorization: data.authorization ?? '' } });
}

/** The uncompressed content of a bill. */
export async function content(
  sandbox: Pick<Sandbox, 'url'>,
  fields: object = BILL,
): Promise<string> {
  const { status, body } = await download(await call(sandbox, { ...BILL, ...fields }));
  if (status !== 200) throw new Error(`HTTP ${status} ${body}`);
  return body.toString('utf8');
}
