import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { printJson } from '../../../src/json/print.ts';
import {
  isCommonField,
  isSignedHeaderName,
  type SignatureMode,
} from '../../../src/protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { type Header, sameName } from '../../../src/signing/header-mode.ts';
import type { Credentials } from '../../../src/signing/request-fields.ts';
import { readBody } from '../../../src/signing/value-text.ts';
import type { Vector } from '../../../src/signing/verification/vector.ts';
import { randomJson } from '../fuzz/random-json.ts';
import { isLong, times } from '../scale.ts';

/** A request to sign. */
export interface Case extends Credentials {
  readonly title: string;
  readonly body: string;
  /** Empty in body mode. */
  readonly headers: readonly Header[];
  /** The signature of the vector; undefined when only `mop` computes it. */
  readonly signature?: string;
}

/** The result of a signing function for a case, or the message of its refusal. */
export type Outcome =
  | { readonly body: string; readonly headers: readonly Header[] }
  | { readonly error: string };

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (field: string | undefined): string =>
  Buffer.from(field ?? '', 'base64').toString();

/**
 * The line of a case for a harness: body, API key, secret, and header lines (`Name: value`, joined
 * by line feeds, possibly empty), each in Base64, separated by tabs.
 */
export function caseLine({ body, apiKey, secret, headers }: Case): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${[body, apiKey, secret, lines].map(encoded).join('\t')}\n`;
}

/**
 * Reads the line of a harness: the JSON to send and, in header mode, the header lines, in Base64;
 * or the word `error` and the message.
 */
export function outcomeOf(line: string): Outcome {
  const [first, second] = line.split('\t');
  if (first === 'error') return { error: decoded(second) };
  const lines = decoded(second).split('\n').filter(Boolean);
  const headers = lines.map((header): Header => {
    const at = header.indexOf(':');
    return [header.slice(0, at), header.slice(at + 1).trim()];
  });
  return { body: decoded(first), headers };
}

/** The vectors of a mode that have a JSON body. */
function vectors(mode: SignatureMode): readonly Vector[] {
  const file = new URL(`../../vectors/${mode}.json`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] };
  return vectors.filter(({ flags }) => !flags.includes('multipart'));
}

/**
 * The request of every vector, without its signature. In a short run only one of the vectors with the
 * same business fields and secret: the others differ in generated values. If the program `isSlow`, a
 * tenth of these, and another tenth in the other mode, where most have the same fields.
 */
export function vectorCases(mode: SignatureMode, isSlow = false): readonly Case[] {
  const all = vectors(mode);
  const requests = new Map(all.map((each) => [`${businessFields(each)} ${each.secret}`, each]));
  const first = mode === 'body' ? 0 : 1;
  const some = [...requests.values()].filter((_, index) => !isSlow || index % 10 === first);
  return (isLong ? all : some).map(({ id, secret, request, signature }) => ({
    title: id,
    body: Buffer.from(request.body, 'base64').toString(),
    apiKey: 'not-in-the-request',
    secret,
    headers: request.headers.filter(
      ([name]) => isSignedHeaderName(name) && !sameName(name, 'X-TMS-Sign'),
    ),
    signature,
  }));
}

/** Names that sort differently by UTF-16 code unit, code point, locale and case. */
const name = fc.oneof(
  fc.constantFrom('\ufffd', '\ue000', '🚕', '𝒳', 'é', 'e\u0301', 'ß', 'Z', 'a', '10', '2', '_', ''),
  fc.constantFrom('sign', 'api_key', 'nonce', '__proto__', 'a"b', 'a\\b', '\t', '\u2028', '杭'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

const body = fc
  .uniqueArray(fc.tuple(name, randomJson), { maxLength: 8, selector: ([key]) => key })
  .map((members) =>
    `{${members.map(([key, { text }]) => `${JSON.stringify(key)}: ${text}`).join(',\n')}}`.toWellFormed(),
  );

/** Bodies that a signing function must refuse or read correctly. */
const EDGES = [
  // Sorted by UTF-16 code unit, 🚕 precedes U+E000; sorted by byte, it follows.
  '{"\ufffd":1,"\ue000":2,"🚕":3,"𝒳":4,"é":5,"a":null,"Z":6,"":7}',
  '{}',
  '[]',
  '"text"',
  '1',
  'null',
  'true',
  '',
  ' ',
  '{',
  '{"a":1',
  '{"a":1}x',
  '{"a":1} {}',
  '{"a":1,}',
  '{"a":[1,]}',
  '{a:1}',
  "{'a':1}",
  '{"a" 1}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":True}',
  '{"a":nul}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '{"a":"\\u12"}',
  '{"a":"x}',
  '{"a":1}//',
  '{"a":/* */1}',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1,"b":2}}',
  '{"a":"\\ud83d"}',
  '{"a":["\\ud83d","\\ude95x","\\uD83D\\uDE95"]}',
  '{"\\ud83d":1}',
  '{"\\ud83d":null}',
  '{"a":"\\u0000\\u001F\\b\\f\\n\\r\\t\\/\\"\\\\\\u007f\\u2028"}',
  '{"a":["\\u0000\\u001F\\b\\f\\n\\r\\t\\/\\"\\\\\\u007f\\u2028"]}',
  ' {\n"a" : [ 1 , { } , [ ] , { "b" : null } ] } ',
  '{"a":12345678901234567890123,"b":1.0,"c":-0,"d":1E+2,"e":1e400,"f":0.10}',
  '{"X-TMS-Nonce":"body"}',
  '{"X-TMS-Nonce":null}',
  '{"api_key":null,"seq_id":null,"timestamp":null,"nonce":null,"sign":null}',
  `{"a":${'['.repeat(400)}${']'.repeat(400)}}`,
];

/** Edge cases of the format, and random requests with a fixed seed. */
export function randomCases(mode: SignatureMode): readonly Case[] {
  // In a short run, header mode has only the cases with null: both modes read JSON alike.
  const edges = EDGES.filter((edge) => isLong || mode === 'body' || edge.includes('null'));
  const bodies = [...edges, ...fc.sample(body, { seed: 22, numRuns: times(12, 200) })];
  const headers: readonly Header[] =
    mode === 'header'
      ? [
          ['X-TMS-Trace', 'a: b'],
          ['x-tms-Request-ID', ''],
        ]
      : [];
  return bodies.map((text, index) => ({
    title: `random request ${index}: ${text.slice(0, 200)}`,
    body: text,
    apiKey: mode === 'body' ? 'schlüssel "$1" \\' : 'key "$1" \\',
    secret: "p&ss=wörd %20+密'",
    headers,
  }));
}

function businessFields({ request }: Vector): string {
  const members = readBody(Buffer.from(request.body, 'base64').toString());
  const business = members.filter(({ name }) => !(isCommonField(name) || name === 'sign'));
  return printJson({ kind: 'object', members: business });
}

/** The business fields of valid vectors. The sandbox accepts only current common fields. */
export function sandboxCases(mode: SignatureMode): readonly Case[] {
  const bodies = vectors(mode)
    .filter(({ result }) => result === 'valid')
    .map(businessFields);
  return [...new Set(bodies)].slice(0, times(4, bodies.length)).map((text) => ({
    ...SANDBOX_CREDENTIALS,
    title: `to the sandbox: ${text}`,
    body: text,
    headers: [],
  }));
}
