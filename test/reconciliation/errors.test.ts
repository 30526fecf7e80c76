import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { testTable } from '../support/rows.ts';
import { expectFailure, fileOf, gzipped, withTmpdir } from './support.ts';

interface Fault {
  readonly title: string;
  readonly content: string | Uint8Array;
  readonly message: string | RegExp;
  readonly hint?: RegExp;
  readonly encoding?: RowsFile['encoding'];
}

const HEADER = 'order,amount\n';
const GOOD = `${HEADER}1,1.00\n`;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const joined = (...parts: (string | Uint8Array | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))),
  );

const INVALID_TEXT: readonly Fault[] = [
  {
    title: 'bytes of Latin-1',
    content: latin1(`${HEADER}1,1.00\n\u00e9t\u00e9,2.00\n`),
    message: 'rows is neither UTF-8 nor GB18030',
    hint: /--encoding windows-1252/,
  },
  {
    title: 'a byte after multi-byte characters',
    content: joined(HEADER, '1,上海🚕x', [0xff], '\n'),
    message: 'rows, line 2, column 7: the bytes are not valid UTF-8',
  },
  {
    title: 'a character truncated by a line break',
    content: joined(HEADER, '1,上', [0xe6, 0xb5], '\n2,1.00\n'),
    hint: /gb18030/,
    message: 'rows, line 2, column 4: the bytes are not valid UTF-8',
  },
  {
    title: 'a character truncated by the end of the file',
    content: joined(HEADER, '1,', [0xf0, 0x9f]),
    message: 'rows, line 2, column 3: the bytes are not valid UTF-8',
  },
  {
    title: 'a byte on the first line, after a byte order mark',
    content: joined('\ufeffab', [0x80], '\n'),
    message: 'rows, line 1, column 3: the bytes are not valid UTF-8',
  },
  {
    title: 'half of a surrogate pair',
    content: joined(HEADER, '上', [0xed, 0xa0, 0x80], ',1\n'),
    message: 'rows, line 2, column 2: the bytes are not valid UTF-8',
  },
  {
    title: 'UTF-16 without a byte order mark',
    content: Buffer.from(GOOD, 'utf16le'),
    message: 'rows is UTF-16 without a byte order mark',
    hint: /--encoding utf-16le/,
  },
  {
    title: 'a damaged archive',
    content: joined('PK\u0003\u0004', [0xff, 0xfe, 0xff]),
    message: 'rows: the ZIP archive is truncated or damaged',
  },
  {
    title: 'UTF-8 read as GB18030',
    content: joined(HEADER, '1,上', [0xff], '\n'),
    encoding: 'gb18030',
    message: /^rows, line 2, column \d: the bytes are not valid GB18030$/,
    hint: /--encoding/,
  },
  {
    title: 'an invalid byte of GB18030',
    // 上海 is c9cf baa3.
    content: joined(HEADER, '1,', [0xc9, 0xcf, 0xba, 0xa3, 0xff], '\n'),
    encoding: 'gb18030',
    message: 'rows, line 2, column 5: the bytes are not valid GB18030',
  },
];

