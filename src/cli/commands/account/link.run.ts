import { MopError } from '../../../errors.ts';
import { assertUsable } from '../../../platform/accounts/account.ts';
import { decodedLink } from '../../../platform/accounts/decoded-link.ts';
import { type AccountLink, linkAccount } from '../../../platform/accounts/link-account.ts';
import {
  decodeOperation,
  type EncryptedParameters,
  readDecoded,
} from '../../../platform/decode.ts';
import { withPlatform } from '../../clients/open-platform.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { argumentText } from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import type { Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { openAccounts, printAccount } from './open-accounts.ts';

interface AccountLinkOptions {
  readonly user: string;
  readonly openid?: string;
  readonly mobile?: string;
  readonly encryptData?: string;
  readonly encryptId?: string;
  readonly move?: boolean;
}

export async function run({ options, context }: Call<AccountLinkOptions>): Promise<void> {
  const { io, globals } = context;
  const given = await givenLink(options, io);
  assertUsable({ user: options.user });
  const settings = settingsOf(context);
  const link = 'openId' in given ? given : await decodeLink(options.user, given, settings, context);
  if (!link) return;
  const accounts = await openAccounts(context, settings);
  const { account, status } = await linkAccount(accounts, link, {
    move: options.move,
    dryRun: globals.dryRun,
    now: io.now(),
  });
  await printAccount(account, status, context);
}

/** Asks the platform for the link; undefined after `--dry-run`. */
async function decodeLink(
  user: string,
  pair: EncryptedParameters,
  settings: Settings,
  context: Context,
): Promise<AccountLink | undefined> {
  const operation = decodeOperation(pair);
  return withPlatform(context, settings, [operation], async (client) =>
    decodedLink(user, readDecoded(await client.call(operation))),
  );
}

/**
 * The link, or the encrypted parameters that contain it.
 *
 * @throws {MopError} `usage` unless one complete form is given.
 */
async function givenLink(
  { user, openid, mobile, encryptData, encryptId }: AccountLinkOptions,
  io: Io,
): Promise<AccountLink | EncryptedParameters> {
  const encrypted = encryptData !== undefined || encryptId !== undefined;
  const plain = openid !== undefined || mobile !== undefined;
  if (encrypted && plain) {
    throw new MopError('usage', 'the openId is given in two ways', {
      hint: 'pass --encrypt-data and --encrypt-id alone: they contain openId and mobile',
    });
  }
  if (encryptData !== undefined && encryptId !== undefined) {
    return {
      encryptData: (await argumentText(encryptData, io)).trim(),
      encryptId: (await argumentText(encryptId, io)).trim(),
    };
  }
  if (openid !== undefined) return { user, openId: openid, mobile };
  const missing = encryptData === undefined ? '--encrypt-data' : '--encrypt-id';
  throw new MopError('usage', encrypted ? `${missing} is missing` : 'no openId', {
    hint: 'pass --openid, or both --encrypt-data and --encrypt-id',
  });
}
