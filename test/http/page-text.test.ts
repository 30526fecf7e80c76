import { expect } from 'vitest';
import { decodeText, pageText } from '../../src/http/page-text.ts';
import { testTable } from '../support/rows.ts';

/** The bytes of 系统繁忙 ("system busy") in each charset. */
const BUSY = {
  'utf-8': Buffer.from('系统繁忙'),
  gbk: Buffer.from('cfb5cdb3b7b1c3a6', 'hex'),
  big5: Buffer.from('a874b2cec163a6a3', 'hex'),
  'utf-16le': Buffer.from('系统繁忙', 'utf16le'),
  'utf-16be': Buffer.from('系统繁忙', 'utf16le').swap16(),
};

/** The byte order marks of UTF-16. */
const MARKS = { little: Uint8Array.of(0xff, 0xfe), big: Uint8Array.of(0xfe, 0xff) };

const joined = (...parts: (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));

testTable<readonly [name: string, bytes: Uint8Array, type: string | undefined, text: string]>(
  'the text of an answer has the charset',
  [
    ['UTF-8 by default', BUSY['utf-8'], undefined, '系统繁忙'],
    ['GB18030 if it is not UTF-8', BUSY.gbk, undefined, '系统繁忙'],
    ['GB18030 for bytes of no charset', Buffer.from([0x61, 0xff, 0x62]), undefined, 'a\ufffdb'],
    ['of its header', BUSY.big5, 'text/html; charset=Big5', '系統繁忙'],
    ['of its header in quotes', BUSY.gbk, 'text/html; charset = "GBK"', '系统繁忙'],
    ['of its header in UTF-16', BUSY['utf-16le'], 'text/plain;charset=utf-16le', '系统繁忙'],
    [
      'of a meta element',
      joined('<meta charset=big5>', BUSY.big5),
      '',
      '<meta charset=big5>系統繁忙',
    ],
    [
      'of an old meta element',
      joined('<meta content="text/html; charset=big5">', BUSY.big5),
      'text/html',
      '<meta content="text/html; charset=big5">系統繁忙',
    ],
    [
      'of its XML declaration',
      joined('<?xml version="1.0" encoding="Big5"?>', BUSY.big5),
      'application/xml',
      '<?xml version="1.0" encoding="Big5"?>系統繁忙',
    ],
    [
      'of its header before its own declaration',
      joined('<meta charset=gbk>', BUSY.big5),
      'text/html; charset=big5',
      '<meta charset=gbk>系統繁忙',
    ],
    ['UTF-8 despite a wrong header', BUSY['utf-8'], 'text/html; charset=gbk', '系统繁忙'],
    ['UTF-8 with a byte order mark', joined('\ufeff', BUSY['utf-8']), '', '系统繁忙'],
    ['UTF-16 by its mark', joined(MARKS.little, BUSY['utf-16le']), '', '系统繁忙'],
    ['UTF-16 by the other mark', joined(MARKS.big, BUSY['utf-16be']), '', '系统繁忙'],
    [
      'UTF-8 instead of an unknown one',
      joined(BUSY['utf-8'], Uint8Array.of(0xff)),
      'a/b; charset=x',
      '系统繁忙\ufffd',
    ],
    ['UTF-8 when a character is cut off', BUSY['utf-8'].subarray(0, -1), '', '系统繁\ufffd'],
    ['UTF-8 when two bytes are cut off', BUSY['utf-8'].subarray(0, -2), '', '系统繁\ufffd'],
    ['GB18030 when a character is cut off', BUSY.gbk.subarray(0, -1), '', '系统繁\ufffd'],
    [
      'UTF-16 when a character is cut off',
      joined(MARKS.little, BUSY['utf-16le'].subarray(0, -1)),
      '',
      '系统繁\ufffd',
    ],
    ['of an empty text', Buffer.alloc(0), 'text/html; charset=gbk', ''],
  ],
  ([name]) => name,
  ([, bytes, type, text]) => expect(decodeText(bytes, type)).toBe(text),
);

testTable<readonly [page: string, text: string]>(
  'the text of a page is its visible text',
  [
    ['<html><body><h1>Log in</h1>\n<p>to  continue</p></body></html>', 'Log in to continue'],
    ['<head><title>Portal</title></head><body>Busy</body>', 'Busy'],
    ['<title>Log in</title>', 'Log in'],
    ['<head><title>Log in</title></head><body><script>go()</script></body>', 'Log in'],
    ['<STYLE>p{}</STYLE><!-- <p>old</p> --><script>a<b</script>new', 'new'],
    ['<header>Shop</header><p>closed', 'Shop closed'],
    [
      '5 &lt; 6 &amp;amp; &quot;a&quot;&nbsp;&#24537; &unknown; &#9999999;',
      '5 < 6 &amp; "a" 忙 &unknown; &#9999999;',
    ],
    ['<p>cut off <a href="x', 'cut off'],
    ['', ''],
  ],
  ([page]) => page,
  ([page, text]) => expect(pageText(page)).toBe(text),
);
