import type { ChalkInstance } from 'chalk';
import { PROTOCOL_VERSION } from '../../../protocol/operations.ts';
import {
  compareCanonical,
  firstDifference,
  type PairDifference,
} from '../../../signing/compare.ts';
import { maskSecret, SECRET_MARK } from '../../../signing/mask-secret.ts';
import { hasRightSignature, type Verdict } from '../../../signing/verification/verify.ts';
import { visible, visibleLine } from '../../context/visible-text.ts';
import { unexplained, whatIsLeft } from './verdict-document.ts';
import type { TheirString, Verification } from './verify-capture.ts';

/** A verdict for a person: what was done wrong and the mend, then the layers. */
export function verdictText(verification: Verification, style: ChalkInstance): string {
  const { examination, warnings, theirs } = verification;
  const { verdict } = examination;
  return [
    ...headline(verification, style),
    '',
    ...signatureLines(verdict, style),
    ...(hasRightSignature(verdict) ? [] : signedLines(verification, style)),
    ...(theirs ? theirLines(theirs, verification, style) : []),
    ...clockLines(verdict, style),
    ...(warnings.length > 0
      ? [
          '',
          style.bold('Mind'),
          ...warnings.map((warning) => `   ${style.yellow('!')} ${visibleLine(warning)}`),
        ]
      : []),
  ].join('\n');
}

function headline({ examination, secrets, theirs }: Verification, style: ChalkInstance): string[] {
  const { verdict } = examination;
  const { valid, diagnosis, mode } = verdict;
  if (valid) {
    const [own] = secrets;
    return [
      `${style.green('Right:')} the signature fits protocol ${PROTOCOL_VERSION[mode]} and the secret of ${own?.name}`,
    ];
  }
  const faults = diagnosis.flatMap(({ id, title, fix }) => [
    `${style.red('Wrong:')} ${style.bold(visibleLine(title))} ${style.dim(`(${id})`)}`,
    `${style.green('Fix:')}   ${fix}`,
  ]);
  if (examination.signer) return faults;
  const label = theirs?.signed ? `${style.green('Fix:')}   ` : `${style.yellow('Left:')}  `;
  return [
    `${style.red('Wrong:')} ${unexplained(verdict, theirs)}`,
    label + whatIsLeft(verdict, secrets.length, theirs),
    ...faults,
  ];
}

function signatureLines(verdict: Verdict, style: ChalkInstance): string[] {
  const { received, expected } = verdict;
  if (hasRightSignature(verdict)) {
    return [style.bold('Signature'), `   received  ${style.green(received)}, which is right`];
  }
  return [
    style.bold('Signature'),
    `   received  ${style.red(visibleLine(received))}`,
    `   expected  ${style.green(expected)}`,
  ];
}

/** What was signed beside what should have been. */
function signedLines({ examination, secrets, hide }: Verification, style: ChalkInstance): string[] {
  const { signer } = examination;
  const canonical = hide(examination.verdict.canonical);
  const own = secrets[0]?.secret ?? '';
  const masked = (secret: string): string =>
    maskSecret(secret, secret === own ? SECRET_MARK : OTHER_MARK);
  const right = canonical + masked(own);
  const wrong = signer?.with({ secret: masked(signer.steps.secret) });
  const signed = wrong && hide(wrong.message);
  if (wrong === undefined || signed === undefined || signed === right) {
    return [
      '',
      style.bold(wrong ? 'The string to sign is right' : 'The right string to sign'),
      `   [${shown(right, style)}]`,
      style.dim(
        `   ${Buffer.byteLength(canonical)} bytes in UTF-8, and ${Buffer.byteLength(own)} of the secret`,
      ),
    ];
  }
  return [
    '',
    style.bold('String to sign'),
    ...sideBySide(signed, right, 'signed', style),
    ...differenceLines(compareCanonical(hide(wrong.canonical), canonical).pairs, 'signed', style),
  ];
}

