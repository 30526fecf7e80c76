import { MopError } from '../errors.ts';
import { AnswerFields } from '../json/fields.ts';
import type { JsonValue } from '../json/value.ts';
import { DETECTION_CONTRACT } from './answer.ts';

/** The reported health of the service (D2 2.3). */
export interface Health {
  /** `ok` when it is healthy. */
  readonly status: string;
  /** The number of loaded rules. */
  readonly rules: number | undefined;
  readonly version: string | undefined;
  readonly httpStatus: number;
  /** The whole answer, with its digits and order. */
  readonly json: JsonValue;
}

export interface HealthDemands {
  readonly minRules?: number | undefined;
  readonly expectVersion?: string | undefined;
}

/** Reads an answer of /api/health (D2 2.3). @throws {MopError} `api` when it violates D2. */
export function readHealth(json: JsonValue, httpStatus: number): Health {
  const fields = new AnswerFields(json, DETECTION_CONTRACT);
  const status = fields.required('status', 'string').value;
  const rules = fields.optional('rules', 'number')?.text;
  if (rules !== undefined && !/^\d{1,15}$/.test(rules)) {
    throw fields.violation('rules', 'is not a count');
  }
  const version = fields.optional('version', 'string')?.value;
  return { status, rules: rules === undefined ? rules : Number(rules), version, httpStatus, json };
}

/** An error of code `unhealthy` with every fault; undefined when the service is healthy. */
export function healthFailure(
  { status, rules, version, httpStatus }: Health,
  { minRules = 0, expectVersion = version }: HealthDemands,
): MopError | undefined {
  const faults = [
    status !== 'ok' && `its status is ${JSON.stringify(status)}`,
    httpStatus >= 300 && `it answered HTTP ${httpStatus}`,
    rules !== undefined && rules < minRules && `it has ${rules} rules, expected ${minRules}`,
    version !== undefined &&
      version !== expectVersion &&
      `its version is ${JSON.stringify(version)}, expected ${JSON.stringify(expectVersion)}`,
    // D2 shows both fields, but some services report their status alone.
    rules === undefined && minRules > 0 && 'it does not report its rules (--min-rules)',
    version === undefined &&
      expectVersion !== undefined &&
      'it does not report its version (--expect-version)',
  ].filter((fault) => fault !== false);
  if (faults.length === 0) return undefined;
  return new MopError('unhealthy', `the service is not as expected: ${faults.join('; ')}`, {
    hint: 'wait for the service with --wait 60, or leave out a condition that it never reports',
  });
}
