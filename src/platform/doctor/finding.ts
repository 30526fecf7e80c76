import { isStopped, MopError } from '../../errors.ts';

/** The state of a check; `skipped` when it does not apply or cannot be evaluated. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** The finding of a check, for a person. It may quote a server, but never a secret. */
export interface Finding {
  readonly state: CheckState;
  readonly detail: string;
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

export interface Checked<T> {
  readonly finding: Finding;
  readonly value?: T | undefined;
}

/** Runs a check. Turns an error into a finding, except those that {@link reportable} rethrows. */
export async function checked<T>(
  check: () => Checked<T> | Promise<Checked<T>>,
): Promise<Checked<T>> {
  try {
    return await check();
  } catch (error) {
    return { finding: failed(reportable(error)) };
  }
}

/** Returns an error that a check can report. Rethrows a signal and a bug: both end the run. */
export function reportable(error: unknown): MopError {
  if (!(error instanceof MopError) || isStopped(error)) throw error;
  return error;
}

const WORST_FIRST: readonly CheckState[] = ['failed', 'warning', 'ok', 'skipped'];

/** The worst state, with all details. Skipped findings count only when all are skipped. */
export function worstOf(findings: readonly [Finding, ...Finding[]]): Finding {
  const rank = ({ state }: Finding): number => WORST_FIRST.indexOf(state);
  const worst = findings.reduce((a, b) => (rank(b) < rank(a) ? b : a));
  const shown = findings.filter(({ state }) => worst.state === 'skipped' || state !== 'skipped');
  const details = new Set(shown.map(({ detail }) => detail));
  return { ...worst, detail: [...details].join('; ') };
}
