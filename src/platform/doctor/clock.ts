import { MopError } from '../../errors.ts';
import type { HttpResponse } from '../../http/response.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';

/** The head of an answer. */
export interface Reply {
  readonly status: number;
  /** From the request to the head of the answer. */
  readonly milliseconds: number;
  /** Our clock minus the server's; undefined when the answer has no `Date`. */
  readonly aheadSeconds: number | undefined;
}

/** @param asked The time of the request; like `answered`, in milliseconds since 1970. */
export function readReply(
  { status, header }: Pick<HttpResponse, 'status' | 'header'>,
  asked: number,
  answered: number,
): Reply {
  const date = Date.parse(header('date') ?? '');
  // The server read its clock between the two times.
  const ours = (asked + answered) / 2;
  return {
    status,
    milliseconds: Math.round(answered - asked),
    aheadSeconds: Number.isNaN(date) ? undefined : Math.round((ours - date) / 1000),
  };
}

/** A clock that is off by this much may exceed the limit within weeks. */
const WARNING_SECONDS = 10;

/** The check `clock`: timestamps may be off by one minute at most (D1 4.1 rule 1). */
export function examineClock({ aheadSeconds }: Pick<Reply, 'aheadSeconds'>): Finding {
  if (aheadSeconds === undefined) return skipped('the answer has no Date to compare with');
  const seconds = Math.abs(aheadSeconds);
  if (seconds <= 1) return ok("it agrees with the platform's");
  const detail = `this machine is ${seconds} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the platform`;
  const fix = 'set the clock of this machine, preferably with NTP';
  if (seconds > MAX_CLOCK_SKEW_SECONDS) {
    return failed(
      new MopError('auth', `${detail}, which accepts ${MAX_CLOCK_SKEW_SECONDS} s`, { hint: fix }),
    );
  }
  return seconds > WARNING_SECONDS ? warning(detail, fix) : ok(detail);
}
