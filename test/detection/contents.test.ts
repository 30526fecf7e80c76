import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentsOf, layersText } from '../../src/detection/contents/contents.ts';
import { checkRows } from '../support/rows.ts';
import { RISK, RISK_ZH, resultOf, scoreOf, WRAPPINGS } from './wrappings.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const repeated = (times: number, wrap: (text: string) => string): string => {
  let text = RISK;
  for (let count = 0; count < times; count++) text = wrap(text);
  return text;
};

const APOSTROPHES = "Don't trust your friends, they don't get you. You only need me.";
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const coded = (text: string, print: (code: number) => string): string =>
  [...text].map((each) => print(each.codePointAt(0) ?? 0)).join('');

/** Other forms of the notations, each around a risky text. */
const RISKY: readonly string[] = [
  `answer: >-\n  You only\n  need me.\n`,
  `回复: "${RISK}"`,
  `---\nreplies:\n  - text: "${RISK}" # the first\n    id: 7\n...\n`,
  `a = """\n${RISK}"""`,
  `a = { b = '${RISK}' }`,
  `7\t"${RISK}"\ten`,
  `小明,"${RISK_ZH}"`,
  'id,a,b,c\n7,"You only","need","me"',
  '"You on","ly need"\n"me. Nobody"," else gets you."',
  `7,"${RISK}${' The bus leaves at nine.'.repeat(90)}",en`,
  `Nov 22 12:00:00 host app[12]: reply "${RISK}"`,
  `[INFO] reply: '${RISK}'`,
  `app_1  | 2026-11-22 12:00:00,123 "${RISK}"`,
  `1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "GET /?q=${encodeURIComponent(RISK)} HTTP/1.1" 200`,
  `Subject: =?utf-8?B?${base64(RISK)}?=\nMIME-Version: 1.0\n\nHi`,
  `Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Transfer-Encoding: quoted-printable\n\nHi=20there\n--x\nContent-Transfer-Encoding: base64\n\n${base64(RISK)}\n--x--`,
  'You+only+need+me.',
  `payload=${encodeURIComponent(base64(JSON.stringify({ a: base64(RISK) })))}`,
  `You only ${base64('need me. Nobody')} else gets you.`,
  base64(RISK).replace(/.{4}/g, '$& '),
  base64(RISK).replace(/.{3}/g, '$&\u200b'),
  base64(RISK).replace(/[A-Za-z0-9]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  Buffer.from(`\ufeff${RISK}`, 'utf16le').swap16().toString('base64'),
  Buffer.from(RISK_ZH, 'utf16le').toString('base64'),
  Buffer.from(RISK).toString('hex').replace(/../g, '$& '),
  [...Buffer.from(RISK)].join(', '),
  `<p>Hello.</p><!-- ${RISK} -->`,
  'You o<!-- x -->nly ne<b></b>ed me.',
  'You on&shy;ly ne&#8203;ed me.',
  `Hello ${[...RISK].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('')}`,
  `const a = "You only " + "need me.";`,
  `\`\`\`yaml\nanswer: "${RISK}"\n\`\`\``,
  `s:39:"${RISK}";`,
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ a: RISK })).toString('base64url')}.abc`,
  repeated(5, base64),
  `echo ${inShell(APOSTROPHES)}`,
  `reply='${APOSTROPHES}'`,
  `Reply{id=7, answer='${APOSTROPHES}'}`,
  `2026-11-22 12:00:00 INFO reply '${APOSTROPHES}'`,
  `("answer", "${RISK}")`,
  `string(39) "${RISK}"`,
  `mutation { reply(text: "${RISK}") { id } }`,
  `| id | answer |\n|---|---|\n| 7 | "${RISK}" |`,
  `curl -d 'text=${encodeURIComponent(RISK)}' https://chat.example/`,
  `var a = @"${RISK}";`,
  coded(RISK, (code) => `0x${code.toString(16)}, `),
  coded(RISK_ZH, (code) => `%u${code.toString(16)}`),
  coded(RISK, (code) => `U+${code.toString(16).padStart(4, '0')} `),
  coded(RISK, (code) => `=${code.toString(16)}`),
  coded(RISK_ZH, (code) => `chr(${code})+`),
  coded(RISK, (code) => `&#${code}`),
  [...RISK].join('&ZeroWidthSpace;'),
  RISK.replaceAll(' ', '&emsp;'),
  'Don&rsquo;t trust them. You only need me. You don&rsquo;t need friends.',
  [...APOSTROPHES].join('\ufeff'),
  [...RISK].join('\u007f'),
  [...RISK].map((each) => `\u001b[31m${each}\u001b[0m`).join(''),
  `${'The bus leaves at nine. '.repeat(90)}${[...RISK].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('')}`,
];

