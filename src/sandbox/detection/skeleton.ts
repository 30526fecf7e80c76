// A literal prefilter, as RE2 has one for sets of patterns: what must stand in a text is found in the
// sources, and only patterns whose literals are there are tried.

/** A text that stands in every match of a pattern, or one of several that do. */
export interface Literal {
  readonly text: string;
  /** It stands only where a word begins: it needs to be looked for nowhere else. */
  readonly startsWord: boolean;
}

/** One of the literals stands in every match, behind those of the step before. */
export interface Step {
  readonly literals: readonly Literal[];
  /** From the start of the literal before to the start of this one, in code units at most. */
  readonly within: number;
}

/** The steps of a match, one behind the other. */
export type Skeleton = readonly Step[];

/** What the matches of a part of a pattern have, and how long they are at most. */
export interface Part {
  /** Each match has one of these. */
  readonly skeletons: readonly Skeleton[];
  readonly width: number;
  /** What follows begins a word. */
  readonly endsBeforeWord: boolean;
}

/** What a name stands for, where a word begins or perhaps not. */
type Named = (name: string, atWord: boolean) => Part;

/**
 * What a text must have, in this order, for a pattern to match it: found in the source of the
 * pattern, so that only patterns that may match have to be compiled. A repetition without a limit
 * counts as a few: words of more than 30 characters and rows of more than 4 groups are no matter.
 *
 * @param source RE2 syntax without flags, in which `{name}` stands for what `named` gives.
 * @param atWord Whether a match begins where a word does.
 * @returns A skeleton has no step when nothing certain can be said.
 */
export function readPattern(source: string, atWord: boolean, named: Named): Part {
  return new Reader(source, named).alternatives(atWord);
}

/** Of steps the one that the fewest texts have: that whose least telling literal tells most. */
export function mostTelling(steps: Skeleton): Step | undefined {
  let best: Step | undefined;
  let most = -1;
  for (const step of steps) {
    const worth = Math.min(...step.literals.map(({ text }) => lettersThatTell(text)));
    if (worth > most) [best, most] = [step, worth];
  }
  return best;
}

const MOST_CHARACTERS = 30;
const MOST_GROUPS = 4;
/** More would take longer to tell apart than they spare. */
const MOST_SKELETONS = 8;

class Reader {
  readonly #source: string;
  readonly #named: Named;
  #at = 0;

  constructor(source: string, named: Named) {
    this.#source = source;
    this.#named = named;
  }

  /** Up to the end of the group: any of the alternatives matches, so what is certain of each. */
  alternatives(atWord: boolean): Part {
    const branches = [this.#sequence(atWord)];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence(atWord));
    }
    const [only, ...others] = branches;
    if (only && others.length === 0) return only;
    return {
      skeletons: alternativeSkeletons(branches.flatMap(({ skeletons }) => skeletons)),
      width: Math.max(...branches.map(({ width }) => width)),
      endsBeforeWord: branches.every((branch) => branch.endsBeforeWord),
    };
  }

  /** All parts of a sequence match, one behind the other. */
  #sequence(startsAtWord: boolean): Part {
    /** With how far the start of the last literal is behind at most. */
    let rows: { readonly steps: Skeleton; readonly behind: number }[] = [{ steps: [], behind: 0 }];
    let width = 0;
    let atWord = startsAtWord;
    let literal = '';
    const add = (part: Part): void => {
      const fits = rows.length * part.skeletons.length <= MOST_SKELETONS;
      const skeletons = fits ? part.skeletons : [mergedSkeleton(part.skeletons)];
      rows = rows.flatMap(({ steps, behind }) =>
        skeletons.map(([first, ...others]) =>
          first
            ? {
                steps: [...steps, { ...first, within: behind + part.width }, ...others],
                behind: part.width,
              }
            : { steps, behind: behind + part.width },
        ),
      );
      width += part.width;
      atWord = part.endsBeforeWord;
    };
    const endLiteral = (): void => {
      if (literal !== '') add(literalPart(literal, atWord));
      literal = '';
    };
    for (let next = this.#next(); next !== '' && !'|)'.includes(next); next = this.#next()) {
      // Most of a pattern is plain.
      literal += this.#plainRun();
      next = this.#next();
      if (next === '' || '|)'.includes(next)) break;
      if ('([{.\\'.includes(next) && !this.#isEscapedMark()) {
        endLiteral();
        const part = this.#part(atWord);
        add(repeated(part, this.#count(part === CLASS), atWord));
        continue;
      }
      const character = this.#character();
      const count = this.#count(true);
      if (count.least === 1 && count.most === 1) {
        literal += character;
      } else {
        // What may be missing parts what stands around it.
        endLiteral();
        add(repeated(literalPart(character, atWord), count, atWord));
      }
    }
    endLiteral();
    return { skeletons: rows.map(({ steps }) => steps), width, endsBeforeWord: atWord };
  }

  #next(): string {
    return this.#source[this.#at] ?? '';
  }

