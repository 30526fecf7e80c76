import { daysOf, lastDays } from '../../../protocol/bill-calendar.ts';
import { billSchedule } from '../../context/bill-schedule.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';

const OFFERED_DAYS = 14;

export async function run({ context }: Call): Promise<void> {
  const { io, output } = context;
  const schedule = billSchedule(settingsOf(context));
  const dates = ['yesterday', ...daysOf(lastDays(OFFERED_DAYS, schedule, io.now()))];
  await output.result({ dates }, dates.join('\n'));
}
