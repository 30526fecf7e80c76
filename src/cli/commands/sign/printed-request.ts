import { ADDRESS_PREFIX, type SignatureMode } from '../../../protocol/operations.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
import { type SigningReport, signedDocument } from './sign-request.ts';

/** The part of a signed request to print. */
export type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

/** A warning for a command or program with {@link placeholderUrl}. */
export const NO_ADDRESS = 'no --path or --url: put the address in the place of https://HOST';

export function placeholderUrl(mode: SignatureMode): string {
  return `https://HOST${ADDRESS_PREFIX[mode]}/PATH`;
}

/**
 * A signed request in a form.
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
