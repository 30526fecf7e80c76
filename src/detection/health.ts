import { MopError } from '../errors.ts';
import { MAX_TIMER_MS } from '../http/abort.ts';
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

interface HealthDemands {
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

export interface AwaitHealthOptions extends HealthDemands {
  /** The deadline for the answer; 0 sends one request without a deadline. */
  readonly seconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Called after each attempt except the last. */
  readonly onUnhealthy?: ((failure: MopError) => void) | undefined;
}

const LONGEST_WAIT_MS = 5000;
/** Time limit of the last attempt. */
const LAST_ATTEMPT_MS = 1000;

/**
 * Polls until the service is healthy or the time is over, at growing intervals of up to five
 * seconds. Any answer but a refusal of the caller means "not ready yet".
 *
 * @throws {MopError} `network` or `api`: the failure of the last attempt, or one that waiting
 * cannot fix.
 */
export async function awaitHealth(
  ask: () => Promise<Health>,
  { seconds, now, sleep, onUnhealthy, ...demands }: AwaitHealthOptions,
): Promise<{ readonly health: Health; readonly failure: MopError | undefined }> {
  const start = now();
  const lastAttempt = Math.min(LAST_ATTEMPT_MS, (seconds * 1000) / 4);
  let slept = 0;
  // A clock that is set back does not make the wait longer.
  const left = (): number => seconds * 1000 - Math.max(now() - start, slept);
  for (let attempt = 1; ; attempt++) {
    const asked = ask().catch((error: unknown) => {
      if (error instanceof MopError && /^(?:network|api)$/.test(error.code)) return error;
      throw error;
    });
    const answer = await (seconds === 0 ? asked : within(left(), seconds, asked));
    const isError = answer instanceof MopError;
    const failure = isError ? answer : healthFailure(answer, demands);
    const wait = Math.min(attempt * 1000, LONGEST_WAIT_MS, left() - lastAttempt);
    if (!failure || wait <= 0) {
      if (isError) throw answer;
      return { health: answer, failure };
    }
    onUnhealthy?.(failure);
    await sleep(wait);
    slept += wait;
  }
}

/** A transport times out on silence only; a service that sends slowly is never silent. */
async function within<T>(ms: number, seconds: number, exchange: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new MopError('network', `no complete answer within ${seconds} s (--wait)`, {
      hint: 'wait longer, or add --verbose to see the answers of the service',
    });
    timer = setTimeout(() => reject(error), Math.min(ms, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([exchange, late]);
  } finally {
    clearTimeout(timer);
  }
}
