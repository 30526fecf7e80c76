import { MopError } from '../errors.ts';
import { BATCH_LINES, type Bill, type BillRow, billRows, orderId } from './bill-content.ts';

/** An order in the caller's own records. Amounts have no trailing zeros. */
export interface OrderRecord {
  readonly order_id: string;
  readonly user_id: string;
  readonly city: string;
  readonly paid_at: string;
  readonly paid_amount: string;
  readonly refund_amount: string;
}

export const RECORD_COLUMNS = [
  'order_id',
  'user_id',
  'city',
  'paid_at',
  'paid_amount',
  'refund_amount',
] as const satisfies (keyof OrderRecord)[];

/**
 * The orders of a bill as the caller's own system would record them, newest first. They match the
 * bill except for `differences` of three alternating kinds: another amount, an order missing in the
 * records, an order missing in the bill. The same arguments give the same records.
 *
 * @throws {MopError} `usage` for more differences than the orders allow.
 */
export async function* orderRecords(
  bill: Bill,
  rows: number,
  differences: number,
  signal?: AbortSignal,
): AsyncGenerator<OrderRecord> {
  const orders = differences > 0 ? await countOrders(bill, rows, signal) : 0;
  const most = Math.floor((orders * 3) / 2);
  if (differences > most) {
    throw new MopError('usage', `${orders} orders allow ${most} differences, not ${differences}`, {
      hint: 'reduce --differences, or increase --rows',
    });
  }
  // Every second change makes two differences: it replaces an order by one missing in the bill.
  const changes = differences - Math.floor(differences / 3);
  let seen = 0;
  let changed = 0;
  for await (const order of newestFirst(bill, rows, signal)) {
    const due = Math.floor((++seen * changes) / Math.max(orders, 1));
    if (changed === due) yield order;
    else if (changed++ % 2 === 0) {
      yield { ...order, paid_amount: shortened(order.paid_amount, changed) };
    } else if (changed < changes || differences % 3 === 0) {
      yield { ...order, order_id: orderId(bill.date, rows + changed) };
    }
  }
}

async function countOrders(bill: Bill, rows: number, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for await (const _ of newestFirst(bill, rows, signal)) count++;
  return count;
}

async function* newestFirst(
  bill: Bill,
  rows: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<OrderRecord> {
  for (let to = rows; to > 0; to -= BATCH_LINES) {
    signal?.throwIfAborted();
    for await (const batch of billRows(bill, rows, { from: Math.max(0, to - BATCH_LINES), to })) {
      for (const row of batch.toReversed()) yield recordOf(row);
    }
  }
}

function recordOf(row: BillRow): OrderRecord {
  return {
    order_id: row.order_id,
    user_id: `u${row.trade_no.slice(-6)}`,
    city: row.city,
    paid_at: row.paid_at,
    paid_amount: shortened(row.paid_amount),
    refund_amount: shortened(row.refund_amount),
  };
}

/** An amount plus `cents`, without trailing zeros, as most languages print a number. */
function shortened(amount: string, cents = 0): string {
  return String((Math.round(Number(amount) * 100) + cents) / 100);
}
