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
