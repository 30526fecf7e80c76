import fastStringWidth from 'fast-string-width';

/**
 * A style; a command of mop, a Chinese character or a word, with the punctuation that must stay
 * beside it; or white space.
 */
const TOKEN =
  /\p{Cc}\[[\d;]+m|[（“《]{0,3}\bmop(?: [^\s\p{Script=Han}，。；：？！、（）“”《》…—\p{Cc}]+)+[，。；：？！、）”》]{0,5}|[（“《]{0,3}[\p{Script=Han}，。；：？！、）”》…—][，。；：？！、）”》…—]{0,5}|\s+|[（“《]{0,3}[^\s\p{Script=Han}，。；：？！、（）“”《》…—\p{Cc}]+[，。；：？！、）”》]{0,5}|./gsu;

/** Wraps a text, within Chinese between characters. A word longer than a line is broken, a path after a slash. */
export function wrapChinese(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const end = (): void => {
    lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const paragraph of text.split('\n')) {
    for (const token of paragraph.match(TOKEN) ?? []) {
      for (const piece of piecesOf(token, width)) {
        const wide = fastStringWidth(piece);
        const isSpace = piece.trim() === '';
        if (used > 0 && used + wide > width) end();
        // Spaces between two lines disappear.
        if (isSpace && used === 0 && lines.length > 0) continue;
        line += piece;
        used += wide;
      }
    }
    end();
  }
  return lines.join('\n');
}

/** The words of a command, the parts of a path, and characters with the punctuation beside them. */
const PIECES = [/ |[^ ]+/g, /(?:^[a-z]*:?\/+)?[^/]*\/+|[^/]+/g, /.[，。；：？！、）”》…—]{0,5}/gsu];

/** A token, in pieces if it is wider than a line. */
function piecesOf(token: string, width: number, [pieces, ...smaller] = PIECES): readonly string[] {
  if (pieces === undefined || fastStringWidth(token) <= width) return [token];
  return (token.match(pieces) ?? []).flatMap((piece) => piecesOf(piece, width, smaller));
}
