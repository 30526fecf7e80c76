import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import type { Settings } from './settings.ts';

/** The settings of a profile that concern bills. */
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

/** The schedule of the bills of a profile. */
export function billSchedule(settings: Settings): BillSchedule {
  return {
    timeZone: settings.get('timezone'),
    readyTime: settings.get('bill_ready_time'),
    lateHours: Number(settings.get('bill_late_hours')),
  };
}
