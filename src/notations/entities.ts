const NAMED: Readonly<Record<string, string>> = {
  ...{ tab: '\t', newline: '\n', nbsp: '\u00a0', shy: '\u00ad', zwj: '\u200d', zwnj: '\u200c' },
  ...{ excl: '!', quot: '"', num: '#', dollar: '$', percnt: '%', amp: '&', apos: "'" },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ lpar: '(', rpar: ')', ast: '*', plus: '+', comma: ',', period: '.', sol: '/' },
  ...{ colon: ':', semi: ';', lt: '<', equals: '=', gt: '>', quest: '?', commat: '@' },
  ...{ lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', hat: '^', lowbar: '_' },
  ...{ grave: '`', lcub: '{', lbrace: '{', vert: '|', verbar: '|', rcub: '}', rbrace: '}' },
};

/** The character of an entity of HTML or XML: `amp`, `#38` and `#x26`. Undefined if it is unknown. */
export function entityCharacter(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return NAMED[name.toLowerCase()];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
