import { secretPlace, secretSource } from '../context/secret.ts';
import type { Settings } from '../context/settings.ts';

/** The origin of the credentials of a call, resolved before it is sent. */
export interface Caller {
  readonly profile: string;
  readonly environment: string;
  readonly apiKey: string | undefined;
  /** The setting that provides the key, and the origin of the secret, for messages. */
  readonly keySource: string;
  readonly secretSource: string;
  /** Whether the secret is stored in the profile. */
  readonly isStored: boolean;
  /** The path of `--secret-file`. */
  readonly secretFile: string | undefined;
}

export function callerOf(settings: Settings): Caller {
  const { profile, environment } = settings;
  const apiKey = settings.find('api_key');
  const secretFile = settings.find('api_secret_file');
  const place = secretPlace(settings)?.source;
  return {
    profile,
    environment,
    apiKey: apiKey?.value,
    keySource: apiKey?.origin ?? '',
    secretSource: environment === 'sandbox' ? 'the sandbox' : secretSource(settings),
    isStored: place === undefined || place === 'profile',
    secretFile: secretFile?.source === 'flag' ? secretFile.value : undefined,
  };
}
