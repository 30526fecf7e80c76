import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { parseJson } from '../../../src/json/parse.ts';
import {
  type CapturedRequest,
  FORMAT_NAMES,
} from '../../../src/signing/capture/captured-request.ts';
import { type CaptureOptions, readCapture } from '../../../src/signing/capture/read-capture.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { fuzz, times } from '../scale.ts';
import { FILES, randomCommand } from './random-commands.ts';
import { mistakenCapture } from './signed-captures.ts';
import { awkwardText, expectLinearTime, many, withinSeconds } from './support.ts';

const options: fc.Arbitrary<CaptureOptions> = fc.record(
  {
    entry: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      fc.integer({ min: -1, max: 4 }),
    ),
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      fc.array(fc.tuple(fc.constantFrom('x-tms-sign', 'Content-Type', 'é'), awkwardText), {
        maxLength: 2,
      }),
    ),
  },
  { requiredKeys: [] },
);

const SECONDS = times(4, 20);
/** The number of headers or fields in the longest inputs. */
const ITEMS = times(8000, 100_000);
const CHARACTERS = times(64_000, 1_000_000);

function harOf(request: object): string {
  return JSON.stringify({ log: { entries: [{ request }] } });
}

/** Checks the guarantees of a capture. Returns whether it was a request. */
async function check(input: string | Uint8Array, options: CaptureOptions = {}): Promise<boolean> {
  const requested: string[] = [];
  const readFile = async (path: string) => {
    requested.push(path);
    const content = FILES[path];
    if (content === undefined) throw new Error('ENOENT: no such file');
    return Buffer.from(content, 'latin1');
  };
  let read: CapturedRequest;
  try {
    read = await withinSeconds(SECONDS, () => readCapture(input, { ...options, readFile }));
  } catch (error) {
    if (!(error instanceof MopError) || error.code !== 'usage') throw error;
    expect(error.details.hint).toMatch(/^[^\n]+$/);
    expect(error.message).toMatch(/^[^\n]{1,400}$/u);
    return false;
  } finally {
    const text = typeof input === 'string' ? input : Buffer.from(input).toString();
    // Only files after an @ or a < are requested.
    if (requested.length > 0) expect(text).toMatch(/[@<]/);
    expect(requested).not.toContain('-');
  }
  expectRequest(read);
  return true;
}

