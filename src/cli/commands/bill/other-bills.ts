import type { BillOwner, OtherBills } from '../../../platform/bills/ledger.ts';
import { counted } from '../../context/counts.ts';

/**
 * Bills of another environment or profile, for a person.
 *
 * @returns `owner`, such as `environment sandbox`; `bills`, such as `2 bills of environment sandbox`; and
 *   `options`, which select them.
 */
export function describeOthers(
  { profile, environment, count }: OtherBills,
  current: BillOwner,
): { readonly owner: string; readonly bills: string; readonly options: string } {
  const names: string[] = [];
  const options: string[] = [];
  if (environment !== current.environment) {
    names.push(`environment ${environment}`);
    options.push(`--env ${environment}`);
  }
  if (profile !== current.profile) {
    names.push(`profile ${profile}`);
    options.push(`-p ${profile}`);
  }
  const owner = names.join(', ');
  return {
    owner,
    bills: `${counted(count, 'bill')} of ${owner}`,
    options: options.join(' '),
  };
}
