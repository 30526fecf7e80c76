import type { MopError } from '../../errors.ts';
import { type CaptureFormat, captureError } from './captured-request.ts';
import FAULTS from './faults.json' with { type: 'json' };

export type FaultName = keyof typeof FAULTS;

/** The error for a fault of faults.json: its subject, in which `$1` is the first value, and its hint. */
export function captureFault(
  format: CaptureFormat,
  fault: FaultName,
  values: readonly unknown[] = [],
  cause?: unknown,
): MopError {
  const [subject = '', hint = ''] = FAULTS[fault];
  const named = subject.replace(/\$(\d)/g, (_, number) => String(values[number - 1]));
  return captureError(format, named, hint, cause);
}
