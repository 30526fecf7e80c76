/**
 * Signs a request to the mobility open platform and sends it.
 * Protocol 1.0: the common fields and the signature are part of the body.
 *
 * Run it with the secret in the variable MOP_API_SECRET: node sign.mjs
 */
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

const URL = 'http://127.0.0.1:7800/open/v1/trade/bill';
// The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
const API_KEY = 'sandbox';
const BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

/**
 * Reads a JSON object as [name, value] pairs, each value as compact JSON text.
 *
 * JSON.parse would change the fields: it turns 1.0 into 1, rounds numbers of 19 digits, moves
 * names such as "10" to the front, and keeps only the last of several fields with one name.
 */
function readFields(jsonText) {
  JSON.parse(jsonText); // Refuses a text that is not JSON.
  const tokens = jsonText
    .match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)
    .map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token));
  if (tokens[0] !== '{') throw new Error('the body is not a JSON object');

  const fields = new Map();
  let at = 1;
  while (at < tokens.length - 1) {
    const name = JSON.parse(tokens[at]);
    if (fields.has(name)) throw new Error(`the field ${JSON.stringify(name)} occurs twice`);
    if (!name.isWellFormed()) throw new Error('the body has half a surrogate pair');
    const start = at + 2; // after the colon
    let depth = 0;
    for (at = start; depth > 0 || !',}'.includes(tokens[at]); at++) {
      if ('{['.includes(tokens[at])) depth++;
      if ('}]'.includes(tokens[at])) depth--;
    }
    fields.set(name, tokens.slice(start, at).join(''));
    at++; // after the comma
  }
  return [...fields];
}

/** Writes [name, JSON text] pairs as a JSON object. */
function jsonOf(fields) {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The text of a value in the signature: the characters of a string, the JSON of anything else. */
function textOf(value) {
  return value.startsWith('"') ? JSON.parse(value) : value;
}

/** MD5 of the sorted name=value pairs and the secret, in upper-case hex. */
function signature(pairs, secret) {
  // Names are sorted by UTF-16 code unit, as < compares them; localeCompare sorts differently.
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  // Encoding to UTF-8 would silently replace half a surrogate pair.
  if (!canonical.isWellFormed()) throw new Error('the body has half a surrogate pair');
  return createHash('md5')
    .update(canonical + secret, 'utf8')
    .digest('hex')
    .toUpperCase();
}

function newNonce() {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Signs a request. Returns the JSON to send: the fields of jsonText in their order, missing common
 * fields, and the signature.
 */
export function signBody(jsonText, apiKey, secret) {
  const common = new Map([
    ['api_key', JSON.stringify(apiKey)],
    ['seq_id', JSON.stringify(randomUUID())],
    ['timestamp', String(Math.floor(Date.now() / 1000))],
    ['nonce', JSON.stringify(newNonce())],
  ]);
  const own = readFields(jsonText).filter(
    ([name, value]) => name !== 'sign' && !(common.has(name) && value === 'null'),
  );
  for (const [name] of own) common.delete(name);
  const fields = [...own, ...common];
  // Fields that are null are sent and not signed.
  const signed = fields
    .filter(([, value]) => value !== 'null')
    .map(([name, value]) => [name, textOf(value)]);
  return jsonOf([...fields, ['sign', JSON.stringify(signature(signed, secret))]]);
}

/**
 * Sends a request. Returns the HTTP status and the answer.
 *
 * node:http keeps the case of header names, which is signed; fetch changes it.
 */
async function post(url, body, headers) {
  const { request } = url.startsWith('https:') ? https : http;
  const outgoing = request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    timeout: 30_000,
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 30 seconds')));
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return { status: response.statusCode, answer: await text(response) };
}

async function main() {
  const secret = process.env.MOP_API_SECRET;
  if (!secret) throw new Error('set MOP_API_SECRET to the API secret');
  const { status, answer } = await post(URL, signBody(BODY, API_KEY, secret), {});
  console.log(answer);
  if (status >= 400) throw new Error(`HTTP status ${status}`);
}

await main().catch((error) => {
  console.error(`error: ${error.message || error.code}`);
  process.exitCode = 1;
});
