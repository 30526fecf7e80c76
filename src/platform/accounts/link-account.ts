import { MopError } from '../../errors.ts';
import { AnswerFields } from '../../json/fields.ts';
import type { DecodedParameters } from '../decode.ts';
import { PLATFORM_CONTRACT } from '../envelope.ts';
import {
  type Account,
  type AccountReader,
  type AccountStore,
  type AccountWriter,
  assertUsable,
  identifierFault,
  mobileFault,
} from './account.ts';

/** The user and openId to link. */
export interface AccountLink {
  readonly user: string;
  readonly openId: string;
  /** Default: a known mobile number is kept. */
  readonly mobile?: string | undefined;
}

export interface LinkOptions {
  /** Resolve conflicts in favour of the new link, and change or remove the others. */
  readonly move?: boolean | undefined;
  /** Return the result without writing it. */
  readonly dryRun?: boolean | undefined;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number | undefined;
}

export type LinkStatus = 'linked' | 'unchanged' | 'mobile-changed';

export interface LinkResult {
  readonly account: Account;
  /** `linked` for a new link, and for an openId that moved to another user. */
  readonly status: LinkStatus;
}

/**
 * Links a user and an openId, and updates the mobile number (D1 section 1).
 *
 * An openId linked to another user, a user linked to another openId and a mobile number of another
 * user are conflicts. `move` assigns the openId with its history to the user, removes the user's
 * previous link, and removes the mobile number from its other link.
 *
 * @throws {MopError} `usage` for an invalid value, `api` for a conflict. Nothing is written on an
 *   error.
 *
 * @example
 * ```ts
 * import {
 *   type Account,
 *   type AccountLink,
 *   linkAccount,
 *   type LinkOptions,
 *   type LinkResult,
 *   type LinkStatus,
 *   type MobileEntry,
 *   SqliteAccountStore,
 * } from 'mop-cli';
 *
 * const store = new SqliteAccountStore('accounts.db', 'shop');
 * const link: AccountLink = { user: '17', openId: 'o-1', mobile: '13800000000' };
 * const options: LinkOptions = { now: 0 };
 * const result: LinkResult = await linkAccount(store, link, options);
 * const status: LinkStatus = result.status;
 * const account: Account = result.account;
 * const [entry]: readonly MobileEntry[] = account.mobiles;
 * console.log(status, entry?.since);
 * // linked 1970-01-01T00:00:00.000Z
 * ```
 */
export async function linkAccount(
  store: AccountStore,
  link: AccountLink,
  options: LinkOptions = {},
): Promise<LinkResult> {
  assertUsable({ user: link.user });
  assertUsable({ openId: link.openId });
  if (link.mobile !== undefined) assertUsable({ mobile: link.mobile });
  const plan = (accounts: AccountReader) => planLink(accounts, link, options);
  const { account, status } = options.dryRun
    ? await store.read(plan)
    : await store.write(async (accounts) => applyPlan(await plan(accounts), accounts));
  return { account, status };
}

async function applyPlan(plan: LinkPlan, accounts: AccountWriter): Promise<LinkPlan> {
  const { account, status, holder, removed } = plan;
  if (holder) await accounts.put({ ...holder, mobile: null });
  if (removed) await accounts.remove(removed.openId);
  if (status !== 'unchanged') await accounts.put(account);
  return plan;
}

interface LinkPlan extends LinkResult {
  /** The other link that has the mobile number. */
  readonly holder: Account | undefined;
  /** The user's link to another openId. */
  readonly removed: Account | undefined;
}

async function planLink(
  accounts: AccountReader,
  { user, openId, mobile }: AccountLink,
  { move = false, now = Date.now() }: LinkOptions,
): Promise<LinkPlan> {
  const before = await accounts.find({ openId });
  const other = (account: Account | undefined): Account | undefined =>
    account?.openId === openId ? undefined : account;
  const holder = mobile === undefined ? undefined : other(await accounts.find({ mobile }));
  const removed = other(await accounts.find({ user }));

  const conflicts = [
    before && before.user !== user && `openId ${openId} is linked to user ${before.user}`,
    removed && `user ${user} is linked to openId ${removed.openId}`,
    holder && holder.user !== user && `mobile ${mobile} belongs to user ${holder.user}`,
  ].filter((conflict) => typeof conflict === 'string');
  if (conflicts.length > 0 && !move) {
    throw new MopError('api', conflicts.join(', and '), {
      hint: 'nothing was changed; if the new link is the right one, link again with --move',
    });
  }

  const { mobile: known = null, mobiles = [] } = before ?? {};
  const changed = mobile !== undefined && mobile !== known;
  const account: Account = {
    user,
    openId,
    mobile: mobile ?? known,
    mobiles: changed ? [...mobiles, { mobile, since: new Date(now).toISOString() }] : mobiles,
  };
  const status = before?.user !== user ? 'linked' : changed ? 'mobile-changed' : 'unchanged';
  return { account, status, holder, removed };
}

/**
 * The link in decoded parameters: user, openId and mobile number (D1 2.4). An empty mobile number
 * means unknown.
 *
 * @throws {MopError} `api`, naming the field, when the openId is missing or either is unusable.
 *
 * @example
 * ```ts
 * import {
 *   type DecodedParameters,
 *   decodedLink,
 *   type EncryptedParameters,
 *   encryptParameters,
 *   PlatformClient,
 *   startSandbox,
 *   Transport,
 * } from 'mop-cli';
 *
 * const sandbox = await startSandbox();
 * const transport = new Transport();
 * const credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
 * const client = new PlatformClient({ baseUrl: sandbox.url, credentials, transport });
 *
 * const parameters: EncryptedParameters = encryptParameters('{"openId":"o-1"}', Date.now());
 * const decoded: DecodedParameters = await client.decode(parameters);
 * console.log(decodedLink('17', decoded).openId);
 * // o-1
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export function decodedLink(user: string, { content, seqId }: DecodedParameters): AccountLink {
  const fields = new AnswerFields(content, PLATFORM_CONTRACT, 'data.json_string.', { seqId });
  const openId = fields.required('openId', 'string').value;
  const openIdFault = identifierFault(openId);
  if (openIdFault) throw fields.violation('openId', `cannot be used: ${openIdFault}`);
  const mobile = fields.optional('mobile', 'string')?.value || undefined;
  const fault = mobile === undefined ? undefined : mobileFault(mobile);
  if (fault) throw fields.violation('mobile', `cannot be used: ${fault}`);
  return { user, openId, mobile };
}
