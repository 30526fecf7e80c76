import { MopError } from '../../errors.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { KnownSecret } from '../../signing/diagnosis/mistake.ts';
import type { Context } from '../context/context.ts';
import {
  loadCurrentSecret,
  type ProfileSecret,
  profileSecrets,
  secretPlace,
  secretSource,
} from '../context/secret.ts';
import type { Settings } from '../context/settings.ts';

/** The configured secrets. Each is loaded only once, because its command may prompt the user. */
export interface Keyring {
  readonly current: () => Promise<string>;
  readonly profiles: () => readonly ProfileSecret[];
}

export function keyringOf(settings: Settings, context: Context): Keyring {
  return {
    current: once(() => loadCurrentSecret(settings, context)),
    profiles: once(() =>
      profileSecrets(context).map((profile) => ({ ...profile, load: once(profile.load) })),
    ),
  };
}

function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

export const SANDBOX_SECRET: KnownSecret = { name: 'the sandbox', ...SANDBOX_CREDENTIALS };

/** The secret of `apiKey`. If it is unknown: the current secret, or of any profile. */
export async function ownSecret(
  apiKey: string | undefined,
  settings: Settings,
  keyring: Keyring,
): Promise<KnownSecret> {
  if (settings.environment === 'sandbox') return SANDBOX_SECRET;
  const currentKey = settings.find('api_key')?.value;
  const isSandboxKey = apiKey === SANDBOX_CREDENTIALS.apiKey;
  const profiles = keyring.profiles();
  if (apiKey !== undefined && apiKey !== currentKey) {
    const own = await firstSecret(profiles.filter((known) => known.apiKey === apiKey));
    if (own) return own;
    if (isSandboxKey && currentKey !== undefined) return SANDBOX_SECRET;
  }
  try {
    const secret = await keyring.current();
    return { name: secretSource(settings), apiKey: currentKey, secret };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const other = await firstSecret(profiles);
    if (other) return other;
    if (isSandboxKey && secretPlace(settings) === undefined) return SANDBOX_SECRET;
    throw error;
  }
}

/** The current secret, or of any profile; the sandbox's if none can be loaded. */
async function anySecret(settings: Settings, keyring: Keyring): Promise<KnownSecret> {
  try {
    return await ownSecret(undefined, settings, keyring);
  } catch (error) {
    if (isMissing(error)) return SANDBOX_SECRET;
    throw error;
  }
}

/** Every secret that can be loaded. */
export async function allSecrets(
  settings: Settings,
  keyring: Keyring,
): Promise<readonly KnownSecret[]> {
  const secrets = [await anySecret(settings, keyring), SANDBOX_SECRET];
  for await (const known of loadedSecrets(keyring.profiles())) secrets.push(known);
  return secrets;
}

function isMissing(error: unknown): boolean {
  return error instanceof MopError && error.code === 'config';
}

async function firstSecret(profiles: readonly ProfileSecret[]): Promise<KnownSecret | undefined> {
  for await (const known of loadedSecrets(profiles)) return known;
  return undefined;
}

/** The secrets of profiles, without those that cannot be loaded. */
export async function* loadedSecrets(
  profiles: readonly ProfileSecret[],
): AsyncGenerator<KnownSecret> {
  for (const { profile, apiKey, load } of profiles) {
    const secret = await load();
    if (secret !== undefined) yield { name: `profile ${profile}`, apiKey, secret };
  }
}
