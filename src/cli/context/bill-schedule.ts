import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import type { Settings } from './settings.ts';

/**
 * The schedule of the bills of a profile.
 *
 * @throws {MopError} `config` for an invalid value.
 */
export function billSchedule(settings: Settings): BillSchedule {
  return {
    timeZone: settings.get('timezone'),
    readyTime: settings.get('bill_ready_time'),
    lateHours: Number(settings.get('bill_late_hours')),
  };
}
