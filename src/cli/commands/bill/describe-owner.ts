import { quoted } from '../../../errors.ts';
import type { BillOwner } from '../../../platform/bills/ledger.ts';

/**
 * Another environment or profile, for a person.
 *
 * @returns `name`, such as `environment sandbox`, and `options`, which select it.
 */
export function describeOwner(
  { profile, environment }: BillOwner,
  current: BillOwner,
): { readonly name: string; readonly options: string } {
  const names: string[] = [];
  const options: string[] = [];
  if (environment !== current.environment) {
    names.push(quoted`environment ${environment}`);
    options.push(quoted`--env ${environment}`);
  }
  if (profile !== current.profile) {
    names.push(quoted`profile ${profile}`);
    options.push(quoted`-p ${profile}`);
  }
  return { name: names.join(', '), options: options.join(' ') };
}
