import { percentDecoded } from '../../http/address.ts';
import { headersByName } from '../../http/headers.ts';
import type { FormField } from '../../http/multipart.ts';
import type { TextRequest } from '../../http/request.ts';
import { isCredential } from '../../redaction/credentials.ts';
import { REDACTED, redactFields, redactHeader, redactValues } from '../../redaction/redact.ts';
import type { Output } from './output.ts';
import { curlCommand, type ShownRequest } from './print-curl.ts';

/** A request with its content: a text, or the fields of a form. */
interface DryRequest extends TextRequest {
  readonly form?: readonly FormField[] | undefined;
  readonly apiSecret?: string | undefined;
}

/**
 * Prints requests instead of sending them: curl commands, or JSON with `--json`. The JSON is an
 * array, except for a single request.
 */
export async function printDryRun(requests: readonly DryRequest[], output: Output): Promise<void> {
  const shown = requests.map((request) => dryRunText(request, output));
  if (output.json) await output.jsonText(shown.length === 1 ? `${shown}` : `[${shown}]`);
  else if (shown.length > 0) await output.data(shown.join('\n'));
}

/**
 * A request as `--dry-run` prints it: a curl command, or a JSON object with `--json`. It contains
 * signatures and credentials only with `--reveal`, and never the api secret.
 */
export function dryRunText(request: DryRequest, output: Output): string {
  const shown = shownRequest(request, output.reveal);
  if (!output.json) return curlCommand(shown, shown.form);
  return JSON.stringify({ ...shown, headers: joined(shown.headers) });
}

function shownRequest(request: DryRequest, reveal: boolean) {
  const { method, url, headers, body, form, secrets = [], apiSecret } = request;
  const clean = (text: string): string =>
    apiSecret === undefined ? text : redactValues(text, [apiSecret]);
  const shownHeader = (name: string, value: string): string => {
    if (reveal) return clean(value);
    return secrets.includes(value) ? REDACTED : redactHeader(name, value);
  };
  const shown: ShownRequest = {
    method,
    url: reveal ? url.href : withoutCredentials(url.href),
    headers: headersByName(headers.map(([name, value]) => [name, shownHeader(name, value)])),
    body: body === undefined ? null : clean(reveal ? body : redactFields(body)),
  };
  const texts = form?.map((field) =>
    'file' in field ? field : { ...field, value: clean(field.value) },
  );
  return { ...shown, ...(texts && { form: texts }) };
}

/** An address without the values of credentials in its query. */
function withoutCredentials(address: string): string {
  return address.replace(/([?&])([^=?&#]+)=([^&#]*)/g, (all, sign, name, value) =>
    isCredential(percentDecoded(name), percentDecoded(value)) ? `${sign}${name}=${REDACTED}` : all,
  );
}

/** Joins the values of headers with the same name, as HTTP does. */
function joined(headers: ShownRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]),
  );
}
