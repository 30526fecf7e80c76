import { redactHeader, redactJson } from '../http/redact.ts';
import type { SignedRequest } from '../platform/signed-request.ts';
import { curlCommand, type ShownRequest } from './curl.ts';
import type { Output } from './output.ts';

/**
 * Prints requests instead of sending them: curl commands, or with `--json` the request, an array
 * for any number but one. Signatures are secrets here too; `mop sign` prints them.
 */
export async function printDryRun(
  requests: readonly SignedRequest[],
  output: Output,
): Promise<void> {
  const shown = requests.map(shownRequest);
  if (output.json) {
    await output.document(shown.length === 1 ? shown[0] : shown);
  } else if (shown.length > 0) {
    await output.data(shown.map((each) => curlCommand(each, each.form)).join('\n'));
  }
}

function shownRequest({ method, url, headers, body, form }: SignedRequest) {
  const shown: ShownRequest = {
    method,
    url: url.href,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, redactHeader(name, value)])),
    body: body === undefined ? null : redactJson(body),
  };
  return { ...shown, ...(form && { form }) };
}
