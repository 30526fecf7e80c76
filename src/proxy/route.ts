import { MopError } from '../errors.ts';
import { trimmedAddress } from '../http/address.ts';
import { ADDRESS_PREFIX, SIGNATURE_MODES, type SignatureMode } from '../protocol/operations.ts';

export interface Route {
  readonly mode: SignatureMode;
  readonly url: URL;
}

/** The configured address of each mode (D1 4.0). */
export type Addresses = Readonly<Record<SignatureMode, string | undefined>>;

/**
 * The route of a target; undefined outside `/open/v1/` and `/api/open/`.
 *
 * @throws {MopError} `config` when the address of its mode is not set.
 */
export function routeOf(target: string, addresses: Addresses): Route | undefined {
  const own = urlOf(target);
  if (own === undefined) return undefined;
  const { pathname, search } = own;
  const mode = SIGNATURE_MODES.find((each) => pathname.startsWith(`${ADDRESS_PREFIX[each]}/`));
  if (mode === undefined) return undefined;
  const address = addresses[mode];
  if (address === undefined) {
    throw new MopError('config', `the proxy has no address for ${ADDRESS_PREFIX[mode]}`, {
      hint: 'set the address with mop config set, and restart mop proxy: its start-up warning names the setting',
    });
  }
  return { mode, url: new URL(trimmedAddress(address) + pathname + search) };
}

/** Resolves dots in the path: they must not lead out of a prefix. */
function urlOf(target: string): URL | undefined {
  if (!target.startsWith('/')) return undefined;
  // A target that starts with // would be parsed as a host.
  return URL.canParse(`http://proxy${target}`) ? new URL(`http://proxy${target}`) : undefined;
}
