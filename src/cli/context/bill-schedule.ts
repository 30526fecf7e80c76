import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import type { Settings } from './settings.ts';

/**
 * When the platform makes the bills of a profile.
 *
 * @throws {MopError} `config` for a value that cannot be used.
 */
export function billSchedule(settings: Settings): BillSchedule {
  return {
    timeZone: settings.get('timezone'),
    readyTime: settings.get('bill_ready_time'),
    lateHours: Number(settings.get('bill_late_hours')),
  };
}
