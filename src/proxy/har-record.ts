import { type FileHandle, open } from 'node:fs/promises';
import { fileError } from '../files/file-error.ts';
import type { Exchange } from '../server/requests/history.ts';
import { withoutCredentials } from '../server/requests/without-credentials.ts';
import { type Header, headerValue } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { VERSION } from '../version.ts';

/** A HAR file that grows by one entry for each exchange and is complete after each. */
export interface HarRecord {
  readonly add: (exchange: Exchange) => void;
  readonly close: () => Promise<void>;
}

const HEAD = `{"log":{"version":"1.2","creator":{"name":"mop","version":"${VERSION}"},"entries":[`;
const TAIL = '\n]}}\n';

/**
 * Opens a new HAR file (HAR 1.2) that only its owner can read. It contains signatures, but no
 * secret.
 */
export async function openHarRecord(
  path: string,
  clean: (text: string) => string,
  onWarning: (message: string) => void,
): Promise<HarRecord> {
  const fail = (error: unknown): never => {
    throw fileError(error, `cannot write ${path}`);
  };
  const file = await open(path, 'wx', 0o600).catch(fail);
  await writeAll(file, HEAD + TAIL, 0).catch(fail);
  let end = HEAD.length;
  let waiting: string[] = [];
  // Write all entries at once: under load, a write for each would fall behind and memory would grow.
  const writeWaiting = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    const text = `${end === HEAD.length ? '\n' : ',\n'}${entries.join(',\n')}`;
    try {
      await writeAll(file, text + TAIL, end).catch(async (error: unknown) => {
        // Restore the previous end of the file; it needs no additional space.
        await writeAll(file, TAIL, end);
        await file.truncate(end + TAIL.length);
        throw error;
      });
      end += Buffer.byteLength(text);
    } catch (error) {
      const lost = entries.length === 1 ? 'an exchange' : `${entries.length} exchanges`;
      const { message } = fileError(error, `${path} is missing ${lost}`) as Error;
      onWarning(message);
    }
  };
  let written = Promise.resolve();
  return {
    add: (exchange) => {
      const shown = withoutCredentials({ ...exchange, layers: null }, clean);
      waiting.push(JSON.stringify(harEntry(shown)));
      written = written.then(writeWaiting);
    },
    close: async () => {
      await written;
      await file.close();
    },
  };
}

/** On a full disk, a write may be partial without an error. */
async function writeAll(file: FileHandle, text: string, position: number): Promise<void> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, null, position + done);
    done += bytesWritten;
  }
}

/** An exchange without credentials as an entry of a HAR file. */
function harEntry(exchange: Exchange): object {
  const { time, milliseconds, status, signature, diagnosis = [], request, answer } = exchange;
  const { headers = [], body } = answer ?? {};
  return {
    startedDateTime: new Date(time - milliseconds).toISOString(),
    time: milliseconds,
    request: {
      method: exchange.method,
      url: request?.url ?? exchange.path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(request?.headers ?? []),
      queryString: [],
      ...(request && { postData: postData(request) }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(headers),
      content: {
        size: body === undefined ? 0 : Buffer.byteLength(body),
        mimeType: headerValue(headers, 'Content-Type') ?? 'application/octet-stream',
        ...(body !== undefined && { text: body }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    _mop: { signature: signature ?? null, diagnosis: diagnosis.map(({ id }) => id) },
  };
}

function harHeaders(headers: readonly Header[]): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function postData({ headers = [], body }: ReceivedRequest): object {
  const mimeType = headerValue(headers, 'Content-Type') ?? 'application/json';
  if (typeof body === 'string') return { mimeType, text: body };
  return {
    mimeType,
    params: body.map((field) =>
      'file' in field ? { name: field.name, fileName: field.file } : field,
    ),
  };
}
