/** A reader of regular expressions, which finds texts that make an expression slow. */

type Node =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number; readonly item: Node };

const GROUP = /\((?:\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:))?/y;
const CLASS = /\[(?:\\.|[^\]\\])*\]/sy;
const ESCAPE =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<\w+>|[1-9]\d*|.)/isy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      items.push(this.#quantified(this.#item()));
    }
    return { kind: 'sequence', items };
  }

  #item(): Node {
    const group = this.#match(GROUP);
    if (group !== undefined) {
      const inner = this.choice();
      this.#take(')');
      // The text of a lookaround is tried like any other part, except for a negative one.
      return group.endsWith('!') ? { kind: 'empty' } : inner;
    }
    const source = this.#match(CLASS) ?? this.#match(ESCAPE);
    if (source === undefined) {
      const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
      this.#at += char.length;
      return /[\^$]/.test(char) ? { kind: 'empty' } : { kind: 'atom', source: char };
    }
    return /^\\(?:[bB1-9]|k<)/.test(source) ? { kind: 'empty' } : { kind: 'atom', source };
  }

  #quantified(item: Node): Node {
    const quantifier = this.#match(QUANTIFIER);
    if (quantifier === undefined) return item;
    const [, low, comma, high] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
    const unbounded = Number.POSITIVE_INFINITY;
    if (low !== undefined) {
      const max = comma === '' ? Number(low) : high === '' ? unbounded : Number(high);
      return { kind: 'repeat', min: Number(low), max, item };
    }
    const min = quantifier.startsWith('+') ? 1 : 0;
    return { kind: 'repeat', min, max: quantifier.startsWith('?') ? 1 : unbounded, item };
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#source) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

/** Whether an expression repeats something without a limit. */
export function isUnbounded({ source }: RegExp): boolean {
  const has = (node: Node): boolean => {
    if (node.kind === 'repeat') return node.max === Number.POSITIVE_INFINITY || has(node.item);
    if (node.kind === 'sequence') return node.items.some(has);
    return node.kind === 'choice' && node.options.some(has);
  };
  return has(new PatternReader(source).choice());
}

/** A text that an expression may be slow on: its start once, and a piece repeated to any size. */
export interface Attack {
  readonly start: string;
  readonly piece: string;
}

/** Characters of each kind that a class may contain. */
const ALPHABET = [
  ...'aZ0 \n\t\r"\'`-_.,:;=&%/\\<>()[]{}@#$^+*|~!?x\u001b\u0000é中',
  '\u{1f695}',
  '\u200b',
];

/**
 * Texts made of the expression. For each repetition, they repeat each accepted character after the
 * text before it, and both of them. Each text ends in characters that do not match.
 */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const letters = [...new Set([...ALPHABET, ...source.replace(/\\./gs, '')])];
  const caseFlags = flags.replace(/[gyd]/g, '');
  const accepted = new Map<string, readonly string[]>();
  const acceptedBy = (atom: string): readonly string[] => {
    const known = accepted.get(atom);
    if (known) return known;
    const single = new RegExp(`^(?:${atom})$`, caseFlags);
    const found = letters.filter((letter) => single.test(letter));
    accepted.set(atom, found);
    return found;
  };
  /** A shortest text, with each optional part if `isFull`. */
  const sample = (node: Node, isFull: boolean): string => {
    switch (node.kind) {
      case 'atom':
        return acceptedBy(node.source)[0] ?? '';
      case 'sequence':
        return node.items.map((item) => sample(item, isFull)).join('');
      case 'choice':
        return sample(node.options[0] ?? { kind: 'empty' }, isFull);
      case 'repeat':
        return sample(node.item, isFull).repeat(Math.max(node.min, isFull ? 1 : 0));
      case 'empty':
        return '';
    }
  };
  const pieces = (node: Node): readonly string[] => {
    if (node.kind === 'atom') return acceptedBy(node.source);
    if (node.kind === 'choice') return node.options.flatMap(pieces);
    if (node.kind === 'repeat') return pieces(node.item);
    if (node.kind === 'sequence' && node.items.length === 1)
      return node.items.flatMap((item) => pieces(item));
    return [sample(node, false), sample(node, true)];
  };
  const found = new Map<string, Attack>();
  const add = (start: string, piece: string): void => {
    if (piece === '') return;
    found.set(JSON.stringify([start, piece]), { start, piece });
  };
  const walk = (node: Node, before: readonly string[]): void => {
    if (node.kind === 'choice') for (const option of node.options) walk(option, before);
    if (node.kind === 'repeat') {
      walk(node.item, before);
      if (node.max === Number.POSITIVE_INFINITY) {
        for (const piece of new Set(pieces(node.item))) {
          add('', piece);
          for (const start of before) {
            add(start, piece);
            add('', start + piece);
          }
        }
      }
    }
    if (node.kind !== 'sequence') return;
    let starts = before;
    for (const item of node.items) {
      walk(item, starts);
      const texts = new Set([sample(item, false), sample(item, true)]);
      starts = [...new Set(starts.flatMap((start) => [...texts].map((text) => start + text)))];
      starts = starts.length > 2 ? [starts[0] ?? '', starts.at(-1) ?? ''] : starts;
    }
    for (const start of starts) add('', start);
  };
  walk({ kind: 'sequence', items: [new PatternReader(source).choice()] }, ['']);
  return [...found.values()];
}
