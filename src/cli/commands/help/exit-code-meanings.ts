import type { FailureCode } from '../../../errors.ts';

/** The meaning of each exit code, and whether the same command may succeed later (contract section 1). */
export const MEANINGS: Readonly<
  Record<FailureCode, { readonly meaning: string; readonly retry: 'yes' | 'later' | 'no' | '' }>
> = {
  failure: { meaning: 'a bug, or a failure without another code', retry: 'no' },
  usage: { meaning: 'bad arguments or bad input, which was not sent', retry: 'no' },
  config: { meaning: 'configuration missing or invalid, or secret exposed', retry: 'no' },
  auth: { meaning: 'key, signature or timestamp refused or incorrect', retry: 'no' },
  api: { meaning: 'another result code, or an invalid answer', retry: 'no' },
  network: { meaning: 'DNS, TLS, time-out, HTTP 5xx or 429, result code -1', retry: 'yes' },
  integrity: { meaning: 'the bill is truncated, corrupt or does not match', retry: 'yes' },
  'not-ready': {
    meaning: 'the bill is not available yet (before 10:00 next day)',
    retry: 'later',
  },
  'no-bill': { meaning: 'the day had no trades, so there is no bill', retry: 'no' },
  risk: { meaning: 'mop detect found a risk at or above a given level', retry: 'no' },
  unhealthy: { meaning: 'the detection service is not healthy', retry: 'later' },
  mixed: { meaning: 'several items failed for different reasons', retry: '' },
  io: { meaning: 'local disk or file error', retry: 'no' },
  graphql: { meaning: 'errors in the response, document or schema', retry: 'no' },
  differs: { meaning: 'bill compare or bill status found differences', retry: 'no' },
  interrupted: { meaning: 'SIGINT', retry: '' },
  terminated: { meaning: 'SIGTERM, or SIGHUP: the terminal was closed', retry: '' },
};
