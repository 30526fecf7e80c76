import { append } from '../../any-length.ts';
import { withoutBase64, withoutHex, withoutNumbers } from '../../notations/encodings.ts';
import {
  withoutAngles,
  withoutBackslashes,
  withoutDoubledQuotes,
  withoutEntities,
  withoutExtendedNumbers,
  withoutMeta,
  withoutPercents,
  withoutQuotedPrintable,
  withoutSums,
} from '../../notations/escapes.ts';
import { withoutMarkup } from '../../notations/markup.ts';
import { isUtf8 } from '../bytes.ts';
import { withoutHexDump, withoutTextDump } from './layers/hex-dump.ts';
import {
  withoutHighlights,
  withoutMessagePrefixes,
  withoutNoBreakSpaces,
  withoutPrefixes,
  withoutPseudoHeaders,
  withoutWraps,
} from './layers/lines.ts';
import { withoutQuotedPieces, withoutWireLog } from './layers/wire-log.ts';
import { Source } from './source.ts';

interface Layer {
  readonly name: string;
  /**
   * The whole text without the layer, the most plausible reading first; empty without the layer.
   */
  readonly opens: (text: string) => readonly (string | Uint8Array)[];
  /** Whether its notation is unmistakable: the text below it is read first. */
  readonly isCertain?: boolean;
}

const LAYERS: readonly Layer[] = [
  { name: 'headers of HTTP/2', opens: withoutPseudoHeaders, isCertain: true },
  { name: 'pieces in quotes', opens: withoutQuotedPieces, isCertain: true },
  { name: 'a wire log', opens: withoutWireLog, isCertain: true },
  { name: 'a text dump', opens: withoutTextDump, isCertain: true },
  { name: 'a hex dump', opens: withoutHexDump, isCertain: true },
  { name: 'prefixes of messages', opens: withoutMessagePrefixes, isCertain: true },
  { name: 'prefixes of lines', opens: withoutPrefixes },
  { name: 'sums of strings', opens: withoutSums, isCertain: true },
  { name: 'backslash escapes', opens: withoutBackslashes },
  { name: 'doubled quotes', opens: withoutDoubledQuotes },
  { name: 'entities', opens: withoutEntities },
  { name: 'percent-encoding', opens: withoutPercents },
  { name: 'quoted-printable', opens: withoutQuotedPrintable, isCertain: true },
  { name: 'bytes of less', opens: withoutAngles, isCertain: true },
  { name: 'bytes of cat -v', opens: withoutMeta, isCertain: true },
  { name: 'Base64', opens: withoutBase64 },
  { name: 'hex digits', opens: withoutHex },
  { name: 'numbers', opens: withoutNumbers },
  { name: 'numbers of MongoDB', opens: withoutExtendedNumbers },
  { name: 'highlights', opens: withoutHighlights },
  { name: 'no-break spaces', opens: withoutNoBreakSpaces },
  { name: 'markup', opens: withoutMarkup },
  { name: 'wrapped lines', opens: withoutWraps },
];

const MAX_DEPTH = 8;
const MAX_TEXTS = 80;
/** Maximum total characters below the root, which bounds the time; more for a larger capture. */
const MAX_CHARACTERS = 32_000_000;
const MAX_COPIES = 3;

export function* textsIn(root: string | Uint8Array): Generator<Source> {
  const first = new Source(root);
  let left = Math.max(MAX_CHARACTERS, MAX_COPIES * first.text.length);
  const seen = new Set<string>();
  const queue: Source[] = [];
  const opened = (outer: Source, isCertain: boolean): readonly Source[] => {
    const found: Source[] = [];
    for (const { name, opens, ...layer } of LAYERS) {
      if ((layer.isCertain ?? false) !== isCertain || outer.text.length > left) continue;
      for (const content of opens(outer.text)) {
        const inner = new Source(content, [...outer.layers, name]);
        left -= inner.text.length;
        if (seen.has(inner.text) || seen.size === MAX_TEXTS) continue;
        seen.add(inner.text);
        found.push(inner);
      }
    }
    return found;
  };

  seen.add(first.text);
  append(queue, [...inGb18030(root, first), first]);
  const read = new Set<Source>();
  for (const outer of queue) {
    const certain = opened(outer, true);
    for (const each of certain) read.add(each);
    yield* certain;
    if (!read.has(outer)) yield outer;
    if (outer.layers.length < MAX_DEPTH) append(queue, [...certain, ...opened(outer, false)]);
  }
}

/** A table, a log or a body that Excel or cmd.exe in China saved. A message is read as it was sent. */
function inGb18030(root: string | Uint8Array, { head }: Source): readonly Source[] {
  if (typeof root === 'string' || isUtf8(root) || /^(?:[A-Z]{3,10} \S|--)/.test(head)) return [];
  try {
    const text = new TextDecoder('gb18030', { fatal: true }).decode(root);
    return /[\u4e00-\u9fff]/.test(text) ? [new Source(text, [GB18030])] : [];
  } catch {
    return [];
  }
}

export const GB18030 = 'the encoding GB18030';
