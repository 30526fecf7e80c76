import { hash } from 'node:crypto';
import { type Entry, sortEntries } from '../canonical.ts';
import type { Field } from '../received-request.ts';
import { changedStyle, fieldText, type PrintStyle } from './print-style.ts';

/** One `name=value`, and where it stands in the request. */
export interface Pair extends Entry {
  readonly position: number;
}

/** Of a pair that does not stand in the request. */
export const NO_POSITION = -1;

/** A change to one pair, after its value has become text; `encode` is the signer's charset. */
export type PairEdit = (pair: Pair, encode: Steps['encode']) => Pair;

/** What a signer does, step by step (D1 section 5). A mistake is another step in the place of one. */
export interface Steps {
  /** 1. What takes part. */
  readonly fields: readonly Field[];
  /** 2. How values become text. */
  readonly style: PrintStyle;
  readonly edits: readonly PairEdit[];
  /** A name under which the secret stands among the pairs. */
  readonly secretName: string | undefined;
  /** 3. The order of the pairs. */
  readonly order: (pairs: readonly Pair[]) => readonly Entry[];
  /** 4. A change to the joined string. */
  readonly rewrite: (canonical: string) => string;
  /** 5. The secret, and how it is added. */
  readonly secret: string;
  readonly append: (canonical: string, secret: string) => string;
  /** 6. The string as bytes; a string stands for its UTF-8. */
  readonly encode: (message: string) => string | Uint8Array;
  /** 7. The bytes as a signature. */
  readonly digest: (message: string | Uint8Array, secret: string) => string;
}

/** What a signer does after the fields are chosen, when it does it right. */
export const RIGHT_STEPS: Omit<Steps, 'fields' | 'style' | 'secret'> = {
  edits: [],
  secretName: undefined,
  order: sortEntries,
  rewrite: (canonical) => canonical,
  append: (canonical, secret) => canonical + secret,
  encode: (message) => message,
  digest: (message) => hash('md5', message, 'hex').toUpperCase(),
};

const PAIR_STEPS = new Set<keyof Steps>(['fields', 'style', 'edits', 'secretName', 'encode']);
const CANONICAL_STEPS = new Set<keyof Steps>([...PAIR_STEPS, 'order', 'rewrite']);

/** One way to sign a request. What it computes is kept, and handed on to drafts that share it. */
export class Draft {
  readonly steps: Steps;
  #pairs: readonly Pair[] | undefined;
  #canonical: string | undefined;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  /** The same way to sign, but for some steps. */
  with(changes: Partial<Steps>): Draft {
    const draft = new Draft({ ...this.steps, ...changes });
    const changed = Object.keys(changes) as (keyof Steps)[];
    const secretMoved = changed.includes('secret') && this.steps.secretName !== undefined;
    if (!secretMoved && !changed.some((step) => PAIR_STEPS.has(step))) draft.#pairs = this.#pairs;
    if (!secretMoved && !changed.some((step) => CANONICAL_STEPS.has(step))) {
      draft.#canonical = this.#canonical;
    }
    return draft;
  }

  /** Adds a last change to each pair. */
  withEdit(edit: PairEdit): Draft {
    return this.with({ edits: [...this.steps.edits, edit] });
  }

  /** Prints values in another way. The same changes give the same style, whose texts are kept. */
  withStyle(changes: Partial<PrintStyle>): Draft {
    return this.with({ style: changedStyle(this.steps.style, changes) });
  }

  /** The pairs that take part, not yet sorted. */
  get pairs(): readonly Pair[] {
    this.#pairs ??= this.#computePairs();
    return this.#pairs;
  }

  /** The pairs sorted and joined: what the secret is added to. */
  get canonical(): string {
    if (this.#canonical === undefined) {
      let joined = '';
      for (const { name, value } of this.steps.order(this.pairs)) {
        joined += `${joined && '&'}${name}=${value}`;
      }
      this.#canonical = this.steps.rewrite(joined);
    }
    return this.#canonical;
  }

  /** The text that is hashed: `src2`. */
  get message(): string {
    const { append, secret } = this.steps;
    return append(this.canonical, secret);
  }

  get signature(): string {
    const { encode, digest, secret } = this.steps;
    return digest(encode(this.message), secret);
  }

  /** The same way to sign with other secrets, white space and quotes around them kept. */
  withSecrets(secrets: readonly (readonly [real: string, dummy: string])[]): Draft {
    const { secret } = this.steps;
    const known = secrets
      .map(([real, dummy]) => ({ core: bareSecret(real), dummy }))
      .filter(({ core }) => core !== '' && secret.includes(core))
      .sort((a, b) => b.core.length - a.core.length)[0];
    if (!known) throw new Error('a signer with an unknown secret');
    return this.with({ secret: secret.replaceAll(known.core, known.dummy) });
  }

  #computePairs(): readonly Pair[] {
    const { fields, style, edits, encode, secretName, secret } = this.steps;
    const pairs: Pair[] = [];
    for (const { name, value, source, position } of fields) {
      const text = fieldText(value, style);
      if (text === undefined) continue;
      let pair: Pair = { name, value: text, source, position };
      for (const edit of edits) pair = edit(pair, encode);
      pairs.push(pair);
    }
    if (secretName !== undefined) {
      pairs.push({ name: secretName, value: secret, source: 'common', position: NO_POSITION });
    }
    return pairs;
  }
}

/** A secret without the white space and quotes that may or may not belong to it. */
export function bareSecret(secret: string): string {
  return secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
