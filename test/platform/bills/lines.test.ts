import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachLine } from '../../../src/platform/bills/read-ledger.ts';

const LONGEST = 256 * 1024;

/** A file in memory that returns at most `atOnce` bytes per read. */
function fileOf(content: string, atOnce = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(content);
  return {
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      const bytesRead = bytes.copy(
        buffer,
        offset,
        position,
        Math.min(position + Math.min(length, atOnce), bytes.length),
      );
      return { bytesRead };
    },
  };
}

async function linesOf(content: string, from = 0, atOnce?: number) {
  const lines: [text: string | undefined, start: number, end: number][] = [];
  const whole = await eachLine(fileOf(content, atOnce), from, (text, { start, end }) =>
    lines.push([text, start, end]),
  );
  return { lines, whole };
}

it('returns every line with its range, for any size of the reads', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '🚕', '\r', '\n', '\n', '\0'),
    maxLength: 40,
  });
  const property = fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (text, atOnce) => {
    const { lines, whole } = await linesOf(text, 0, atOnce);
    const expected = text.split('\n');
    expect(whole).toBe(Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)));
    if (expected.at(-1) === '') expected.pop();
    expect(lines.map(([line]) => line)).toEqual(expected);
    const places = lines.flatMap(([, start, end]) => [start, end]);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    const bytes = Buffer.from(text);
    const parts = lines.map(([, start, end]) => bytes.toString('utf8', start, end));
    expect(parts.join('')).toBe(text);
    expect(parts.map((part) => part.replace(/\n$/, ''))).toEqual(expected);
  });
  await fc.assert(property, { seed: 20_261_124 });
});

it.each([LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 3 * LONGEST + 5])(
  'omits the text of a line that is too long: %i bytes',
  async (length) => {
    const { lines, whole } = await linesOf(`a\n${'x'.repeat(length)}\nb\n`);
    const text = length < LONGEST ? 'x'.repeat(length) : undefined;
    expect(lines).toEqual([
      ['a', 0, 2],
      [text, 2, length + 3],
      ['b', length + 3, length + 5],
    ]);
    expect(whole).toBe(length + 5);
  },
);

it('reports a last line that is too long and has no line break', async () => {
  const { lines, whole } = await linesOf('x'.repeat(LONGEST + 1));
  expect(lines).toEqual([[undefined, 0, LONGEST + 1]]);
  expect(whole).toBe(0);
});

it('begins at the given offset', async () => {
  expect(await linesOf('a\nb\nc', 2)).toEqual({
    lines: [
      ['b', 2, 4],
      ['c', 4, 5],
    ],
    whole: 4,
  });
});
