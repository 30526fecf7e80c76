import { member } from '../../json/value.ts';
import type { DecodedParameters } from '../decode.ts';
import { brokenContract } from '../envelope.ts';
import { identifierFault, mobileFault } from './account.ts';
import type { AccountLink } from './link-account.ts';

/**
 * The link of a user and the openId, with its mobile number, that decoded parameters name
 * (D1 2.4). An empty mobile number is an unknown one.
 *
 * @throws {MopError} `api`, naming the field, when the openId is missing or either is unusable.
 */
export function decodedLink(user: string, { content, seqId }: DecodedParameters): AccountLink {
  const text = (name: string): string | undefined => {
    const value = member(content, name);
    if (value === undefined || value.kind === 'null') return undefined;
    if (value.kind === 'string') return value.value;
    throw broken(name, 'is not a string');
  };
  const broken = (name: string, fault: string): Error =>
    brokenContract(`data.json_string.${name}`, fault, { seqId });

  const openId = text('openId');
  if (openId === undefined) throw broken('openId', 'is missing');
  const openIdFault = identifierFault(openId);
  if (openIdFault) throw broken('openId', `cannot be used: ${openIdFault}`);
  const mobile = text('mobile') || undefined;
  const fault = mobile === undefined ? undefined : mobileFault(mobile);
  if (fault) throw broken('mobile', `cannot be used: ${fault}`);
  return { user, openId, mobile };
}
