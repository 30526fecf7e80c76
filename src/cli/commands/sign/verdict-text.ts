import { PROTOCOL_VERSION } from '../../../protocol/operations.ts';
import { compareCanonical } from '../../../signing/compare.ts';
import type { Diagnosis } from '../../../signing/diagnosis/diagnose.ts';
import { skewText } from '../../../signing/verification/request-checks.ts';
import { stringsToSign } from '../../../signing/verification/strings-to-sign.ts';
import { rightPairs, type TheirString } from '../../../signing/verification/their-string.ts';
import {
  named,
  remainingSuspects,
  unexplained,
} from '../../../signing/verification/verdict-document.ts';
import { hasRightSignature, type Verdict } from '../../../signing/verification/verify.ts';
import type { Verification } from '../../../signing/verification/verify-request.ts';
import type { Output } from '../../context/output.ts';
import type { Style } from '../../context/style.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { fieldLines, shownStart, stringLines } from './difference-text.ts';

/** A verdict as text: the mistakes and their fixes, then the layers. */
export async function verdictText(verification: Verification, output: Output): Promise<string> {
  const { examination, warnings, theirs, call } = verification;
  const style = output.styles('stdout');
  const { verdict } = examination;
  return [
    ...headline(verification, style),
    '',
    ...(call ? [style.bold('Call'), `   ${call.line}`, ''] : []),
    ...signatureLines(verification, style),
    ...(hasRightSignature(verdict) ? [] : await signedLines(verification, output)),
    ...(theirs ? await theirLines(theirs, verification, output) : []),
    ...clockLines(verdict, style),
    ...(warnings.length > 0 ? ['', style.bold('Warnings')] : []),
    ...warnings.map((warning) => `   ${style.yellow('!')} ${visibleLine(warning)}`),
  ].join('\n');
}

function headline(verification: Verification, style: Style): string[] {
  const { examination, secrets, theirs, refused } = verification;
  const { verdict } = examination;
  const { valid, diagnosis, mode } = verdict;
  if (refused) {
    return [`${style.red('Refused:')} ${visibleLine(refused.reason)}`, fixLine(refused, style)];
  }
  if (valid) {
    const fits = `fits protocol ${PROTOCOL_VERSION[mode]} and the secret of ${secrets[0]?.name}`;
    return [`${style.green('Right:')} the signature ${fits}`];
  }
  const faults = diagnosis.flatMap((fault) => faultLines(fault, style));
  if (examination.isExplained) return faults;
  const label = theirs?.signed ? `${style.green('Fix:')}   ` : `${style.yellow('Next:')}  `;
  return [
    `${style.red('Wrong:')} ${unexplained(verdict, theirs)}`,
    label + remainingSuspects(verification),
    ...faults,
  ];
}

function faultLines(fault: Diagnosis, style: Style): string[] {
  const title = style.bold(visibleLine(fault.title));
  return [`${style.red('Wrong:')} ${title} ${style.dim(`(${fault.id})`)}`, fixLine(fault, style)];
}

function fixLine({ fix }: { readonly fix: string }, style: Style): string {
  return `${style.green('Fix:')}   ${fix}`;
}

function signatureLines({ examination: { verdict }, hide }: Verification, style: Style): string[] {
  const { received, expected } = verdict;
  const lines = hasRightSignature(verdict)
    ? [`   received  ${style.green(received)}, which is right`]
    : [
        `   received  ${style.red(visibleLine(named(hide(received))))}`,
        `   expected  ${style.green(expected)}`,
      ];
  return [style.bold('Signature'), ...lines];
}

/** The signed string and the right one. */
async function signedLines(
  { examination, secrets, hide }: Verification,
  output: Output,
): Promise<string[]> {
  const style = output.styles('stdout');
  const { right, signed, signedCanonical = '' } = stringsToSign(examination, secrets, hide);
  const canonical = hide(examination.verdict.canonical);
  if (signed === undefined || signed === right) {
    const [bytes, ofSecret] = [canonical, secrets[0]?.secret ?? ''].map((text) =>
      Buffer.byteLength(text),
    );
    return [
      '',
      style.bold(signed ? 'The string to sign is right' : 'The right string to sign'),
      `   [${shownStart(right, style)}]`,
      style.dim(`   ${bytes} bytes in UTF-8, and ${ofSecret} of the secret`),
    ];
  }
  const comparison = compareCanonical(signedCanonical, rightPairs(examination, hide));
  return [
    '',
    style.bold('String to sign'),
    ...stringLines(signed, right, 'signed', style),
    ...(await fieldLines(comparison, 'signed', output)),
  ];
}

async function theirLines(
  { canonical: theirs, signed, unescaped, comparison, mistakes }: TheirString,
  { examination, hide }: Verification,
  output: Output,
): Promise<string[]> {
  const style = output.styles('stdout');
  const canonical = hide(examination.verdict.canonical);
  const faults = examination.isExplained && signed ? [] : mistakes;
  const proof = signed
    ? 'Hashed, it produces the received signature: it is the string that was signed.'
    : 'Hashed with any known secret, it does not produce the received signature.';
  return [
    '',
    style.bold('Their string'),
    `   ${proof}`,
    ...(unescaped ? ['   Its escapes were undone before the comparison.'] : []),
    ...faults.flatMap((fault) => faultLines(fault, style)).map((line) => `   ${line}`),
    ...(comparison.offset === undefined
      ? ['   It is the right string.']
      : [
          ...stringLines(theirs, canonical, 'theirs', style),
          ...(await fieldLines(comparison, 'theirs', output)),
        ]),
  ];
}

/** The clock of a valid timestamp; an invalid one is among the warnings. */
function clockLines({ clock: check }: Verdict, style: Style): string[] {
  const { timestamp, now, skewSeconds, withinLimit } = check;
  if (skewSeconds === null || !withinLimit) return [];
  const clock = `the clock (${now})`;
  const distance = skewSeconds === 0 ? `the same as ${clock}` : skewText(skewSeconds, clock);
  return ['', style.bold('Clock'), `   timestamp ${timestamp}, ${distance}`];
}
