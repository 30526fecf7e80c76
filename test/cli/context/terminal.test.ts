import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStyle, loadStyles } from '../../../src/cli/context/style.ts';
import { withSafeTerminals } from '../../../src/cli/context/terminal.ts';
import { CHARACTER } from '../../support/character.ts';
import { mop, outputStream } from '../../support/cli.ts';
import { md5, scriptedPlatform } from '../../support/platform.ts';
import { envelope } from '../../support/server.ts';
import { file } from '../support.ts';

/** Colours, the title of a window, an 8-bit sequence, a reversal, a zero-width space, a return. */
const HOSTILE = '\u001b[31m\u001b]0;t\u0007\u009b2J\u202e\u200b\rok';
const FORGED = '\u001b[31;1;2;3;4m';
const SHOWN = '<U+001B>[31m<U+001B>]0;t<U+0007><U+009B>2J<U+202E><U+200B><CR>ok';
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Writes pieces to an output, and returns all that arrives. */
function written(pieces: readonly (string | Uint8Array)[], isTTY: boolean): Buffer {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const stream = outputStream(Object.assign(sink, { isTTY }));
  const { stdout } = withSafeTerminals({ stdout: stream, stderr: stream } as never);
  for (const piece of pieces) stdout.write(piece);
  return Buffer.concat(chunks);
}

const pieces = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom(...HOSTILE, FORGED, '订单', '\ud83d', '\ude00'),
    fc.string({ unit: CHARACTER, maxLength: 8 }),
  ),
);

it('sends no control character from outside to a terminal, however it is split', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      expect(written(pieces, true).toString()).not.toMatch(UNSAFE);
    }),
  );
});

it('prints a line end of Windows as a line end, and a return alone visibly', () => {
  expect(written(['a\r\nb\rc'], true).toString()).toBe('a\nb<CR>c');
});

it('changes no byte of a file or pipe', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      expect(written(pieces, false)).toEqual(
        Buffer.concat(pieces.map((each) => Buffer.from(each as string))),
      );
    }),
  );
});

it('joins characters that are split between two chunks', () => {
  const text = `订单 ${HOSTILE} 😀\n`;
  const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
  expect(written(bytes, true).toString()).toBe(`订单 ${SHOWN} 😀\n`);
  expect(written([Buffer.from('订').subarray(0, 2), 'x'], true).toString()).toBe('\ufffdx');
});

it('keeps styles, also around hostile text, and removes their key elsewhere', async () => {
  await loadStyles();
  const { red } = createStyle(true);
  const text = `${red.bold(`a${HOSTILE}${FORGED}`)}b`;
  const [open, close] = ['\u001b[31m\u001b[1m', '\u001b[22m\u001b[39m'];
  expect(written([text], true).toString()).toBe(`${open}a${SHOWN}<U+001B>[31;1;2;3;4m${close}b`);
  expect(written([text], false).toString()).toBe(`${open}a${HOSTILE}${FORGED}${close}b`);
});

/** A platform and a GraphQL endpoint whose answers, and bill, are hostile. */
async function hostileServer(): Promise<Record<string, string>> {
  const bill = Buffer.from(HOSTILE);
  const platform = await scriptedPlatform({
    descriptor: { hash_value: md5(bill) },
    download: (response) => response.end(bill),
    call: (response, _, { path }, correct) => {
      if (path.endsWith('/graphql')) {
        return response.end(
          JSON.stringify({ data: { a: HOSTILE }, errors: [{ message: HOSTILE }] }),
        );
      }
      if (path.endsWith('/bill')) return response.end(correct);
      if (path.endsWith('/decode')) return envelope(response, 0, { json_string: HOSTILE });
      return envelope(response, 2001, {}, HOSTILE);
    },
  });
  return { ...platform.env, MOP_GQL_URL: `${platform.url}/graphql` };
}

const SIGN = ['sign', JSON.stringify({ a: HOSTILE }).replaceAll('\\u001b', '\u009b')];

it.each([
  { argv: ['gql', '{ a }', '--allow-partial', '--raw'] },
  { argv: ['gql', '{ a }'] },
  { argv: ['gql', '{ a }', '--debug', '--verbose'] },
  { argv: ['gql', 'schema', 'SDL'], raw: true },
  { argv: ['call', 'user/sync', '{}'] },
  { argv: ['call', 'user/sync', '{}', '--json'] },
  { argv: ['decode', 'x', '1', '--raw'], raw: true },
  { argv: ['bill', 'fetch', '2026-11-19', '-o', '-'], raw: true },
  { argv: ['bill', 'summary', 'CSV', '--by', 'id'] },
  { argv: ['bill', 'compare', 'CSV', '--with', 'RECORDS', '--key', 'id'] },
  { argv: ['config', 'get', 'api_key'], raw: true },
  { argv: ['config', 'list'] },
  { argv: [...SIGN, '--as', 'curl'] },
  { argv: [...SIGN, '--as', 'python'] },
  { argv: ['sign', 'explain', ...SIGN.slice(1)] },
  { argv: ['help', HOSTILE] },
])('$argv prints the controls of others visibly on a terminal', async ({ argv, raw = false }) => {
  const env = { ...(await hostileServer()), ...(argv[0] === 'config' && { MOP_API_KEY: HOSTILE }) };
  const paths: Record<string, string> = {
    SDL: await file(`"""${HOSTILE.replace('\r', '')}"""\ntype Query { a: Int }\n`),
    CSV: await file(`id,n\n${HOSTILE.replace('\r', '')},1\n`),
    RECORDS: await file('id,n\n2,1\n'),
  };
  const words = argv.map((word) => paths[word] ?? word);
  const shown = await mop(words, { env, stdoutIsTerminal: true, stderrIsTerminal: true });
  const text = shown.stdout + shown.stderr;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles, and the progress of ora.
  expect(text.replace(/\u001b\[(?:\?\d+[hl]|\d+m)/g, '')).not.toMatch(UNSAFE);
  expect(text).toMatch(/<U\+009B>|\\u009b/i);
  expect(text).not.toContain('\u001b[31m<U+001B>]');
  if (raw) expect((await mop(words, { env })).stdout).toContain('\u001b]0;t\u0007\u009b');
});
