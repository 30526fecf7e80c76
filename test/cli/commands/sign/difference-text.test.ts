import fastStringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { fieldLines } from '../../../../src/cli/commands/sign/difference-text.ts';
import { Output } from '../../../../src/cli/context/output.ts';
import { compareCanonical, pairsOf } from '../../../../src/signing/compare.ts';
import { type CliWorld, ioOf } from '../../../support/cli.ts';

/** The lines about two strings, without the empty line and the title before the fields. */
async function linesOf(theirs: string, right: string, world: CliWorld = {}): Promise<string[]> {
  const output = new Output(ioOf(world).io, { color: false });
  const lines = await fieldLines(compareCanonical(theirs, pairsOf(right)), 'theirs', output);
  return lines.slice(lines.indexOf('Fields that differ') + 1);
}

describe('fields that differ', () => {
  const right = 'city=杭州&empty=&extra=x&note= 30.1&path=1.0&remark=a b&seq_id=seq-1';
  const theirs = 'city=杭州&note=30.1&other=1&path=1&remark=a\u00a0b&seqId=seq-1';

  const NARROW = [
    '   empty (missing)',
    '     theirs  (absent)',
    '     right   ⟦⟧',
    '   extra (missing)',
    '     theirs  (absent)',
    '     right   ⟦x⟧',
    '   note',
    '     theirs  ⟦⟧30.1',
    '     right   ⟦·⟧30.1',
    '   path',
    '     theirs  1⟦⟧',
    '     right   1⟦.0⟧',
    '   remark',
    '     theirs  a⟦<U+00A0>⟧b',
    '     right   a⟦·⟧b',
    '   seq_id (renamed)',
    '     theirs  seq⟦I⟧d=seq-1',
    '     right   seq⟦_i⟧d=seq-1',
    '   other (extra)',
    '     theirs  ⟦1⟧',
    '     right   (absent)',
  ];

  it.each<[string, CliWorld]>([
    ['in a pipe of any width', { columns: 200 }],
    ['on a narrow terminal', { stdoutIsTerminal: true, columns: 99 }],
    ['on a terminal of unknown width', { stdoutIsTerminal: true, columns: 0 }],
  ])('are under each other %s', async (_, world) => {
    expect(await linesOf(theirs, right, world)).toEqual(NARROW);
  });

  it('are side by side on a wide terminal', async () => {
    expect(await linesOf(theirs, right, { stdoutIsTerminal: true, columns: 100 })).toEqual([
      '   field             theirs         right',
      '   empty (missing)   (absent)       ⟦⟧',
      '   extra (missing)   (absent)       ⟦x⟧',
      '   note              ⟦⟧30.1         ⟦·⟧30.1',
      '   path              1⟦⟧            1⟦.0⟧',
      '   remark            a⟦<U+00A0>⟧b   a⟦·⟧b',
      '   seq_id (renamed)  seq⟦I⟧d=seq-1  seq⟦_i⟧d=seq-1',
      '   other (extra)     ⟦1⟧            (absent)',
    ]);
  });

  it('fit a wide terminal, however long and wide their values', async () => {
    const long = `city=${'杭州西湖'.repeat(40)}&remark=${'x'.repeat(3000)}`;
    const world = { stdoutIsTerminal: true, columns: 120 };
    const lines = await linesOf(long.replaceAll('x', 'y'), long, world);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(fastStringWidth(line)).toBeLessThanOrEqual(120);
  });

  it.each([
    [
      'that look alike are distinguished by their codes',
      'caf\u00e9',
      'cafe\u0301',
      'caf⟦e<U+0301>⟧',
    ],
    ['with the marks themselves', 'a⟦b⟧', 'a⟦b', 'a<U+27E6>b⟦⟧'],
    ['with control characters', 'a', '\u001b]0;t\u0007', '⟦<U+001B>]0;t<U+0007>⟧'],
    ['with several differences', '1,5,30.10', '1.5,30.1', '1⟦.⟧5,30.1⟦⟧'],
  ])('%s', async (_, ours, signed, expected) => {
    const lines = await linesOf(`a=1&z=${signed}`, `a=1&z=${ours}`);
    expect(lines).toContain(`     theirs  ${expected}`);
  });

  it('are not listed for a string without pairs', async () => {
    expect(await linesOf('a=1\nb=2', 'a=1&b=2')).toEqual([
      '   the string has other fields, or its name=value pairs are not joined with "&"',
    ]);
  });
});
