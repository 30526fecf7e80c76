import { curlCommand } from './curl.js';
import { withoutMarks } from './visible.js';

/** @import { ShownExchange } from '../page-data.ts' */

/** Headers that curl writes itself. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|upgrade)$/i;

/**
 * The curl command that sends a request again.
 *
 * @param {ShownExchange} exchange
 */
export function curlOf({ method, path, request }) {
  const { url = location.origin + path, headers = [], body = '' } = request ?? {};
  const isForm = typeof body !== 'string';
  const command = curlCommand({
    method,
    url,
    headers: headers.filter(
      ([name]) => !OWN_HEADERS.test(name) && !(isForm && /^content-type$/i.test(name)),
    ),
    body,
  });
  return withoutMarks(command);
}