function expectRequest({ format, method, url, headers, body, notes }: CapturedRequest): void {
  expect(Object.keys(FORMAT_NAMES)).toContain(format);
  expect([typeof method, typeof url]).toEqual(
    format === 'json'
      ? ['undefined', 'undefined']
      : [expect.stringMatching(/string|undefined/), expect.stringMatching(/string|undefined/)],
  );
  expect(
    headers.every(({ length, ...pair }) => length === 2 && Object.values(pair).every(isText)),
  ).toBe(true);
  expect(notes.every((note) => /^[^\n]+$/.test(note))).toBe(true);
  if (typeof body === 'string') expect(parseJson(body).kind).toBe('object');
  else
    expect(
      body.every(
        (field) => isText(field.name) && isText('file' in field ? field.file : field.value),
      ),
    ).toBe(true);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Inputs of the given part of the usual size. */
function hostileInputs(part: number): readonly (readonly [string, string | Uint8Array])[] {
  const items = ITEMS * part;
  const fill = (piece: string, size = CHARACTERS) => many(piece, size * part);
  return [
    ['backslashes', `curl -d ${fill('\\')}`],
    ['quotes', `curl -d ${fill('"')}`],
    ['single quotes', `curl -d ${fill("'")}`],
    ['ANSI-C quotes', `curl -d {} ${fill("$''")}`],
    ['open expansions', fill('$(')],
    ['nested expansions', `curl -d {} "${fill('$(')}${fill(')', CHARACTERS / 2)}"`],
    [
      'different expansions',
      `curl -d {} ${Array.from({ length: items }, (_, at) => `$a${at}`).join(' ')}`,
    ],
    ['open braces', `curl -d {} ${fill('${')}`],
    ['backticks', `curl -d {} ${fill('`a`')}`],
    ['continuations', `curl -d {} ${fill('\\\n')}`],
    ['continuations of PowerShell', `curl -d {} ${fill('`\n')}`],
    ['carets', `curl ^"a^" -d ${fill('^')}`],
    ['carets at line ends', `curl ^"a^" -d {} ${fill('^\r\n')}`],
    ['unknown options', `curl -d {} ${fill('--no-such ')}`],
    ['abbreviated options', `curl -d {} ${fill('--da ')}`],
    ['requests after the first', `curl -d {} ${fill('--next ')}`],
    ['headers of a command', `curl -d {} ${'-H a:b '.repeat(items)}`],
    ['fields of a command', `curl ${'-F a=@f '.repeat(items)}`],
    ['pieces of data', `curl ${'--data-urlencode é@f4 '.repeat(items)}`],
    ['headers of a message', `POST /a\n${'A: b\r\n'.repeat(items)}\r\n{}`],
    ['headers of a HAR file', harOf({ headers: Array(items).fill({ name: 'a', value: 'b' }) })],
    ['fields of a HAR file', harOf({ postData: { params: Array(items).fill({ name: 'sign' }) } })],
    ['nested requests of a HAR file', `{"log":{"entries":[{"request":${'{"request":'.repeat(400)}`],
    [
      'HAR files in a HAR file',
      Array.from({ length: 12 }).reduce<string>((text) => harOf({ postData: { text } }), '{}'),
    ],
    ['arrays', `{"log":{"entries":[${'['.repeat(items)}`],
    ['a header', `POST /a\nA: ${fill('b')}\n\n{}`],
    ['line ends', `POST /a\n${fill('\r')}\n\n{}`],
    [
      'parameters of a part',
      `POST /a\n\n--b\nContent-Disposition: form-data${fill('; a="\\"')}\n\n--b--`,
    ],
    ['spaces after a boundary', `POST /a\n\n--b${fill(' ')}`],
    [
      'boundaries of dashes',
      `POST /a\nContent-Type: multipart/form-data; boundary=${'-'.repeat(200)}\n\n${fill('-')}`,
    ],
    ['chunks without an end', `POST /a\nTransfer-Encoding: chunked\n\n${fill('0')}`],
    ['NULs', new Uint8Array(1_000_000 * part)],
    ['invalid UTF-8', new Uint8Array(1_000_000 * part).fill(0xff)],
    ['UTF-16', Buffer.from(`\ufeff{"a":"${fill('é')}"}`, 'utf16le')],
    ['a name before curl', `${fill('a', 9000)}@ curl -d {}`],
    ['slashes before curl', `${fill('/\\', 9800)}curl -d {}`],
    ['assignments before curl', `${fill("A=''", 8000)} curl -d {}`],
    ['comments before curl', `${fill('#\n \n', 8000)}curl -d {}`],
  ];
}

describe('the reader of captures', () => {
  it('reads requests with mistakes, or reports the fault', async () => {
    const outcomes = { read: 0, refused: 0 };
    const property = fc.asyncProperty(mistakenCapture, options, async (input, options) => {
      outcomes[(await check(input, options)) ? 'read' : 'refused']++;
    });
    await fc.assert(property, fuzz(20_261_211));
    // Both outcomes must be common; otherwise the test proves little.
    const { read, refused } = outcomes;
    expect(Math.min(read, refused)).toBeGreaterThan((read + refused) / 20);
  });

  it('reads commands with any options in any quotes, or reports the fault', async () => {
    const outcomes = { read: 0, refused: 0 };
    const property = fc.asyncProperty(randomCommand, async (text) => {
      outcomes[(await check(text)) ? 'read' : 'refused']++;
    });
    await fc.assert(property, fuzz(20_261_212));
    const { read, refused } = outcomes;
    expect(Math.min(read, refused)).toBeGreaterThan((read + refused) / 20);
  });

  it('reports the expected format for any other text', async () => {
    const input = fc.oneof(awkwardText, fc.uint8Array({ maxLength: 100 }));
    const start = fc.constantFrom('', 'curl ', 'POST /', 'POST / HTTP/1.1\n\n', '{', '\xff\xfe');
    const property = fc.asyncProperty(start, input, async (start, input) => {
      const end = typeof input === 'string' ? Buffer.from(input) : input;
      await check(Buffer.concat([Buffer.from(start, 'latin1'), end]));
    });
    await fc.assert(property, fuzz(20_261_213));
  });

  const small = new Map(hostileInputs(1 / 8));

  it.each(hostileInputs(1))('takes linear time: %s', async (subject, large) => {
    await expectLinearTime(small.get(subject) ?? '', large, (input) => check(input));
  });

  it('takes less than two seconds: prompt characters', async () => {
    const text = `${'a'.repeat(3000)}:${'>'.repeat(6000)}`;
    await withinSeconds(2, () => readCapture(text)).catch((error: unknown) => {
      if (!(error instanceof MopError)) throw error;
    });
  });
});

it('reads no file without the option readFile', async () => {
  const canary = join(await temporaryDirectory(), 'canary');
  await writeFile(canary, '{"canary":"seen"}');
  const options = [
    '-d @',
    '--json @',
    '--data-binary @',
    '--data-urlencode @',
    '-H @',
    '-F a=@',
    '-F "a=<',
  ];
  for (const option of options) {
    const text = `curl http://host/ ${option}${canary}${option.includes('"') ? '"' : ''} -F a=b`;
    const outcome: unknown = await readCapture(text).catch((error: unknown) => error);
    expect(JSON.stringify(outcome, Object.getOwnPropertyNames(outcome))).not.toContain('seen');
  }
});
