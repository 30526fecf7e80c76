import { crc32, deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Cell, workbookBytes } from '../../src/reconciliation/write-workbook.ts';
import { expectFailure, fileOf, tableOf } from './support.ts';

interface ZipEntry {
  readonly name: string | Buffer;
  readonly content: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
}

/** A ZIP archive (APPNOTE 4.3), with deflated or stored files. */
function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, flags = 0, crc } of entries) {
    const bytes = Buffer.from(content as string);
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const title = Buffer.from(name as string);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc ?? crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), common, title, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, tail, title);
    offset += 4 + common.length + title.length + data.length;
  }
  const end = Buffer.alloc(18);
  const size = Buffer.concat(directory).length;
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const CSV = 'a,b\nx,1.50\n';
const bill = { name: 'bill.csv', content: CSV };

it('reads the only file of an archive', async () => {
  const archives = [
    [bill],
    [{ ...bill, method: 0 }],
    [{ name: 'x/', content: '', method: 0 }, bill, { name: '__MACOSX/._bill.csv', content: 'x' }],
  ];
  for (const entries of archives) {
    const { rows, notes } = await tableOf(fileOf(zipOf(entries), { size: 7 }));
    expect(rows).toEqual([['x', '1.50']]);
    expect(notes).toEqual(['read as: unpacked bill.csv']);
  }
  // 账单 in GBK.
  const name = Buffer.from('d5cbb5a52e637376', 'hex');
  const { notes } = await tableOf(fileOf(zipOf([{ name, content: CSV }])));
  expect(notes).toEqual(['read as: unpacked 账单.csv']);
});

it.each([
  [[bill, { ...bill, name: 'b.csv' }], 'rows is a ZIP archive of 2 files'],
  [[], 'rows is a ZIP archive of 0 files'],
  [[{ ...bill, flags: 1 }], 'rows: bill.csv is encrypted'],
  [[{ ...bill, method: 12 }], 'rows: bill.csv is compressed with method 12'],
  [[{ ...bill, crc: 1 }], 'rows: bill.csv is truncated or damaged'],
  [[{ name: 'content.xml', content: '' }], 'rows is an OpenDocument file (.ods)'],
  [[{ name: 'xl/workbook.bin', content: '' }], 'rows is a binary workbook (.xlsb)'],
  [[{ name: 'a.pdf', content: '%PDF-1.7' }], 'rows (a.pdf) is a PDF document'],
  [[{ name: 'xl/workbook.xml', content: '<x' }], 'rows: the workbook is damaged'],
])('refuses an archive by name: %#', async (entries, message) => {
  await expectFailure(tableOf(fileOf(zipOf(entries))), message);
});

it('refuses a truncated archive', async () => {
  const cut = zipOf([bill]).subarray(0, -10);
  await expectFailure(tableOf(fileOf(cut)), 'rows: the ZIP archive is truncated or damaged');
});

async function workbookOf(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>) {
  const bytes = await workbookBytes(Object.entries(sheets).map(([name, rows]) => ({ name, rows })));
  return Buffer.from(bytes);
}

it('reads the sheets of a workbook, as they were written', async () => {
  const rows: Cell[][] = [
    ['订单', 'amount', 'note'],
    ['007', { number: '12.50' }, '=1+1'],
    ['20261119000000001', { number: '-0.1' }, 'line\nbreak, "x"'],
    ['B', undefined, undefined],
    ['C', { number: '12345678901234567.5' }, ''],
  ];
  const bytes = await workbookOf({
    empty: [],
    first: rows,
    second: [
      ['a', 'b'],
      ['x', '1'],
    ],
  });
  const first = await tableOf(fileOf(bytes, { size: 999 }));
  expect(first.columns).toEqual(['订单', 'amount', 'note']);
  expect(first.rows.map((row) => [row[0], row[1] ?? '', row[2] ?? ''])).toEqual([
    ['007', '12.5', '=1+1'],
    ['20261119000000001', '-0.1', 'line break, "x"'],
    ['B', '', ''],
    ['C', '12345678901234567.5', ''],
  ]);
  expect(first.lines).toEqual([2, 3, 4, 5]);
  for (const sheet of ['second', '3']) {
    expect((await tableOf(fileOf(bytes, { sheet }))).rows).toEqual([['x', '1']]);
  }
  const { details } = await expectFailure(
    tableOf(fileOf(bytes, { sheet: 'third' })),
    'rows has no sheet "third"',
  );
  expect(details.hint).toBe('its sheets are: empty, first, second');
});

/** A workbook as Excel writes it: shared strings, dates by their formats, omitted cells and rows. */
it('reads dates, shared strings and numbers as a person sees them', async () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>${text}`;
  const entries = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${content}.sharedStrings+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="账单" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/><Relationship Id="r3" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy/m/d\\ h:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main} count="4" uniqueCount="4"><si><t>id</t></si><si><t>day</t></si><si><t>amount</t></si><si><r><t>A</t></r><r><t xml:space="preserve"> 1</t></r></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="s"><v>2</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" s="1"><v>46346</v></c><c r="D3"><v>0.10000000000000001</v></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>B</t></is></c><c r="B4" s="2"><v>46346.333345</v></c><c r="D4"><f>1+1</f><v>1234.5</v></c></row></sheetData></worksheet>`,
  };
  const bytes = zipOf(
    Object.entries(entries).map(([name, text]) => ({ name, content: xml(text) })),
  );
  const { columns, rows, lines } = await tableOf(fileOf(bytes));
  expect(columns).toEqual(['id', 'day', '', 'amount']);
  expect(rows).toEqual([
    ['A 1', '2026-11-20', '', '0.1'],
    ['B', '2026-11-20 08:00:01', '', '1234.5'],
  ]);
  expect(lines).toEqual([3, 4]);
});
