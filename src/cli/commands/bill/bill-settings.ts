import { billSchedule } from '../../context/bill-schedule.ts';
import type { Settings } from '../../context/settings.ts';

/**
 * The settings of a profile that concern bills.
 *
 * @throws {MopError} `config` for a value that cannot be used.
 */
export function billSettings(settings: Settings) {
  const codes = settings.get('no_bill_codes');
  return {
    owner: { profile: settings.profile, environment: settings.environment },
    schedule: billSchedule(settings),
    noBillCodes: codes === '' ? [] : codes.split(',').map(Number),
    /** Where bills are stored without `--out`. */
    directory: settings.get('bill_dir') ?? '.',
  };
}
