import { md5Hex } from '../../runtime/md5.ts';
import { concatBytes, utf8Bytes } from '../bytes.ts';
import { type Entry, sortedByName } from '../canonical.ts';
import type { Field, SignedContent } from '../received-request.ts';
import { fieldText, type PrintStyle, RIGHT_STYLE } from './print-style.ts';

export interface Pair extends Entry {
  readonly position: number;
}

/** The position of a pair that is not in the request. */
export const NO_POSITION = -1;

/** A change to one pair after its value was converted to text. `encode` is the signer's charset. */
export type PairEdit = (pair: Pair, encode: Steps['encode']) => Pair;

export function withText(position: number, value: string): PairEdit {
  return (pair) => (pair.position === position ? { ...pair, value } : pair);
}

/** The steps of a signer (D1 section 5). A mistake replaces some of them. */
export interface Steps {
  /** 1. The signed fields. */
  readonly fields: readonly Field[];
  /** 2. The conversion of values to text. */
  readonly style: PrintStyle;
  readonly edits: readonly PairEdit[];
  /** The name of a pair whose value is the secret. */
  readonly secretName: string | undefined;
  /** 3. The order of the pairs. */
  readonly order: (pairs: readonly Pair[]) => readonly Entry[];
  /** 4. The text of the ordered pairs, and a change of that text. */
  readonly join: (pairs: readonly Entry[], steps: Steps) => string;
  readonly rewrite: (canonical: string) => string;
  /** 5. The secret, its transformation, and its place. */
  readonly secret: string;
  readonly transformSecret: (secret: string) => string;
  readonly append: (canonical: string, secret: string) => string;
  /** 6. The bytes of the string; a returned string is encoded in UTF-8. */
  readonly encode: (text: string) => string | Uint8Array;
  /** Contents of files; {@link contentMark} marks their places in the string. */
  readonly contents: readonly Uint8Array[];
  /** 7. The digest of the bytes, as lower-case hex. */
  readonly digest: (message: string | Uint8Array, secret: string) => string;
  /** 8. The printed form of the digest. */
  readonly write: (hex: string) => string;
}

/** Whether pairs are already sorted, which is the common case. */
function isSorted(pairs: readonly Entry[]): boolean {
  for (let at = 1; at < pairs.length; at++) {
    if ((pairs[at - 1]?.name ?? '') > (pairs[at]?.name ?? '')) return false;
  }
  return true;
}

export function joinPairs(pairs: readonly Entry[]): string {
  let joined = '';
  for (const { name, value } of pairs) joined += `${joined && '&'}${name}=${value}`;
  return joined;
}

/** The right encoding: a string is hashed in UTF-8. */
export function inUtf8(text: string): string {
  return text;
}

const RIGHT_STEPS: Omit<Steps, 'fields' | 'style' | 'secret'> = {
  edits: [],
  secretName: undefined,
  order: (pairs) => (isSorted(pairs) ? pairs : sortedByName(pairs)),
  join: joinPairs,
  rewrite: (canonical) => canonical,
  transformSecret: (secret) => secret,
  append: (canonical, secret) => canonical + secret,
  encode: inUtf8,
  contents: [],
  digest: (message) => md5Hex(message),
  write: (hex) => hex.toUpperCase(),
};

/** The `append` of a signer that does not add the secret to the string. */
export function withoutSecret(canonical: string): string {
  return canonical;
}

const PAIR_STEPS = new Set<keyof Steps>(['fields', 'style', 'edits', 'secretName']);
const TEXT_STEPS = new Set<keyof Steps>(['order', 'join', 'rewrite']);
const SECRET_STEPS = new Set<keyof Steps>(['secret', 'transformSecret']);

