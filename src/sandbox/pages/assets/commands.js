import { quoted } from './curl.js';

/**
 * @typedef {object} Request What the console sends.
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} headers
 * @property {string | undefined} body
 */

/**
 * A request as its text goes over the wire.
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
 * The command line of mop that does the same, if one does.
 *
 * @param {Request} request
 * @param {string} origin
 * @returns {string | undefined}
 */
export function mopCommand({ method, body }, origin) {
  const environment = `MOP_DETECT_URL=${quoted(origin)}`;
  if (method === 'GET') return `${environment} mop health --json`;
  const text = loneText(body ?? '');
  if (text === undefined) return undefined;
  // An argument that begins like an option, a file or standard input would be taken for one.
  return /^[-@]/.test(text)
    ? `printf %s ${quoted(text)} | ${environment} mop detect - --json`
    : `${environment} mop detect ${quoted(text)} --json`;
}

/**
 * The text of a body that holds nothing else.
 *
 * @param {string} body
 * @returns {string | undefined}
 */
function loneText(body) {
  try {
    const { text, ...rest } = JSON.parse(body);
    const isLone = typeof text === 'string' && Object.keys(rest).length === 0;
    // No argument holds a NUL, and mop sends no text of white space alone.
    return isLone && !text.includes('\0') && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}
