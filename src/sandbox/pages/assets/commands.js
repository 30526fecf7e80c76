import { quoted } from './curl.js';

/**
 * @typedef {object} Request A request of the console.
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} headers
 * @property {string | undefined} body
 */

/**
 * The text of a request on the wire.
 *
 * @param {Request} request
 * @param {string} host
 */
export function wireText({ method, path, headers, body }, host) {
  const lines = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`${method} ${path} HTTP/1.1`, ...lines].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/**
 * The mop command that sends the same request; undefined when no command does.
 *
 * @param {Request} request
 * @param {string} origin
 * @returns {string | undefined}
 */
export function mopCommand({ method, body }, origin) {
  const environment = `MOP_DETECT_URL=${quoted(origin)}`;
  if (method === 'GET') return `${environment} mop health --json`;
  const text = onlyText(body ?? '');
  if (text === undefined) return undefined;
  // mop would read an argument that begins with - or @ as an option, a file or standard input.
  return /^[-@]/.test(text)
    ? `printf %s ${quoted(text)} | ${environment} mop detect - --json`
    : `${environment} mop detect ${quoted(text)} --json`;
}

/**
 * The text of a body without other fields.
 *
 * @param {string} body
 * @returns {string | undefined}
 */
function onlyText(body) {
  try {
    const { text, ...rest } = JSON.parse(body);
    const isOnlyText = typeof text === 'string' && Object.keys(rest).length === 0;
    // An argument cannot contain a NUL, and mop does not send blank texts.
    return isOnlyText && !text.includes('\0') && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}
