import { addressFault, isPrivateTransport } from '../http/address.ts';
import type { SignatureMode } from '../protocol/operations.ts';
import type { OperationMode } from './operation.ts';

/** The setting that holds the address for a mode, in the test environment or another (D1 4.0). */
export function addressSetting(mode: SignatureMode, test: boolean) {
  return `${mode === 'header' ? 'open_' : ''}${test ? 'test_' : ''}base_url` as const;
}

/**
 * The operations that need the address of a mode (D1 4), for a message.
 *
 * @param preferred The mode of operations that have none of their own.
 */
export function addressNeed(mode: SignatureMode, preferred: OperationMode): string {
  if (preferred === mode) return `every operation needs it, since mode is ${mode}`;
  if (preferred !== 'documented') return `only --mode ${mode} needs it`;
  return {
    body: 'bill, decode, call and --mode body need it',
    header: 'the price estimate and --mode header need it',
  }[mode];
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
