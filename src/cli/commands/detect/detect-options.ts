import type { Gate } from '../../../detection/gate.ts';
import type { Levels } from '../../../detection/levels.ts';
import type { InputForm } from '../../../detection/report.ts';

export interface DetectOptions extends Gate {
  readonly batch?: string;
  readonly field?: string;
  readonly lines?: boolean;
  readonly concurrency?: number;
  readonly keepGoing?: boolean;
  readonly levels: Levels;
  readonly asIs?: boolean;
  readonly rewrite?: boolean;
  readonly junit?: string;
  readonly sarif?: string;
  readonly includeText?: boolean;
  readonly header?: readonly string[];
}

/** The source of texts: the argument TEXT, or a file of lines (`-` is standard input). */
export interface Input {
  readonly inputForm: InputForm;
  readonly given: string;
}
