import type { BillOwner, OtherBills } from '../../../platform/bills/ledger.ts';
import { counted } from '../../context/counts.ts';

/**
 * Bills of another environment or profile, for a person.
 *
 * @returns `bills`, such as `2 bills of environment sandbox`, and `options`, which select them.
 */
export function describeOthers(
  { profile, environment, count }: OtherBills,
  current: BillOwner,
): { readonly bills: string; readonly options: string } {
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
  return {
    bills: `${counted(count, 'bill')} of ${names.join(', ')}`,
    options: options.join(' '),
  };
}
