import { replaceSecrets } from '../http/secrets.ts';

/** Stands for a secret in a text to show, and for no character of a request. */
export const SECRET_MARK = '\ue000';

/**
 * A secret with another core. White space and quotes around it stay, for they may be what a signer
 * got wrong.
 */
export function maskSecret(secret: string, mask: string): string {
  const trimmed = secret.trim();
  const [, quote = ''] = /^(["']).*\1$/s.exec(trimmed) ?? [];
  const start = secret.indexOf(trimmed);
  return `${secret.slice(0, start)}${quote}${mask}${quote}${secret.slice(start + trimmed.length)}`;
}

/** A text with secrets replaced, however it writes them. */
export function hideSecrets(text: string, secrets: readonly string[], mask: string): string {
  const bare = secrets.map((secret) => secret.trim().replace(/^(["'])(.*)\1$/s, '$2'));
  return replaceSecrets(text, [...secrets, ...bare], mask);
}
