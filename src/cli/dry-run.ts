import { REDACTED, redactHeader, redactJson } from '../http/redact.ts';
import type { HttpRequest } from '../http/transport.ts';
import type { FormField } from '../signing/header-mode.ts';
import { curlCommand, type ShownRequest } from './curl.ts';
import type { Output } from './output.ts';

/** A request whose content is at hand: a text, or the fields of a form. */
interface DryRequest extends HttpRequest {
  readonly body?: string | undefined;
  readonly form?: readonly FormField[] | undefined;
}

/**
 * Prints requests instead of sending them: curl commands, or with `--json` the request, an array
 * for any number but one. Signatures are secrets here too; `mop sign` prints them.
 */
export async function printDryRun(requests: readonly DryRequest[], output: Output): Promise<void> {
  const shown = requests.map(shownRequest);
  if (output.json) {
    await output.document(shown.length === 1 ? shown[0] : shown);
  } else if (shown.length > 0) {
    await output.data(shown.map((each) => curlCommand(each, each.form)).join('\n'));
  }
}

function shownRequest({ method, url, headers, body, form, secrets = [] }: DryRequest) {
  const shown: ShownRequest = {
    method,
    url: url.href,
    headers: Object.fromEntries(
      headers.map(([name, value]) => [
        name,
        secrets.includes(value) ? REDACTED : redactHeader(name, value),
      ]),
    ),
    body: body === undefined ? null : redactJson(body),
  };
  return { ...shown, ...(form && { form }) };
}
