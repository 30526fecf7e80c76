import { shellQuote } from '../../../errors.ts';
import { placeholderUrl } from '../../../protocol/operations.ts';
import { sortedByName } from '../../../signing/canonical.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
import type { Style } from '../../context/style.ts';
import { visible } from '../../context/visible-text.ts';
import { type SigningReport, signedDocument } from './sign-request.ts';

/** The printed part of a signed request. */
export type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

/** A warning for a command or program with {@link placeholderUrl}. */
export const NO_ADDRESS = 'no --path or --url: replace https://HOST with the address';

/** Prints a signed request in the given form. */
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

/** The layers of a signature as text. */
export function explanation(signed: SigningReport, style: Style): string {
  const { mode, version, canonical, sign, secretLength } = signed;
  const where = mode === 'body' ? 'in the body (D1 5.1)' : 'in the header X-TMS-Sign (D1 5.2)';
  const heading = (text: string): string => style.bold(text);
  const secret = style.yellow(`<secret: ${secretLength} characters>`);
  const warnings = [...signed.warnings, ...signed.portability()];
  return [
    heading(`Protocol ${version}: the signature is ${where}`),
    '',
    heading('1. The fields of the request'),
    ...fieldLines(signed, style),
    '',
    heading('2. The signed fields, sorted by name (UTF-16 code units, upper case first)'),
    ...sortedByName(signed.entries).map(
      ({ name, value }) => `   ${visible(name)}=${visible(value)}`,
    ),
    '',
    heading('3. Joined with "&": the canonical string (src1)'),
    `   [${visible(canonical)}]`,
    style.dim(`   ${Buffer.byteLength(canonical)} bytes in UTF-8`),
    '',
    heading('4. The secret appended, without a separator (src2)'),
    `   [${visible(canonical)}${secret}]`,
    '',
    heading('5. MD5 as upper-case hex'),
    `   ${style.green(sign)}`,
    '',
    heading('The same by hand, with the secret in MOP_API_SECRET:'),
    `   printf '%s%s' ${shellQuote(canonical)} "$MOP_API_SECRET" | openssl dgst -md5 -r | cut -c1-32 | tr a-f A-F`,
    ...(warnings.length > 0 ? ['', heading('Warnings')] : []),
    ...warnings.map((warning) => `   ${style.yellow('!')} ${warning}`),
  ].join('\n');
}

function fieldLines({ entries, omitted }: SigningReport, style: Style): string[] {
  const fields = [...entries, ...omitted];
  const width = fields.reduce((most, { name }) => Math.max(most, visible(name).length), 0);
  const labels = { business: 'business field', common: 'common field', header: 'signed header' };
  return [
    ...entries.map(({ name, value, source }) => {
      const shown = value === '' ? style.dim('(empty, included)') : visible(value);
      return `   ${style.green('in ')} ${visible(name).padEnd(width)}  ${style.dim(labels[source].padEnd(14))}  ${shown}`;
    }),
    ...omitted.map(
      ({ name, reason }) =>
        `   ${style.red('out')} ${visible(name).padEnd(width)}  ${style.dim(reason)}`,
    ),
  ];
}
