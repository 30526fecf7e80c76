import { placeholderUrl } from '../../../protocol/operations.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
import { type SigningReport, signedDocument } from './sign-request.ts';

/** The printed part of a signed request. */
export type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

/** A warning for a command or program with {@link placeholderUrl}. */
export const NO_ADDRESS = 'no --path or --url: replace https://HOST with the address';

/**
 * Prints a signed request in the given form.
 *
 * @param isLine Whether it is a line of a batch, where headers are a JSON object.
 */
export function printedRequest(signed: SigningReport, form: Form, isLine = false): string {
  const { mode, url, headers, body, form: fields } = signed;
  switch (form) {
    case 'json':
      return JSON.stringify(signedDocument(signed));
    case 'sign':
      return signed.sign;
    case 'body':
      return body ?? '';
    case 'headers':
      if (isLine) return JSON.stringify(headers);
      return Object.entries(headers)
        .map(([name, value]) => curlHeader(name, value))
        .join('\n');
    case 'curl': {
      return curlCommand({ ...signed, method: 'POST', url: url ?? placeholderUrl(mode) }, fields);
    }
  }
}
