/** The data of `/requests/events` and `/requests/ID`, as the scripts of the page read them. */
import type TEXTS from './texts.json';

type Strings<T> = Readonly<Record<keyof T, string>>;

/** The texts of `layers.js`. */
export type LayerTexts = Strings<typeof TEXTS.layers>;

export interface RequestsData {
  readonly maxRows: number;
  readonly texts: Strings<typeof TEXTS.script>;
  readonly verdicts: Strings<typeof TEXTS.verdicts>;
  readonly layers: LayerTexts;
}

export interface ExchangeRow {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: number | undefined;
  readonly milliseconds: number;
  readonly signature?: 'added' | 'right' | 'wrong' | 'unreadable' | undefined;
  /** The readings under which an accepted request is right; another reading refuses it. */
  readonly readings?: readonly string[] | undefined;
  readonly mistakes: readonly string[];
  readonly hasWarnings: boolean;
}

/** An exchange with everything that the page shows. It contains no credentials. */
export interface ShownExchange extends Omit<ExchangeRow, 'mistakes' | 'hasWarnings'> {
  readonly diagnosis?: readonly Mistake[] | undefined;
  readonly search?: 'complete' | 'cut-short' | 'skipped' | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly error: string | null;
  readonly request?: ShownRequest | undefined;
  readonly answer?: ShownAnswer | undefined;
  readonly layers: ShownLayers | null;
  /** The reason why `layers` is null. */
  readonly missingLayers: string | null;
  /** Whether all parts are shown that a signature may cover: no credential is hidden in them. */
  readonly isExact: boolean;
}

export interface Mistake {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly string[];
  readonly fix: string;
}

type Header = readonly [name: string, value: string];

export interface ShownRequest {
  readonly url?: string | undefined;
  readonly headers?: readonly Header[] | undefined;
  readonly body: string | readonly ShownField[];
}

type ShownField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: string };

export interface ShownAnswer {
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  readonly isTruncated: boolean;
}

/**
 * The steps of a signature, each as text. In a text, U+E000 replaces the secret and U+E001 the secret
 * of another account.
 */
export interface ShownLayers {
  readonly received: string;
  readonly expected: string;
  readonly entries: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: 'business' | 'common' | 'header';
  }[];
  readonly omitted: readonly { readonly name: string; readonly reason: string }[];
  readonly right: string;
  readonly signed: string | null;
  readonly difference: readonly { readonly theirs: string; readonly ours: string }[];
  /** The result of a second search, which is longer than the one before the answer. */
  readonly diagnosis: readonly Mistake[];
  readonly vector: object | null;
}
