import { MopError } from '../../../errors.ts';
import type { AccountLink } from '../../../platform/accounts/link-account.ts';
import type { EncryptedParameters } from '../../../platform/decode.ts';
import { withPlatform } from '../../clients/open-platform.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import { readText } from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import type { Settings } from '../../context/settings.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { openAccounts, printAccount } from './open-accounts.ts';

interface AccountLinkOptions {
  readonly user: string;
  readonly openid?: string;
  readonly mobile?: string;
  readonly encryptData?: string;
  readonly encryptId?: string;
  readonly move?: boolean;
}

export function registerAccountLink(parent: Command, choose: Choose): void {
  parent
    .command('link')
    .description('Link a user and an openId, or bring the mobile number of a link up to date.')
    .requiredOption('--user <user>', 'your own name for the user')
    .option('--encrypt-data <text>', 'what the mini-program handed over: the text, @FILE, or -')
    .option('--encrypt-id <id>', 'the serial number that came with it')
    .option('--openid <openid>', 'the openId itself')
    .option('--mobile <number>', 'the mobile number; left out, a known one stays')
    .option('--move', 'take the openId, the user or the number away from other links')
    .explain({
      notes: `
        A link that is in the way of the new one is a conflict: exit code 5, and nothing is written.
        With --move the openId goes to the user with its history, another link of the user is
        removed, and another link with the mobile number loses it.`,
      examples: [
        'mop account link --user 17 --openid o-1 --mobile 13800000000',
        'mop account link --user 17 --encrypt-data "$DATA" --encrypt-id "$ID"',
      ],
      failures: ['config', 'auth', 'api', 'network'],
    })
    .action((options: AccountLinkOptions, command: Command) =>
      choose(command, (context) => runAccountLink(options, context)),
    );
}

async function runAccountLink(options: AccountLinkOptions, context: Context): Promise<void> {
  const { io, globals } = context;
  const given = await givenLink(options, io);
  const { assertUsable } = await import('../../../platform/accounts/account.ts');
  assertUsable({ user: options.user });
  const settings = settingsOf(context);
  const link = 'openId' in given ? given : await decodeLink(options.user, given, settings, context);
  if (!link) return;
  const { linkAccount } = await import('../../../platform/accounts/link-account.ts');
  const accounts = await openAccounts(context, settings);
  const { account, status } = await linkAccount(accounts, link, {
    move: options.move,
    dryRun: globals.dryRun,
    now: io.now(),
  });
  await printAccount(account, status, context);
}

/** Asks the platform for the link; with `--dry-run` it prints the request and returns none. */
async function decodeLink(
  user: string,
  pair: EncryptedParameters,
  settings: Settings,
  context: Context,
): Promise<AccountLink | undefined> {
  const { decodeOperation } = await import('../../../platform/decode.ts');
  const { decodedLink } = await import('../../../platform/accounts/decoded-link.ts');
  const operation = decodeOperation(pair);
  return withPlatform(context, settings, async (client) => {
    if (!context.globals.dryRun) return decodedLink(user, await client.decode(pair));
    await printDryRun([client.sign(operation)], context.output);
    return undefined;
  });
}

/**
 * The link itself, or what is to be decoded to it.
 *
 * @throws {MopError} `usage` unless it is given in one way, and whole.
 */
async function givenLink(
  { user, openid, mobile, encryptData, encryptId }: AccountLinkOptions,
  io: Io,
): Promise<AccountLink | EncryptedParameters> {
  const encrypted = encryptData !== undefined || encryptId !== undefined;
  const plain = openid !== undefined || mobile !== undefined;
  if (encrypted && plain) {
    throw new MopError('usage', 'the openId is given in two ways', {
      hint: 'pass --encrypt-data and --encrypt-id alone: they bring openId and mobile with them',
    });
  }
  if (encryptData !== undefined && encryptId !== undefined) {
    return {
      encryptData: (await readText(encryptData, io)).trim(),
      encryptId: (await readText(encryptId, io)).trim(),
    };
  }
  if (openid !== undefined) return { user, openId: openid, mobile };
  throw new MopError('usage', encrypted ? 'half of the encrypted pair is missing' : 'no openId', {
    hint: 'pass --openid, or both --encrypt-data and --encrypt-id',
  });
}
