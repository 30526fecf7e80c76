import { daysOf, lastDays } from '../../../protocol/bill-calendar.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';
import { billSettings } from '../bill/bill-settings.ts';

const OFFERED_DAYS = 14;

export async function run({ context }: Call): Promise<void> {
  const { io, output } = context;
  const { schedule } = billSettings(settingsOf(context));
  const dates = ['yesterday', ...daysOf(lastDays(OFFERED_DAYS, schedule, io.now()))];
  await output.result({ dates }, dates.join('\n'));
}
