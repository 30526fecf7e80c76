import { addressFault, isPrivateTransport } from '../http/address.ts';
import type { SignatureMode } from '../protocol/operations.ts';

/** The setting that holds the address for a mode, in the test environment or another (D1 4.0). */
export function addressSetting(mode: SignatureMode, test: boolean) {
  return `${mode === 'header' ? 'open_' : ''}${test ? 'test_' : ''}base_url` as const;
}

/**
 * What is wrong with a configured address of the platform (D1 4.0), or undefined when it is
 * usable. What is signed travels encrypted, unless it stays on this machine.
 */
export function platformAddressFault(address: string): string | undefined {
  const fault = addressFault(address);
  if (fault || isPrivateTransport(new URL(address))) return fault;
  return 'plain http is accepted for this machine only; use https';
}
