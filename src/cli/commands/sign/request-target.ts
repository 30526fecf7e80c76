import { MopError } from '../../../errors.ts';
import { addressSetting, missingAddress, operationUrl } from '../../../platform/address.ts';
import { operationPath } from '../../../platform/operation.ts';
import type { SignatureMode } from '../../../protocol/operations.ts';
import { SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { addressHint, type Settings } from '../../context/settings.ts';
import type { SignOptions } from './sign-options.ts';

/** The address of `mop sandbox` at its usual port. */
const SANDBOX_URL = `http://127.0.0.1:${SANDBOX_PORT}`;

/**
 * The address of a signed request: `--url`, or `--path` below the configured address. Null without
 * either option.
 *
 * @throws {MopError} `usage` for an unusable option, `config` without an address for `--path`.
 */
export function requestTarget(
  { path, url }: Pick<SignOptions, 'path' | 'url'>,
  mode: SignatureMode,
  settings: Settings,
): string | null {
  assertNoConflict([
    [path !== undefined && url !== undefined, '--path and --url both set the address'],
  ]);
  if (path !== undefined) {
    return operationUrl(addressOf(mode, settings), mode, operationPath(path)).href;
  }
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new MopError('usage', `--url ${JSON.stringify(url)} is not an http or https address`, {
    hint: 'give the full address, such as https://HOST/open/v1/trade/bill',
  });
}

function addressOf(mode: SignatureMode, settings: Settings): string {
  if (settings.environment === 'sandbox') return SANDBOX_URL;
  const setting = addressSetting(mode, settings.environment === 'test');
  const address = settings.get(setting);
  if (address !== undefined) return address;
  throw missingAddress(setting, '--path needs it', addressHint(settings, mode));
}
