import { billOperation } from '../bills/descriptor.ts';
import { isSuccess } from '../envelope.ts';
import type { OperationClient } from '../operation-client.ts';
import { type Finding, failed, ok, reportable, warning } from './finding.ts';

const DAY_MS = 86_400_000;
const ACCEPTED = 'the platform accepted key and signature';

/**
 * Requests a descriptor, which changes nothing (D1 4.1). Any code of the operation is a success.
 */
export async function examineCredentials(client: OperationClient): Promise<Finding> {
  // The date in UTC: for the platform yesterday or a neighbouring day. Any of these days works.
  const date = new Date(client.source.now() - DAY_MS).toISOString().slice(0, 10);
  try {
    const answer = await client.exchange(billOperation({ date, type: 'all' }));
    if (isSuccess(answer)) return ok(ACCEPTED);
    const failure = client.failure(answer);
    if (failure.code === 'auth') return failed(failure);
    // A failing platform may not have checked key and signature.
    if (failure.code === 'network') return warning(failure.message, failure.details.hint);
    return ok(`${ACCEPTED} (it answered ${answer.code})`);
  } catch (error) {
    return failed(reportable(error));
  }
}
