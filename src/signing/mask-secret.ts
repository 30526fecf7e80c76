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
