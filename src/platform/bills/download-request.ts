import { isUtf8 } from 'node:buffer';
import { append } from '../../any-length.ts';
import type { MopError } from '../../errors.ts';
import { isPrivateHttp } from '../../http/address.ts';
import { decodeText } from '../../http/page-text.ts';
import { type HttpResponse, isOverloaded, refusalError } from '../../http/response.ts';
import { querySecrets } from '../../redaction/credentials.ts';
import { excerpt } from '../../redaction/redact.ts';
import { platformViolation } from '../envelope.ts';
import type { OperationClient } from '../operation-client.ts';
import { type BillDescriptor, descriptorSecrets } from './descriptor.ts';
import { type DownloadHeaders, headerSecrets, headersOf } from './download-headers.ts';

const MAX_REDIRECTS = 5;

/** Requests the file of a descriptor (D1 4.1 rule 6), follows redirects, and returns status 200. */
export async function requestFile(
  client: OperationClient,
  descriptor: BillDescriptor,
  options: DownloadHeaders,
): Promise<HttpResponse> {
  const { downloadUrl, authorization } = descriptor;
  let url = downloadUrl;
  let onOriginalHost = true;
  const secrets = downloadSecrets(descriptor, options);
  for (let redirects = 0; ; redirects++) {
    // After leaving the original host, never send the credentials again, even when redirected back.
    onOriginalHost &&= url.origin === downloadUrl.origin;
    const headers = onOriginalHost ? headersOf(authorization, options) : [];
    append(secrets, querySecrets(url.search));
    const request = { url, headers, secrets, skipDecoding: true };
    const response = await client.transport.send({ method: 'GET', ...request });
    const { status } = response;
    if (status === 200) return response;

    const location = response.header('location');
    if (status >= 300 && status < 400 && location !== undefined) {
      response.discard();
      if (redirects === MAX_REDIRECTS) {
        throw platformViolation('the download', `redirects more than ${MAX_REDIRECTS} times`);
      }
      url = redirectTarget(location, url);
      continue;
    }
    throw await refusedDownload(response, url, secrets, client.source.now());
  }
}

/** The parts of a descriptor and of its headers that no trace or message may show. */
export function downloadSecrets(descriptor: BillDescriptor, headers: DownloadHeaders): string[] {
  return [...descriptorSecrets(descriptor), ...headerSecrets(descriptor.authorization, headers)];
}

function redirectTarget(location: string, from: URL): URL {
  const text = utf8Header(location);
  const target = URL.canParse(text, from.href) ? new URL(text, from) : undefined;
  if (!target) throw platformViolation('the download', 'redirects to an invalid address');
  if (isPrivateHttp(target)) return target;
  const where = `is neither https nor on this machine: ${target.protocol}//${target.host}`;
  throw platformViolation('the download', `redirects to an address that ${where}`);
}

/** Decodes a header as UTF-8 if its bytes are valid UTF-8: HTTP delivers it as Latin-1. */
function utf8Header(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

async function refusedDownload(
  response: HttpResponse,
  url: URL,
  secrets: readonly string[],
  now: number,
): Promise<MopError> {
  const { status } = response;
  const reported = isOverloaded(status) ? '' : await refusalText(response);
  response.discard();
  const message = `${url.host} answered the download with HTTP ${status}`;
  return refusalError(
    response,
    {
      server: 'server',
      message: reported === '' ? message : `${message}: ${excerpt(reported, secrets)}`,
      hint: 'fetch again with a new link; if it fails again, check bill_auth_header and the other headers of the download',
      // A retry requests a fresh descriptor with a fresh link.
      details: { transient: true },
    },
    now,
  );
}

const MAX_REFUSAL_BYTES = 64 * 1024;

async function refusalText(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // The status alone reports the refusal.
  }
  return decodeText(Buffer.concat(chunks), response.header('content-type'));
}
