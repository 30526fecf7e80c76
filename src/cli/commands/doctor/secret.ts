import { type Finding, failed, ok, reportable, warning } from '../../../platform/doctor/finding.ts';
import type { Context } from '../../context.ts';
import { Output } from '../../output.ts';
import { loadSecretInForce } from '../../secret.ts';
import { SECRET_KEYS, type Settings, type SettingValue } from '../../settings.ts';
import { placeOf } from './place.ts';

export interface SecretFindings {
  readonly apiSecret: Finding;
  readonly secret: string | undefined;
}

/** The check `api-secret`: whether there is one that looks like a secret. It is never shown. */
export async function examineSecret(
  settings: Settings,
  { io, output }: Context,
): Promise<SecretFindings> {
  try {
    const secret = await loadSecretInForce(settings, { io, output: new WithoutWarnings(io, {}) });
    output.conceal(secret);
    const place = secretPlace(settings);
    const where = place ? placeOf(place.key, place, settings) : 'nowhere';
    const detail = `${secret.length} characters, from ${where}`;
    const oddity = oddityOf(secret);
    const apiSecret = oddity
      ? warning(
          `${oddity} (${detail})`,
          'compare it with the one that was issued; it is used as it is',
        )
      : ok(detail);
    return { apiSecret, secret };
  } catch (error) {
    return { apiSecret: failed(reportable(error)), secret: undefined };
  }
}

/** What others would warn of is a part of the report here. */
class WithoutWarnings extends Output {
  override warn(): void {}
}

const USUAL_LENGTH = { min: 8, max: 128 };

function oddityOf(secret: string): string | undefined {
  if (secret.trim() !== secret) return 'it has white space around it';
  if (/^(["']).*\1$/s.test(secret)) return 'it stands in quotation marks';
  if (!/^[ -~]*$/.test(secret)) return 'it has characters that are not printable ASCII';
  if (secret.length < USUAL_LENGTH.min) return 'it is unusually short';
  return secret.length > USUAL_LENGTH.max ? 'it is unusually long' : undefined;
}

type SecretPlace = SettingValue & { readonly key: (typeof SECRET_KEYS)[number] };

/** Where the secret in force is kept. */
export function secretPlace(settings: Settings): SecretPlace | undefined {
  const places = SECRET_KEYS.flatMap((key) => {
    const found = settings.find(key);
    return found ? [{ key, ...found }] : [];
  });
  return (['flag', 'env', 'profile'] as const)
    .map((wanted) => places.find(({ source }) => source === wanted))
    .find(Boolean);
}
