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
  const named = subject.replace(/\$(\d)/g, (name, number) => {
    const value = values[number - 1];
    if (value === undefined) throw new Error(`${fault} has no value for ${name}`);
    return String(value);
  });
  return captureError(format, named, hint, cause);
}
