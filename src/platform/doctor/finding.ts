import { MopError } from '../../errors.ts';

/** What a check came to; `skipped` when it does not apply or cannot be judged. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** What a check found, for a person. It may quote a server, but never a secret. */
export interface Finding {
  readonly state: CheckState;
  readonly detail: string;
  /** What to do next, of a warning or a failure. */
  readonly fix?: string | undefined;
  readonly error?: MopError;
}

export function ok(detail: string): Finding {
  return { state: 'ok', detail };
}

export function skipped(reason: string): Finding {
  return { state: 'skipped', detail: reason };
}

export function warning(detail: string, fix: string | undefined): Finding {
  return { state: 'warning', detail, fix };
}

export function failed(error: MopError): Finding {
  return { state: 'failed', detail: error.message, fix: error.details.hint, error };
}

/** A finding with what was found by the way, for the checks after it. */
export interface Checked<T> {
  readonly finding: Finding;
  readonly value?: T | undefined;
}

/** Looks at something; what cannot be looked at is a failure to report, as in {@link reportable}. */
export async function checked<T>(
  look: () => Checked<T> | Promise<Checked<T>>,
): Promise<Checked<T>> {
  try {
    return await look();
  } catch (error) {
    return { finding: failed(reportable(error)) };
  }
}

/**
 * An error that a check reports. What ends the examination instead is thrown on: a signal of the
 * system, or a bug.
 */
export function reportable(error: unknown): MopError {
  const ends = error instanceof MopError && /^(?:interrupted|terminated)$/.test(error.code);
  if (ends || !(error instanceof MopError)) throw error;
  return error;
}

const WORST_FIRST: readonly CheckState[] = ['failed', 'warning', 'ok', 'skipped'];

/**
 * One finding for a check of several things, at least one: the worst, with all details. What was
 * skipped is mentioned where nothing else is.
 */
export function worstOf(findings: readonly [Finding, ...Finding[]]): Finding {
  const rank = ({ state }: Finding): number => WORST_FIRST.indexOf(state);
  const worst = findings.reduce((a, b) => (rank(b) < rank(a) ? b : a));
  const shown = findings.filter(({ state }) => worst.state === 'skipped' || state !== 'skipped');
  const details = new Set(shown.map(({ detail }) => detail));
  return { ...worst, detail: [...details].join('; ') };
}