/** Signs a request by {@link Steps}. Caches results, and shares them with derived signers. */
export class Signer {
  readonly steps: Steps;
  #pairs: readonly Pair[] | undefined;
  #canonical: string | undefined;
  #signature: string | undefined;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  with(changes: Partial<Steps>): Signer {
    const signer = new Signer({ ...this.steps, ...changes });
    signer.#pairs = this.#pairs;
    signer.#canonical = this.#canonical;
    for (const step in changes) {
      if (this.#makesPairs(step as keyof Steps)) {
        signer.#pairs = undefined;
        signer.#canonical = undefined;
      } else if (TEXT_STEPS.has(step as keyof Steps)) {
        signer.#canonical = undefined;
      }
    }
    return signer;
  }

  #makesPairs(step: keyof Steps): boolean {
    const { edits, secretName } = this.steps;
    return (
      PAIR_STEPS.has(step) ||
      // Edits may use the charset.
      (step === 'encode' && edits.length > 0) ||
      (SECRET_STEPS.has(step) && secretName !== undefined)
    );
  }

  withEdit(edit: PairEdit): Signer {
    const { edits, encode, secretName } = this.steps;
    const signer = this.with({ edits: [...edits, edit] });
    // Earlier edits are already applied, so their pairs can be reused.
    if (secretName === undefined) signer.#pairs = this.pairs.map((pair) => edit(pair, encode));
    return signer;
  }

  withStyle(changes: Partial<PrintStyle>): Signer {
    return this.with({ style: { ...this.steps.style, ...changes } });
  }

  get pairs(): readonly Pair[] {
    this.#pairs ??= this.#computePairs();
    return this.#pairs;
  }

  get canonical(): string {
    const { order, join, rewrite } = this.steps;
    this.#canonical ??= rewrite(join(order(this.pairs), this.steps));
    return this.#canonical;
  }

  /** The text that is hashed: `src2`. */
  get message(): string {
    const { append, secret, transformSecret } = this.steps;
    return append(this.canonical, transformSecret(secret));
  }

  get signature(): string {
    this.#signature ??= this.#sign();
    return this.#signature;
  }

  #sign(): string {
    const { encode, contents, digest, write, secret, transformSecret } = this.steps;
    const bytes =
      contents.length === 0 ? encode(this.message) : withContents(this.message, contents, encode);
    return write(digest(bytes, transformSecret(secret)));
  }

  #computePairs(): readonly Pair[] {
    const { fields, style, edits, encode, secretName, secret, transformSecret } = this.steps;
    const pairs: Pair[] = [];
    for (const { name, value, source, position } of fields) {
      const text = fieldText(value, style, name);
      if (text === undefined) continue;
      let pair: Pair = { name, value: text, source, position };
      for (const edit of edits) pair = edit(pair, encode);
      pairs.push(pair);
    }
    if (secretName !== undefined) {
      pairs.push({
        name: secretName,
        value: transformSecret(secret),
        source: 'common',
        position: NO_POSITION,
      });
    }
    return pairs;
  }
}

export function rightSigner(
  { mode, fields, signatureName, nullAs }: SignedContent,
  secret: string,
): Signer {
  const isSigned = (source: Entry['source']): boolean => mode === 'header' || source !== 'header';
  return new Signer({
    ...RIGHT_STEPS,
    // Presorted: every signer sorts the pairs, and sorted input is fast.
    fields: sortedByName(
      fields.filter(({ name, source }) => name !== signatureName && isSigned(source)),
    ),
    style: { ...RIGHT_STYLE, nullText: { empty: '', omit: undefined, text: 'null' }[nullAs] },
    secret,
  });
}

/** Marks the place of a file's bytes: half a surrogate pair, which no request can contain. */
export function contentMark(index: number): string {
  return String.fromCharCode(FIRST_MARK + index);
}

const FIRST_MARK = 0xdc00;
const MARK = /(?<![\ud800-\udbff])([\udc00-\udfff])/;

function withContents(
  text: string,
  contents: readonly Uint8Array[],
  encode: Steps['encode'],
): Uint8Array {
  // Splitting by a capture group keeps the marks at odd indexes.
  const parts = text.split(MARK);
  return concatBytes(
    parts.map((part, index) => {
      if (index % 2 === 1) return contents[part.charCodeAt(0) - FIRST_MARK] ?? new Uint8Array();
      const encoded = encode(part);
      return typeof encoded === 'string' ? utf8Bytes(encoded) : encoded;
    }),
  );
}