const NOT_ROWS: readonly Fault[] = [
  { title: 'an empty file', content: '', message: 'rows is empty' },
  { title: 'a blank file', content: '\n\r\n\n', message: 'rows is empty' },
  { title: 'a byte order mark alone', content: '\ufeff', message: 'rows is empty' },
  { title: 'an empty file in gzip', content: gzipped(''), message: 'rows is empty' },
  {
    title: 'an open quotation mark',
    content: `${HEADER}1,1.00\n2,"1.00\n3,1.00\n4,1.00\n`,
    message: 'rows, line 3: a quotation mark is not closed',
  },
  {
    title: 'an open quotation mark at the end of the file',
    content: `${HEADER}1,1.00\n"`,
    message: 'rows, line 3: a quotation mark is not closed',
  },
  {
    title: 'text after a closing quotation mark',
    content: `${HEADER}1,1.00\n\n"2"x,1.00\n`,
    message: 'rows, line 4: text follows a closing quotation mark',
  },
  {
    title: 'too many columns',
    content: `${'a,'.repeat(4096)}a\n${'1,'.repeat(4096)}1\n`,
    message: 'rows has more than 4096 columns',
    hint: /--delimiter/,
  },
  {
    title: 'too many names in JSON lines',
    content: Array.from({ length: 4097 }, (_, at) => `{"a${at}":1}\n`).join(''),
    message: 'rows has more than 4096 columns',
  },
  {
    title: 'a row that is too long',
    content: `${HEADER}1,1.00,2\n3,1.00\n`,
    message: 'rows: line 2 has 3 fields, and the header has 2',
  },
  {
    title: 'a second table',
    content: `${HEADER}A1,1.00\nA2,2.00\n\na,b,c\nx,1,2\n`,
    message: 'rows: line 5 has 3 fields, and the header has 2',
    hint: /--header-line/,
  },
  {
    title: 'an HTML page',
    content: '\n<!DOCTYPE html><html><head><title>502 Bad Gateway</title>',
    message: 'rows is an HTML page ("502 Bad Gateway"), not a table',
  },
  {
    title: 'XML',
    content: '<?xml version="1.0"?><rows/>',
    message: 'rows is an XML document, not a table',
  },
  {
    title: 'a sentence',
    content: 'The service is not available now, please try again later.\n',
    message: /^rows is not a table: its text begins with "The service/,
  },
  {
    title: 'an answer with an error',
    content: '{"code":1002,"msg":"sign error"}',
    message: /^rows is an answer with an error /,
  },
  {
    title: 'a JSON object on several lines',
    content: '{\n"a":1\n}\n',
    message: 'rows is a JSON document, not a table',
  },
  ...[
    ['d0cf11e0a1b11ae1', /^rows is an Excel workbook of the old format/],
    ['255044462d312e37', /^rows is a PDF document$/],
    ['28b52ffd04000000', /^rows is compressed with zstd$/],
  ].map(([magic, message]) => ({
    title: `a file that begins with ${magic}`,
    content: Buffer.from(`${magic}`, 'hex'),
    message: message as RegExp,
  })),
  {
    title: 'a JSON array',
    content: '[{"order":1,"amount":2}]\n',
    message: 'rows is a JSON document, not a table',
    hint: /jq -c/,
  },
  {
    title: 'a JSON number between objects',
    content: '{"order":1,"amount":2}\n\n7\n',
    message: /^rows, line 3: the line is a number, not a JSON object$/,
  },
  {
    title: 'invalid JSON',
    content: '{"order":1,"amount":2}\n{"order":1,amount:2}\n',
    message: /^rows, line 2, column \d+: invalid JSON: /,
  },
  {
    title: 'a truncated last line of JSON',
    content: '{"order":1,"amount":2}\n{"order":1,"amou',
    message: /^rows, line 2, column \d+: invalid JSON: /,
  },
];

const WRONG_VALUES: readonly Fault[] = [
  {
    title: 'a text in a column of amounts',
    content: `${HEADER}1,1.00\n2,pending\n3,1.00\n`,
    message: 'rows, line 3, column amount: "pending" is not an amount',
    hint: /--where/,
  },
  {
    title: 'after a byte order mark, quoted line breaks and empty lines',
    content: `\ufeff${HEADER}\n"1\n\n1",1.00\n\n\n"2\r\n",1.00\n3,x\n`,
    message: 'rows, line 10, column amount: "x" is not an amount',
  },
  {
    title: 'with CRLF, after amounts with a decimal point',
    content: `${HEADER}1,1.00\n\n"2\n",1.00\n3,"1,5"\n`.replaceAll('\n', '\r\n'),
    message: 'rows, line 6, column amount: "1,5" has the decimal mark ,, after amounts with .',
  },
  {
    title: 'another currency',
    content: `${HEADER}1,$1.00\n2,€2.00\n`,
    message: 'rows, line 3, column amount: "€2.00" is in EUR, after amounts in USD',
  },
  {
    title: 'in a field with a line break',
    content: `${HEADER}1,1.00\n2,"1\n2"\n`,
    message: 'rows, line 3, column amount: "1\\n2" is not an amount',
  },
  {
    title: 'in JSON',
    content: '{"order":"1","amount":1}\n\n{"order":"2","amount":1e3}\n',
    message: 'rows, line 3, column amount: "1e3" is not an amount',
  },
  {
    title: 'a boolean in JSON',
    content: '{"order":"1","amount":true}\n',
    message: 'rows, line 1, column amount: "true" is not an amount',
  },
  {
    title: 'a missing column',
    content: 'order,fee\n1,2\n',
    message: 'rows has no column "amount"',
    hint: /^its columns are: order, fee(?:; repeat|$)/,
  },
  {
    title: 'a missing member of JSON',
    content: '{"order":1,"Amount":2}\n',
    message: 'rows has no column "amount"',
    hint: /^its columns are: order, Amount(?:; repeat|$)/,
  },
  {
    title: 'two columns of the same name',
    content: 'order,amount,amount\n1,2,3\n',
    message: 'rows has several columns "amount"',
    hint: /--no-header/,
  },
];

