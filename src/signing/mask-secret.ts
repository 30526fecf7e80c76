import { secretReplacer } from '../redaction/secrets.ts';
import { md5Hex } from '../runtime/md5.ts';
import {
  base64Bytes,
  base64Text,
  hexBytes,
  hexText,
  latin1Text,
  utf8Bytes,
  utf8Text,
} from './bytes.ts';

/** Replaces a secret in printed text. A private-use character: requests do not contain it. */
export const SECRET_MARK = '\ue000';

/** Keeps the white space and quotes around a secret: they may be the mistake. */
export function maskSecret(secret: string, mask: string): string {
  const trimmed = secret.trim();
  const [, quote = ''] = /^(["']).*\1$/s.exec(trimmed) ?? [];
  const start = secret.indexOf(trimmed);
  return `${secret.slice(0, start)}${quote}${mask}${quote}${secret.slice(start + trimmed.length)}`;
}

/**
 * Replaces secrets in every spelling, and transformations that signers append, such as their MD5.
 */
export function secretHider(secrets: readonly string[], mask: string): (text: string) => string {
  const bare = secrets.map((secret) => secret.trim().replace(/^(["'])(.*)\1$/s, '$2'));
  const known = [...new Set([...secrets, ...bare])];
  const derived = known
    .filter((secret) => secret.trim().length >= MIN_LENGTH)
    .flatMap((secret) => DERIVED.map((derive) => derive(secret)));
  return secretReplacer([...known, ...derived], mask);
}

/** Transformations of shorter secrets are not hidden: short texts occur by chance. */
const MIN_LENGTH = 4;
/** A shorter start of a secret is often a word, such as the name of an account. */
const MIN_START = 16;

/** Not in redaction/secrets.ts: only signers write these forms, and checking every trace would be slow. */
const DERIVED: readonly ((secret: string) => string)[] = [
  (secret) => hexText(utf8Bytes(secret)),
  (secret) => md5Hex(secret),
  (secret) => base64Text(hexBytes(md5Hex(secret))),
  (secret) => [...secret].reverse().join(''),
  (secret) => (secret.length > MIN_START ? secret.slice(0, MIN_START) : ''),
  (secret) => (secret.length > MIN_START ? secret.slice(1) : ''),
  ...[base64Bytes, hexBytes].flatMap((decode) =>
    [latin1Text, utf8Text].map((textOf) => (secret: string) => {
      const bytes = decode(secret);
      return bytes.length < MIN_BYTES ? '' : textOf(bytes);
    }),
  ),
];

/** Any text may contain fewer bytes by chance. */
const MIN_BYTES = 8;
