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

/** Shorter ones stand in any text by chance. */
const MIN_LENGTH = 4;

/** A text with secrets replaced, also where they are trimmed, in another case or percent-encoded. */
export function hideSecrets(text: string, secrets: readonly string[], mask: string): string {
  const forms = secrets.flatMap((secret) => {
    const bare = secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
    return [secret, bare, encodeURIComponent(bare.toWellFormed())];
  });
  // The longest first: one may be a part of another.
  return [
    ...forms,
    ...forms.map((form) => form.toUpperCase()),
    ...forms.map((form) => form.toLowerCase()),
  ]
    .filter((form) => form.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, form) => hidden.replaceAll(form, mask), text);
}
