import { DEFAULT_READY_TIME } from '../../protocol/defaults.ts';
import OPERATIONS from './operations.json' with { type: 'json' };

interface OperationExample {
  readonly name: string;
  readonly summary: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly code: number;
  /** Absent for a refusal. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface DocumentedOperation {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Names of schemas; an answer without one is any object. */
  readonly request: string;
  readonly data?: string;
  /** The field of a form that carries a file, where the operation takes one. */
  readonly file?: string;
  /** The first one succeeds. */
  readonly examples: readonly OperationExample[];
}

/** The operations of D1 section 4. `billDate` is the day of the bill in the examples. */
export function documentedOperations(billDate: string): readonly DocumentedOperation[] {
  return filled(OPERATIONS, { billDate, DEFAULT_READY_TIME });
}

/** A copy in which each `{name}` of a text is replaced; a whole text becomes the value itself. */
export function filled<T>(template: T, values: Readonly<Record<string, unknown>>): T {
  const named = (name: string): unknown => {
    if (!(name in values)) throw new Error(`no value for {${name}}`);
    return values[name];
  };
  return JSON.parse(JSON.stringify(template), (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const [, whole] = /^\{([A-Za-z]\w*)\}$/.exec(value) ?? [];
    if (whole !== undefined) return named(whole);
    return value.replace(/\{([A-Za-z]\w*)\}/g, (_, name: string) => String(named(name)));
  }) as T;
}
