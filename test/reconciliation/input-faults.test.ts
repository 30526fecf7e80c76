import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { rowsFile } from './support.ts';

const utf16 = Buffer.from('\ufeffa,b\n1,2\n', 'utf16le');
const gzip = gzipSync(`a,b\n${'1,2\n'.repeat(1000)}`);
const corrupt = Buffer.from(gzip).fill(0xff, 20, 24);
const gb18030 = Buffer.from([0x61, 0x0a, 0xb1, 0xb1, 0xbe, 0xa9, 0x0a, 0xb1, 0x0a]);

/** Files that cannot be read as rows with the column `a`, and the message for each. */
const FAULTS: Readonly<Record<string, readonly [string | Uint8Array, RegExp, Partial<RowsFile>?]>> =
  {
    'an empty file': ['', /^f is empty$/],
    'a file of empty lines': ['\n\r\n\n', /^f is empty$/],
    'a missing column': ['b,c\n1,2\n', /^f has no column "a"$/],
    'a missing column of JSON': ['{"b":1}\n', /^f has no column "a"$/],
    'a column twice': ['a,b,a\n1,2,3\n', /^f has several columns "a"$/],
    'a text for an amount': [
      'a\n1\n\n"2\n3"\n',
      /^f, line 4, column a: "2\\n3" is not a decimal number$/,
    ],
    'a text behind lines in quotes': [
      'b,a\n"x\n\r\ny",1\n\nz,1e3\n',
      /^f, line 6, column a: "1e3" is not/,
    ],
    'a text in JSON': [
      '{"a":1}\n\n{"a":"1,5"}',
      /^f, line 3, column a: "1,5" is not a decimal number$/,
    ],
    'a row that is too short': [
      'a,b\n1,2\n3\n',
      /^f, line 3: number of fields: 1; in the first line: 2$/,
    ],
    'an open quotation mark': [
      'a,b\n"1\n","x\ny"\n\n1,"2\n3,4\n',
      /^f, line 6: a quotation mark is not closed$/,
    ],
    'a mark in a field': ['a,b\n1,2"3"\n', /^f, line 2: a quotation mark is inside/],
    'text behind a mark': ['a,b\n1,"2"3\n', /^f, line 2: text follows a closing/],
    'invalid UTF-8': [
      Buffer.from([0x61, 0x0a, 0xe4, 0xba, 0xac, 0x78, 0xff, 0x0a]),
      /^f, line 2, column 3: the bytes are not valid UTF-8$/,
    ],
    'a character that is cut': [
      Buffer.from([0x61, 0x0a, 0xe4, 0xba]),
      /^f, line 2, column 1: the bytes/,
    ],
    'UTF-16': [utf16, /^f, line 1, column 1: the bytes are not valid UTF-8$/],
    'invalid GB18030': [
      gb18030,
      /^f, line 3, column 1: the bytes are not valid GB18030$/,
      { encoding: 'gb18030' },
    ],
    'gzip that is cut': [gzip.subarray(0, -12), /^f: the gzip data is truncated/],
    'gzip that is corrupt': [corrupt, /^f: the gzip data is not valid$/],
    'an array of JSON': ['[{"a":1}]\n', /^f, line 1: the line is an array, not a JSON object$/],
    'JSON that is cut': ['{"a":1}\n{"a":', /^f, line 2: invalid JSON: /],
    'a line that is too long': [
      'a'.repeat(17 * 1024 ** 2),
      /^f has a line of more than 16777216 bytes$/,
    ],
  };

const file = (content: string | Uint8Array, options: Partial<RowsFile> = {}): RowsFile =>
  rowsFile(content, { path: 'f', ...options });

it.each(Object.entries(FAULTS))('refuses %s', async (name, [content, message, options]) => {
  const expected = { code: 'usage', message: expect.stringMatching(message) };
  const summary = summarizeBill([file(content, options)], { sum: ['a'] });
  await expect(summary).rejects.toMatchObject(expected);
  await expect(summary).rejects.toHaveProperty('details.hint', expect.stringMatching(/./));
  // In pieces of 5 bytes, unless that takes too long.
  const chunkBytes = name.includes('too long') ? 1 << 20 : 5;
  const comparison = compareBill({
    bill: rowsFile('a\n1\n'),
    records: file(content, { ...options, ...{ chunkBytes } }),
    key: ['a'],
    amounts: ['a'],
  });
  await expect(comparison).rejects.toMatchObject(expected);
});

it('lists the columns that exist', async () => {
  await expect(summarizeBill([file('b,c\n')], { by: 'a' })).rejects.toHaveProperty(
    'details.hint',
    expect.stringContaining('b, c'),
  );
});

it('refuses a path without a file', async () => {
  const directory = await temporaryDirectory();
  await expect(summarizeBill([`${directory}/none.csv`])).rejects.toMatchObject({ code: 'usage' });
  await expect(summarizeBill([directory])).rejects.toMatchObject({ code: 'usage' });
});

it('reads GB18030, and a bill in UTF-8 beside it', async () => {
  const gb = Buffer.from([0xb6, 0xa9, 0xb5, 0xa5, 0x0a, 0xb1, 0xb1, 0xbe, 0xa9, 0x0a]);
  const comparison = await compareBill({
    bill: rowsFile('订单\n北京\n', { encoding: 'utf-8-or-gb18030', chunkBytes: 3 }),
    records: rowsFile(gb, { encoding: 'gb18030', chunkBytes: 3 }),
    key: ['订单'],
  });
  expect(comparison).toMatchObject({ matched: 1, onlyInBill: 0, onlyInRecords: 0 });
});

it('refuses a tolerance that is not a number', async () => {
  const bill = (): RowsFile => rowsFile('a\n1\n');
  for (const tolerance of ['-1', 'x', '1%']) {
    const comparison = compareBill({ bill: bill(), records: bill(), key: ['a'], tolerance });
    await expect(comparison).rejects.toMatchObject({ code: 'usage' });
  }
});
