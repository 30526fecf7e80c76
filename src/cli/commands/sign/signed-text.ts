import { shellQuote } from '../../../errors.ts';
import { placeholderUrl } from '../../../protocol/operations.ts';
import { sortedByName } from '../../../signing/canonical.ts';
import type { Output } from '../../context/output.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
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
export function explanation(signed: SigningReport, output: Output): string {
  const style = output.styles('stdout');
  const { mode, version, canonical, sign, secretLength } = signed;
  const where = mode === 'body' ? 'in the body (D1 5.1)' : 'in the header X-TMS-Sign (D1 5.2)';
  const heading = (text: string): string => style.bold(text);
  const secret = style.yellow(`<secret: ${secretLength} characters>`);
  const warnings = [...signed.warnings, ...signed.portability()];
  return [
    heading(`Protocol ${version}: the signature is ${where}`),
    '',
    heading('1. The fields of the request'),
    ...fieldLines(signed, output),
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

/** The words are translated first, since their widths place the columns. */
function fieldLines({ entries, omitted }: SigningReport, output: Output): string[] {
  const style = output.styles('stdout');
  const widthOf = output.translation?.width ?? (({ length }: string) => length);
  const widest = (texts: readonly string[]): ((text: string) => string) => {
    const width = texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
    return (text) => text + ' '.repeat(width - widthOf(text));
  };
  const [signed, unsigned] = [output.word('in'), output.word('out')];
  const labels = {
    business: output.word('business field'),
    common: output.word('common field'),
    header: output.word('signed header'),
  };
  const state = widest([signed, unsigned]);
  const label = widest(Object.values(labels));
  const field = widest([...entries, ...omitted].map(({ name }) => visible(name)));
  return [
    ...entries.map(({ name, value, source }) => {
      const shown = value === '' ? style.dim('(empty, included)') : visible(value);
      return `   ${style.green(state(signed))} ${field(visible(name))}  ${style.dim(label(labels[source]))}  ${shown}`;
    }),
    ...omitted.map(
      ({ name, reason }) =>
        `   ${style.red(state(unsigned))} ${field(visible(name))}  ${style.dim(reason)}`,
    ),
  ];
}
