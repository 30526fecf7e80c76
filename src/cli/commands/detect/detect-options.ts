import type { Arrangement } from '../../../detection/report.ts';
import type { Level } from '../../../protocol/detection.ts';

export interface DetectOptions {
  readonly batch?: string;
  readonly field?: string;
  readonly lines?: boolean;
  readonly concurrency?: number;
  readonly failOn?: Level;
  readonly failScore?: number;
  readonly rewrite?: boolean;
  readonly junit?: string;
  readonly sarif?: string;
  readonly includeText?: boolean;
  readonly header?: readonly string[];
}

/** Where texts are read from: what was given as TEXT, or a file of lines (`-` is standard input). */
export interface Input {
  readonly arrangement: Arrangement;
  readonly given: string;
}