const CORRUPT_GZIP = gzipped(`${HEADER}${'1,1.00\n'.repeat(1000)}`);

const GZIP: readonly Fault[] = [
  {
    title: 'gzip in gzip',
    content: gzipped(gzipped(GOOD)),
    message: 'rows contains a gzip file',
  },
  ...[1, 10, Math.floor(CORRUPT_GZIP.length / 2), CORRUPT_GZIP.length - 8].map((cut) => ({
    title: `gzip without its last ${cut} bytes`,
    content: CORRUPT_GZIP.subarray(0, -cut),
    message: 'rows: the gzip data is truncated: it ends too early',
  })),
  {
    title: 'gzip with a wrong checksum',
    content: joined(CORRUPT_GZIP.subarray(0, -8), [1, 2, 3, 4], CORRUPT_GZIP.subarray(-4)),
    message: 'rows: the gzip data is not valid',
  },
  {
    title: 'random bytes after the gzip header',
    content: joined(CORRUPT_GZIP.subarray(0, 10), new Uint8Array(100).fill(0xff)),
    message: 'rows: the gzip data is not valid',
  },
];

for (const [group, faults] of Object.entries({ INVALID_TEXT, NOT_ROWS, WRONG_VALUES, GZIP })) {
  testTable(
    `is a usage error, and nothing is written: ${group}`,
    faults,
    ({ title }) => title,
    expectFault,
  );
}

testTable(
  'is the same error in chunks of 1 to 7 bytes',
  [...INVALID_TEXT, ...NOT_ROWS, ...WRONG_VALUES, ...GZIP].filter(
    ({ content }) => content.length < 2000,
  ),
  ({ title }) => title,
  async ({ content, message, encoding }) => {
    for (const size of [1, 2, 3, 4, 5, 6, 7]) {
      const file = fileOf(content, { size, encoding });
      await expectFailure(summarizeBill([file], { sum: ['amount'] }), message);
    }
  },
);

it('refuses a row of more than 16 MiB', async () => {
  const open = fileOf(`${HEADER}"\n",1.00\n1,"1.00\n${'2,1.00\n'.repeat(2_500_000)}`);
  await expectFailure(summarizeBill([open]), 'rows, line 4: a quotation mark is not closed');
  const json = fileOf(Buffer.alloc(17 * 1024 ** 2, '{"a":1,'), { size: 1024 ** 2 });
  await expectFailure(summarizeBill([json]), 'rows has a line of more than 16777216 bytes');
});

it('is a usage error when a path is not a file', async () => {
  const directory = await temporaryDirectory();
  const missing = join(directory, 'missing.csv');
  await expectFailure(summarizeBill([missing]), `there is no file ${missing}`);
  await expectFailure(summarizeBill([directory]), `${directory} is a directory`);
  const out = join(directory, 'out');
  for (const bill of [missing, directory]) {
    const records = fileOf(GOOD);
    await expectFailure(compareBill({ bill, records, key: ['order'], out }), /missing|directory/);
  }
  expect(await readdir(directory)).toEqual([]);
});

async function expectFault({ content, encoding, message, hint = /./ }: Fault): Promise<void> {
  await withTmpdir(async (directory) => {
    const faulty = () => fileOf(content, { encoding });
    const good = () => fileOf(GOOD, { path: 'good' });
    const compared = { key: ['order'], amounts: ['amount'], out: join(directory, 'out') };
    const runs = [
      () => summarizeBill([good(), faulty()], { sum: ['amount'] }),
      () => compareBill({ ...compared, bill: faulty(), records: good() }),
      () => compareBill({ ...compared, bill: good(), records: faulty() }),
    ];
    for (const run of runs) {
      const { details } = await expectFailure(run(), message);
      expect(details.hint).toMatch(hint);
    }
    expect(await readdir(directory)).toEqual([]);
  });
}
