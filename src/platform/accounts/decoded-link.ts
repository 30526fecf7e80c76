import { AnswerFields } from '../../json/fields.ts';
import type { DecodedParameters } from '../decode.ts';
import { PLATFORM_CONTRACT } from '../envelope.ts';
import { identifierFault, mobileFault } from './account.ts';
import type { AccountLink } from './link-account.ts';

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
