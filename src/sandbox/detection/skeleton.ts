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

/** What every match of a part of a pattern has, and how long it is at most. */
export interface Part {
  readonly steps: readonly Step[];
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
 * @returns No step when nothing certain can be said.
 */
export function readPattern(source: string, atWord: boolean, named: Named): Part {
  return new Reader(source, named).alternatives(atWord);
}

/** Of steps the one that the fewest texts have: that whose least telling literal tells most. */
export function mostTelling(steps: readonly Step[]): Step | undefined {
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

/** Reads one pattern from left to right. */
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
    const chosen = branches.map(({ steps }) => mostTelling(steps));
    // A branch that has nothing certain leaves nothing certain.
    const certain = chosen.every((step) => step !== undefined);
    const literals = chosen.flatMap((step) => step?.literals ?? []);
    const width = Math.max(...branches.map((branch) => branch.width));
    const endsBeforeWord = branches.every((branch) => branch.endsBeforeWord);
    return { steps: certain ? [{ literals, within: width }] : [], width, endsBeforeWord };
  }

  /** All parts of a sequence match, one behind the other. */
  #sequence(startsAtWord: boolean): Part {
    const steps: Step[] = [];
    let width = 0;
    let atWord = startsAtWord;
    /** How far the start of the last literal is behind at most. */
    let behind = 0;
    let literal = '';
    const add = (part: Part): void => {
      const [first, ...others] = part.steps;
      if (first) steps.push({ ...first, within: behind + part.width }, ...others);
      behind = first ? part.width : behind + part.width;
      width += part.width;
      atWord = part.endsBeforeWord;
    };
    const endLiteral = (): void => {
      if (literal !== '') add(literalPart(literal, atWord));
      literal = '';
    };
    for (let next = this.#next(); next !== '' && !'|)'.includes(next); next = this.#next()) {
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
    return { steps, width, endsBeforeWord: atWord };
  }

  #next(): string {
    return this.#source[this.#at] ?? '';
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
        this.#at = this.#source.indexOf(']', this.#at + 1) + 1;
        return CLASS;
      case '\\':
        this.#at++;
        return CLASS;
      default:
        return CLASS;
    }
  }

  /** How often the part stands that was read last, by the quantifier behind it. */
  #count(isCharacter: boolean): Count {
    const quantifier = /(?:([?*+])|\{(\d+)(?:(,)(\d*))?\})\??/y;
    quantifier.lastIndex = this.#at;
    const [found, sign, least = '', comma, most = ''] = quantifier.exec(this.#source) ?? [];
    if (found === undefined) return { least: 1, most: 1 };
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

/** A part that stands several times, perhaps never. */
function repeated(part: Part, { least, most }: Count, atWord: boolean): Part {
  const anywhere = ({ literals, within }: Step): Step => ({
    literals: literals.map(({ text }) => ({ text, startsWord: false })),
    within,
  });
  const steps = most > 1 && !part.endsBeforeWord ? part.steps.map(anywhere) : part.steps;
  return {
    steps: least > 0 ? steps : [],
    width: part.width * most,
    endsBeforeWord: part.endsBeforeWord && (least > 0 || atWord),
  };
}

const CLASS: Part = { steps: [], width: 1, endsBeforeWord: false };

function literalPart(source: string, atWord: boolean): Part {
  // A space says nothing, and at an end it would only make two literals of one word.
  const text = source.trim();
  const startsWord = /^[a-z0-9]/.test(text) && (source.startsWith(' ') || atWord);
  return {
    steps: text === '' ? [] : [{ literals: [{ text, startsWord }], within: source.length }],
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