function theirLines(
  { canonical: theirs, signed, comparison }: TheirString,
  { examination, hide }: Verification,
  style: ChalkInstance,
): string[] {
  const canonical = hide(examination.verdict.canonical);
  const proof = signed
    ? 'it gives the received signature: it is what was signed'
    : 'with no secret that is known does its MD5 give the received signature';
  return [
    '',
    style.bold('Their string'),
    `   ${proof}`,
    ...(comparison.offset === undefined
      ? ['   it is the right string']
      : [
          ...sideBySide(theirs, canonical, 'theirs', style),
          ...(comparison.reordered ? ['   the same pairs in another order'] : []),
          ...differenceLines(comparison.pairs, 'theirs', style),
        ]),
  ];
}

/** Where the timestamp is all right; what is wrong with it stands among the warnings. */
function clockLines({ clock }: Verdict, style: ChalkInstance): string[] {
  const { timestamp, now, skewSeconds, withinLimit } = clock;
  if (skewSeconds === null || !withinLimit) return [];
  const distance =
    skewSeconds === 0
      ? 'the same as'
      : `${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'}`;
  return ['', style.bold('Clock'), `   timestamp ${timestamp}, ${distance} the clock (${now})`];
}

/** Stands for the secret of another account. */
const OTHER_MARK = '\ue001';

/** What private characters stand for, as `visible` shows them. */
const NAMES: Readonly<Record<string, string>> = {
  '<U+E000>': '<secret>',
  '<U+E001>': '<another secret>',
  '<U+DC00>': '<file>',
};

/** Two strings, the first different character of each between ⟦ and ⟧. */
function sideBySide(wrong: string, right: string, name: string, style: ChalkInstance): string[] {
  const at = firstDifference(wrong, right);
  const bytes = (text: string): number => Buffer.byteLength(text.replace(/[\ue000\ue001]/g, ''));
  return [
    `   ${name}    ${marked(wrong, at, style.red, style)}`,
    `   right     ${marked(right, at, style.green, style)}`,
    style.dim(
      `   they part at byte ${bytes(right.slice(0, at))}; ${bytes(wrong)} bytes against ${bytes(right)}, without the secret`,
    ),
  ];
}

/** The pairs that differ, marked in the same way. */
function differenceLines(
  pairs: readonly PairDifference[],
  name: string,
  style: ChalkInstance,
): string[] {
  if (pairs.length === 0) return [];
  const lines = pairs.slice(0, MAX_PAIRS).flatMap(({ name: field, theirs, ours }) => {
    const at = firstDifference(theirs ?? '', ours ?? '');
    const side = (value: string | undefined, colour: ChalkInstance): string =>
      value === undefined ? style.dim('(not there)') : marked(value, at, colour, style);
    return [
      `   ${shown(field, style)}`,
      `     ${name}  ${side(theirs, style.red)}`,
      `     right   ${side(ours, style.green)}`,
    ];
  });
  const more = pairs.length - MAX_PAIRS;
  return [
    '',
    style.bold('Fields that differ'),
    ...lines,
    ...(more > 0 ? [`   and ${more} more`] : []),
  ];
}

const MAX_PAIRS = 12;

function marked(text: string, at: number, colour: ChalkInstance, style: ChalkInstance): string {
  const end = at + (/[\ud800-\udbff]/.test(text[at] ?? '') ? 2 : 1);
  const before = text.slice(Math.max(0, at - MAX_SHOWN), at);
  const cut = at > MAX_SHOWN ? '…' : '';
  const mark = colour(`⟦${shown(text.slice(at, end), style)}⟧`);
  return cut + shown(before, style) + mark + shown(text.slice(end), style);
}

/** Characters on each side of the mark: enough for any usual request. */
const MAX_SHOWN = 1000;

/** The beginning of a text made visible, the secret and files by their names. */
function shown(text: string, style: ChalkInstance): string {
  const cut = text.length > MAX_SHOWN ? '…' : '';
  return `${visible(text.slice(0, MAX_SHOWN))}${cut}`.replace(/<U\+(?:E00[01]|DC00)>/g, (mark) =>
    style.yellow(NAMES[mark] ?? mark),
  );
}
