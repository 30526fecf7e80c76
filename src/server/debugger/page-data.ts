import type { Catalog } from '../../locale/entries.ts';
import type { LayerTexts, Mistake, ShownLayers } from '../requests/page-data.ts';
import type TEXTS from './texts.json';

export interface DebuggerData {
  /** The inputs to begin with: the request in base64, and other fields by id. */
  readonly start:
    | { readonly bytes: string; readonly fields: Readonly<Record<string, string>> }
    | undefined;
  readonly example: { readonly request: string; readonly secret: string };
  readonly texts: Readonly<Record<keyof typeof TEXTS.script, string>>;
  readonly layers: LayerTexts;
  /** For the messages of a page that is not in English. */
  readonly catalog: Catalog | undefined;
}

/** The inputs of the page, for the worker. An empty text is an absent one. */
export interface Question {
  /** The request in any form that `mop sign verify` reads. */
  readonly request: string | Uint8Array;
  readonly secret: string;
  /** The string that the signer hashed. */
  readonly theirs: string;
  /** The number of the request in the capture, from 1. */
  readonly entry?: number | undefined;
  /** The time of sending, in Unix seconds. */
  readonly sentAt?: number | undefined;
  readonly effort: 'low' | 'normal' | 'high';
}

/** The answer to a question. It contains no secret. */
export interface Explanation {
  readonly outcome: 'right' | 'refused' | 'wrong';
  /**
   * The message and the hint of `mop sign verify` for a request that is not accepted. A hint that
   * only repeats the fixes is empty.
   */
  readonly message: string;
  readonly hint: string;
  readonly diagnosis: readonly Mistake[];
  readonly warnings: readonly string[];
  readonly layers: ShownLayers;
  readonly theirs: ComparedString | undefined;
  /** By language; undefined for a form. */
  readonly programs: Readonly<Record<string, string>> | undefined;
}

export interface ComparedString {
  /** Whether its digest is the received signature. */
  readonly signed: boolean;
  readonly difference: ShownLayers['difference'];
  readonly mistakes: readonly Mistake[];
}

export type WorkerMessage =
  | { readonly kind: 'progress'; readonly candidates: number }
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string };