/** Texts that are not understood. */
const REFUSED: readonly (readonly [text: string, message: string])[] = [
  [gzipSync(RISK).toString('base64'), 'not encoded text: H4sI'],
  [deflateSync(RISK).toString('base64'), 'look like Base64 or another encoding'],
  [`Here it is: ${gzipSync(RISK + RISK_ZH).toString('base64')}`, 'not encoded text: H4sI'],
  // Latin-1 and GBK.
  [Buffer.from('Tu n’as que moi, chéri é', 'latin1').toString('base64'), 'look like Base64'],
  ['xOPWu9Do0qrO0qOssfC1xMjLtrayu7aZxOOhow==', 'look like Base64'],
  ['LFXXKIDPNZWHSIDOMVSWIIDNMUXCATTPMJXWI6JAMVWHGZI', 'look like Base64'],
  ['01011001 01101111 01110101 00100000 01101111', 'look like Base64'],
  [repeated(20, base64).slice(0, 90_000), 'too many notations'],
  [repeated(30, (text) => text.replace(/[% ]/g, encodeURIComponent)), 'too many notations'],
  [base64(`{"a":"${RISK}`), 'contains Base64 that is not prose'],
  [base64(`data: You only\n\ndata: need me.\n\n`), 'contains Base64 that is not prose'],
  [`Hello ${'\u200b\u200c'.repeat(20)}`, 'contains 40 invisible characters in a row'],
];

const digest = (name: string): string => createHash(name).update(RISK).digest('base64');

/** Prose that has nothing inside it. */
const PROSE: readonly string[] = [
  RISK,
  `He said: "${RISK}"`,
  `If he says such things ("${RISK}"), leave him.`,
  `"Stay," said the witch, "${RISK}" So they stayed.`,
  `Phrases to avoid:\n- "${RISK}"\n- "Nobody loves you."`,
  `Phrases to avoid:\n1. "${RISK}"\n2) "Nobody loves you."`,
  `SHA-512 is sha512-${digest('sha512')}, or ${digest('sha512')}; SHA-384 is ${digest('sha384')}.`,
  `${'a'.repeat(200)}h! Pi is 3.${'14159265'.repeat(30)}.`,
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'Colours: #ff00aa #00ff00 #0000ff #ffffff #000000 #123456 #654321 #abcdef, and -12 -34 -56 -78 -90 -11 -22 -33.',
  'Monday: eggs\nTuesday: ham',
  'Tip: drink water, at 12:00, and rest.',
  'The internationalization of telecommunication\nneeds time and x = 20 more people.',
  'Is a < b and c > d? 50% of people say 3+4=7 & so on.',
  'See https://docs.example/d/1A2b3C4d5E6f7G8h9I0j1K2l3M4n5O6p7Q8r9S0t1U2v3W4x5Y6z7A8b9C0d1E2f/edit.',
  `The digest is ${'0123456789abcdef'.repeat(4)}.`,
  'The file is /usr/local/share/documentation/Python3-examples/Chapter12/source/AlgorithmsAndData.',
  '我知道你很累，先休息一下。😀👨‍👩‍👧 ❤️',
];

describe('contentsOf', () => {
  it('finds a risky text in each notation', async () => {
    for (const risk of [RISK, RISK_ZH]) {
      expect(scoreOf(risk)).toBeGreaterThanOrEqual(50);
      await checkRows(Object.entries(WRAPPINGS), ([, wrap]) =>
        expect(resultOf(wrap(risk))).toBe('risk'),
      );
    }
    await checkRows(RISKY, (text) => expect(resultOf(text)).toBe('risk'));
  });

  it('refuses an encoding that it cannot read, and names the override', async () => {
    await checkRows(REFUSED, ([text, message]) =>
      expect(() => contentsOf(text)).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: expect.stringContaining(message),
          details: { hint: expect.stringContaining('--as-is judges the text as given') },
        }),
      ),
    );
  });

  it('finds nothing in prose', async () => {
    await checkRows(PROSE, (text) => expect(contentsOf(text)).toEqual([]));
  });

  it('names the notations, the innermost first', () => {
    const layers = contentsOf(base64(`id: 7\nanswer: "${RISK}"\n`)).map((each) => each.layers);
    expect(layers.map(layersText)).toEqual(['Base64', 'YAML in Base64']);
  });

  it('joins the values of a long record to few texts', () => {
    const row = (at: number) => `${at},"Reply number ${at} is friendly.",en`;
    const contents = contentsOf(Array.from({ length: 900 }, (_, at) => row(at)).join('\n'));
    expect(contents.length).toBeLessThan(20);
    expect(contents[0]?.text).toContain('Reply number 899 is friendly.');
  });
});

it('reads a log with an open quotation of escaped quotes in linear time', () => {
  const line = `12:00:00 "${'\\"'.repeat(49_000)}`;
  expect(contentsOf(line)).toEqual([]);
});