  /** Characters that stand for themselves once. */
  #plainRun(): string {
    const run = /[^|()[\]{}.\\^$?*+]*(?![?*+{])/y;
    run.lastIndex = this.#at;
    const [plain = ''] = run.exec(this.#source) ?? [];
    this.#at += plain.length;
    return plain;
  }

  /** Of a backslash: whether it makes a character or an assertion of what is behind it. */
  #isEscapedMark(): boolean {
    return /^\\(?:[^a-z0-9]|[bBAz])/i.test(this.#source.slice(this.#at, this.#at + 2));
  }

  /** One character that stands for itself; nothing for an assertion. */
  #character(): string {
    const character = this.#source[this.#at++] ?? '';
    if (character === '^' || character === '$') return '';
    if (character !== '\\') return character;
    const escaped = this.#source[this.#at++] ?? '';
    return /[bBAz]/.test(escaped) ? '' : escaped;
  }

  /** A group, a name or a class of characters. */
  #part(atWord: boolean): Part {
    switch (this.#source[this.#at++]) {
      case '(': {
        if (this.#source.startsWith('?:', this.#at)) this.#at += 2;
        else if (this.#next() === '?')
          throw new Error(`no group but (?: is known: ${this.#source}`);
        const part = this.alternatives(atWord);
        this.#at++;
        return part;
      }
      case '{': {
        const end = this.#source.indexOf('}', this.#at);
        const name = this.#source.slice(this.#at, end);
        this.#at = end + 1;
        return this.#named(name, atWord);
      }
      case '[':
        // The first character may be the bracket itself.
        this.#skip(/\^?\]?(?:\\.|[^\]\\])*\]/y);
        return CLASS;
      case '\\':
        this.#at++;
        return CLASS;
      default:
        return CLASS;
    }
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#source)) throw new Error(`a class has no end: ${this.#source}`);
    this.#at = pattern.lastIndex;
  }

  /** How often the part stands that was read last, by the quantifier behind it. */
  #count(isCharacter: boolean): Count {
    if (!'?*+{'.includes(this.#next() || ' ')) return ONCE;
    const quantifier = /(?:([?*+])|\{(\d+)(?:(,)(\d*))?\})\??/y;
    quantifier.lastIndex = this.#at;
    const [found, sign, least = '', comma, most = ''] = quantifier.exec(this.#source) ?? [];
    if (found === undefined) return ONCE;
    this.#at += found.length;
    const unlimited = isCharacter ? MOST_CHARACTERS : MOST_GROUPS;
    if (sign) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : unlimited };
    if (!comma) return { least: Number(least), most: Number(least) };
    return { least: Number(least), most: most === '' ? unlimited : Number(most) };
  }
}

interface Count {
  readonly least: number;
  readonly most: number;
}

const ONCE: Count = { least: 1, most: 1 };

/** A part that stands several times, perhaps never. */
function repeated(part: Part, { least, most }: Count, atWord: boolean): Part {
  const anywhere = ({ literals, within }: Step): Step => ({
    literals: literals.map(({ text }) => ({ text, startsWord: false })),
    within,
  });
  const again = most > 1 && !part.endsBeforeWord;
  return {
    skeletons:
      least > 0 ? part.skeletons.map((steps) => (again ? steps.map(anywhere) : steps)) : [[]],
    width: part.width * most,
    endsBeforeWord: part.endsBeforeWord && (least > 0 || atWord),
  };
}

/** Skeletons of one step are told apart by its literals. */
function alternativeSkeletons(all: readonly Skeleton[]): readonly Skeleton[] {
  if (all.some((steps) => steps.length === 0)) return [[]];
  const short = all.filter((steps) => steps.length === 1);
  const long = all.filter((steps) => steps.length > 1);
  if (long.length >= MOST_SKELETONS) return [mergedSkeleton(all)];
  return short.length > 0 ? [mergedSkeleton(short), ...long] : long;
}

/** One step of which each of the skeletons has a literal. */
function mergedSkeleton(all: readonly Skeleton[]): Skeleton {
  const chosen = all.map(mostTelling);
  // One that has nothing certain leaves nothing certain.
  if (!chosen.every((step) => step !== undefined)) return [];
  const [only, ...others] = chosen;
  if (only && others.length === 0) return [only];
  return [
    {
      literals: chosen.flatMap((step) => step.literals),
      within: Math.max(...chosen.map((step) => step.within)),
    },
  ];
}

const CLASS: Part = { skeletons: [[]], width: 1, endsBeforeWord: false };

function literalPart(source: string, atWord: boolean): Part {
  // A space says nothing, and at an end it would only make two literals of one word.
  const text = source.trim();
  const startsWord = /^[a-z0-9]/.test(text) && (source.startsWith(' ') || atWord);
  return {
    skeletons: [text === '' ? [] : [{ literals: [{ text, startsWord }], within: source.length }]],
    width: source.length,
    endsBeforeWord: source === '' ? atWord : !/[a-z0-9]$/.test(source),
  };
}

function lettersThatTell(text: string): number {
  return text.replace(COMMON, '').replace(/\P{L}/gu, '').length + text.length / 100;
}

/** Words that are in nearly every text. */
const COMMON =
  /\b(?:a|all|am|an|and|are|as|be|can|do|for|has|have|i|in|is|it|just|like|me|my|no|not|of|on|or|so|that|the|this|to|was|we|what|will|with|would|you|your)\b|[的是我你了不有就在都会]/g;
