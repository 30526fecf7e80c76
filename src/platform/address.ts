import { MopError } from '../errors.ts';
import { addressFault, isPrivateTransport, trimmedAddress } from '../http/address.ts';
import { ADDRESS_PREFIX, type SignatureMode } from '../protocol/operations.ts';
import type { OperationMode } from './operation.ts';

/** The setting for the address of a mode, in the test environment or another one (D1 4.0). */
export function addressSetting(mode: SignatureMode, test: boolean) {
  return `${mode === 'header' ? 'open_' : ''}${test ? 'test_' : ''}base_url` as const;
}

/** The operations that need the address of a mode (D1 4), for a message. */
export function addressNeed(mode: SignatureMode, preferred: OperationMode): string {
  if (preferred === mode) return `every operation needs it, since mode is ${mode}`;
  if (preferred !== 'documented') return `only --mode ${mode} needs it`;
  return {
    body: 'bill, decode, call and --mode body need it',
    header: 'the price estimate and --mode header need it',
  }[mode];
}

export function missingAddress(setting: string, need: string, hint: string): MopError {
  return new MopError('config', `${setting} is not set: ${need}`, { hint });
}

/** The address of an operation (D1 4.0); `path` begins with a slash. */
export function operationUrl(address: string, mode: SignatureMode, path: string): URL {
  return new URL(trimmedAddress(address) + ADDRESS_PREFIX[mode] + path);
}

/** The fault of a configured address (D1 4.0). Signed requests require TLS, except on loopback. */
export function platformAddressFault(address: string): string | undefined {
  const fault = addressFault(address);
  if (fault || isPrivateTransport(new URL(address))) return fault;
  return 'plain http is accepted for this machine only; use https';
}

/** The hint for an unreachable test environment of the platform (D1 4.1 rule 4). */
export const UNREACHABLE_HINT =
  'the test environment admits listed IP addresses only: is the address of this machine on the list?';
