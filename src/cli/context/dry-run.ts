import { headersByName } from '../../http/headers.ts';
import type { FormField } from '../../http/multipart.ts';
import { REDACTED, redactHeader, redactJson } from '../../http/redact.ts';
import type { TextRequest } from '../../http/request.ts';
import type { Output } from './output.ts';
import { curlCommand, type ShownRequest } from './print-curl.ts';

/** A request whose content is at hand: a text, or the fields of a form. */
interface DryRequest extends TextRequest {
  readonly form?: readonly FormField[] | undefined;
}

/**
 * Prints requests instead of sending them: curl commands, or with `--json` the request, an array
 * for any number but one. Signatures are secrets here too; `mop sign` prints them.
 */
export async function printDryRun(requests: readonly DryRequest[], output: Output): Promise<void> {
  const shown = requests.map(shownRequest);
  if (output.json) {
    const documents = shown.map((each) => ({ ...each, headers: joined(each.headers) }));
    await output.document(documents.length === 1 ? documents[0] : documents);
  } else if (shown.length > 0) {
    await output.data(shown.map((each) => curlCommand(each, each.form)).join('\n'));
  }
}

function shownRequest({ method, url, headers, body, form, secrets = [] }: DryRequest) {
  const shown: ShownRequest = {
    method,
    url: url.href,
    headers: headersByName(
      headers.map(([name, value]) => [
        name,
        secrets.includes(value) ? REDACTED : redactHeader(name, value),
      ]),
    ),
    body: body === undefined ? null : redactJson(body),
  };
  return { ...shown, ...(form && { form }) };
}

/** Headers of one name as one, as HTTP itself would join them. */
function joined(headers: ShownRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]),
  );
}
