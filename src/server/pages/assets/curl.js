/**
 * A request that curl can send.
 *
 * @typedef {object} CurlRequest
 * @property {string} method
 * @property {string} url
 * @property {readonly (readonly [name: string, value: string])[]} headers
 * @property {string | readonly FormField[] | undefined} body The fields of a multipart form, or text.
 *
 * @typedef {{ readonly name: string, readonly value?: string, readonly file?: string }} FormField
 */

/**
 * The curl command that sends a request.
 *
 * @param {CurlRequest} request
 */
export function curlCommand({ method, url, headers, body }) {
  const start = method === 'GET' ? 'curl' : `curl -X ${quoted(method)}`;
  return [start, ...headers.map(headerOption), ...bodyOptions(body), quoted(url)].join(' \\\n  ');
}

/** @param {readonly [name: string, value: string]} header */
function headerOption([name, value]) {
  // curl removes a header whose value is empty, unless a semicolon ends its name.
  return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

/** @param {CurlRequest['body']} body */
function bodyOptions(body) {
  if (body === undefined) return [];
  if (typeof body === 'string') return [`--data-raw ${quoted(body)}`];
  return body.map(({ name, value, file }) =>
    file === undefined
      ? `--form-string ${quoted(`${name}=${value ?? ''}`)}`
      : `-F ${quoted(`${name}=@"${file.replace(/["\\]/g, '\\$&')}"`)}`,
  );
}

/**
 * A text as one word of a POSIX shell.
 *
 * @param {string} text
 */
export function quoted(text) {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
