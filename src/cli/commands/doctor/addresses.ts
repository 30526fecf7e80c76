import { MopError } from '../../../errors.ts';
import { addressSetting } from '../../../platform/address.ts';
import { type Finding, failed, ok, reportable } from '../../../platform/doctor/finding.ts';
import { PROTOCOL_VERSION, type SignatureMode } from '../../../protocol/operations.ts';
import { profileOption, type Settings } from '../../settings.ts';

/** The addresses that are set, by signature mode. */
export type Addresses = { readonly [mode in SignatureMode]?: string | undefined };

export interface AddressFindings {
  readonly address: Finding;
  /** None when one of them is not usable. */
  readonly addresses: Addresses;
}

const MODES: readonly SignatureMode[] = ['body', 'header'];

/** The check `address`: each mode has its own, and one of them is enough (D1 4.0). */
export function examineAddresses(settings: Settings): AddressFindings {
  const test = settings.environment === 'test';
  const keys = { body: addressSetting('body', test), header: addressSetting('header', test) };
  try {
    const addresses = { body: settings.get(keys.body), header: settings.get(keys.header) };
    const details = MODES.map((mode) =>
      addresses[mode] === undefined
        ? `${keys[mode]} is not set, so nothing can be signed in ${mode} mode (protocol ${PROTOCOL_VERSION[mode]})`
        : `${keys[mode]} ${addresses[mode]}`,
    );
    if (addresses.body ?? addresses.header) return { address: ok(details.join('; ')), addresses };
    const missing = new MopError('config', `neither ${keys.body} nor ${keys.header} is set`, {
      hint: `set it: mop config set ${keys.body} https://HOST${profileOption(settings.profile)} (or try --env sandbox)`,
    });
    return { address: failed(missing), addresses };
  } catch (error) {
    return { address: failed(reportable(error)), addresses: {} };
  }
}
