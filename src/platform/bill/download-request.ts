import { MopError } from '../../errors.ts';
import { isPrivateTransport } from '../../http/address.ts';
import { type HttpResponse, retryAfterMs, type Transport } from '../../http/transport.ts';
import { brokenContract } from '../envelope.ts';
import type { BillDescriptor } from './descriptor.ts';

const MAX_REDIRECTS = 5;

/**
 * Asks for the file that a descriptor points at (D1 4.1 rule 6), following redirects without taking
 * the authorization to strangers.
 *
 * @returns A response with status 200.
 * @throws {MopError} `network`, or `api` for a refusal or a redirect that is not followed.
 */
export async function requestFile(
  transport: Transport,
  { downloadUrl, authorization }: BillDescriptor,
  { authHeader, now }: { readonly authHeader: string; readonly now: () => number },
): Promise<HttpResponse> {
  let url = downloadUrl;
  for (let redirects = 0; ; redirects++) {
    const headers: [string, string][] = [['Accept-Encoding', 'identity']];
    if (authorization !== undefined && url.origin === downloadUrl.origin) {
      headers.push([authHeader, authorization]);
    }
    const secrets = [authorization ?? '', url.search, downloadUrl.search];
    const response = await transport.send({ method: 'GET', url, headers, secrets });
    const { status } = response;
    if (status === 200) return response;
    response.discard();

    const location = response.header('location');
    if (status >= 300 && status < 400 && location !== undefined) {
      if (redirects === MAX_REDIRECTS) {
        throw brokenContract('the download', `redirects more than ${MAX_REDIRECTS} times`);
      }
      url = redirectTarget(location, url);
      continue;
    }
    throw refusedDownload(status, url, retryAfterMs(response.header('retry-after'), now()));
  }
}

function redirectTarget(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target && isPrivateTransport(target)) return target;
  throw brokenContract('the download', 'redirects to what is neither https nor on this machine');
}

function refusedDownload(status: number, url: URL, retryAfter: number | undefined): MopError {
  const message = `${url.host} answered the download with HTTP ${status}`;
  if (status >= 500 || status === 429) {
    return new MopError('network', message, {
      hint: 'the server is overloaded or down; try again later',
      httpStatus: status,
      retryAfterMs: retryAfter,
    });
  }
  return new MopError('api', message, {
    hint: 'the link is valid for 30 seconds; is the clock right, and bill_auth_header the header that the platform wants?',
    httpStatus: status,
    // A fresh descriptor brings a fresh link.
    transient: true,
  });
}
