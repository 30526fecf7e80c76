import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayNumber, previousDay } from '../protocol/bill-calendar.ts';
import type { BillType } from '../protocol/operations.ts';
import { CAR_TYPES, drawDiscount, fare, seededDraw } from './fares.ts';

export interface Bill {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly type: BillType;
}

const COLUMNS = [
  ...['order_id', 'trade_no', 'order_type', 'city', 'car_type', 'passenger_mobile', 'started_at'],
  ...['paid_at', 'distance_km', 'amount', 'discount', 'paid_amount', 'refund_amount'],
  ...['pay_channel', 'status'],
] as const;

/** A line of a bill. Amounts are in yuan with two decimals; no value contains a comma. */
export type BillRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** A range of line numbers, from 0; `to` is exclusive. */
export interface LineRange {
  readonly from?: number;
  readonly to?: number;
}

/** Large enough to make event loop turns cheap, small enough to keep each turn short. */
export const BATCH_LINES = 500;

const ORDER_TYPES = ['realtime', 'booking', 'airport', 'charter'];
const CITIES = ['北京', '上海', '广州', '深圳', '杭州', '成都', '南京', '西安'];
const MASKED_MOBILES = ['135****', '138****', '139****', '150****', '177****', '186****'];
const CHANNELS = ['wechat', 'alipay', 'unionpay', 'enterprise'];

const DAY_SECONDS = 24 * 3600;
const MAX_RIDE_SECONDS = 2 * 3600;
/** One of this many orders is refunded on the day of its payment. */
const REFUND_EVERY = 16;
/** One of this many lines, rounded up, refunds an order of the day before. */
const LATE_REFUND_EVERY = 32;

/** A prime: the seeds of two days overlap only after this many lines. */
const DAY_SEED_STRIDE = 15_485_863;

/** The original content of a bill: UTF-8 CSV in chunks, with the lines of {@link billRows}. */
export async function* billContent(bill: Bill, rows: number): AsyncGenerator<Buffer> {
  let text = `${COLUMNS.join(',')}\n`;
  for await (const batch of billRows(bill, rows)) {
    for (const row of batch) text += `${Object.values(row).join(',')}\n`;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/**
 * The lines of a bill in batches, by start time. A date always gives the same orders. `paid` lists
 * every order paid that day, `refund` every order refunded that day, also if paid the day before,
 * `all` both (D1 4.1). `rows` and `range` count the lines of `all`.
 */
export async function* billRows(
  { date, type }: Bill,
  rows: number,
  { from = 0, to = rows }: LineRange = {},
): AsyncGenerator<readonly BillRow[]> {
  const lineAt = linesOf(date, rows);
  const end = Math.min(to, rows);
  for (let start = from; start < end; start += BATCH_LINES) {
    const batch: BillRow[] = [];
    for (let index = start; index < Math.min(start + BATCH_LINES, end); index++) {
      const line = lineAt(index);
      if (isListed(line, type)) batch.push(rowOf(line, date, index));
    }
    yield batch;
    await nextTurn();
  }
}

interface Line {
  readonly order: ReturnType<typeof drawOrder>;
  /** The day before for an order of which only the refund belongs to this day. */
  readonly paidOn: string;
  readonly isLate: boolean;
  /** The amount refunded this day, or 0. */
  readonly refund: number;
}

/**
 * The lines of a day by their number, from 0; each is drawn independently. The first lines refund
 * orders of the day before. The bill of that day lists these orders as paid, without a refund.
 */
function linesOf(date: string, rows: number): (index: number) => Line {
  const day = dayNumber(date);
  const dayBefore = previousDay(date);
  const count = Math.min(Math.ceil(rows / LATE_REFUND_EVERY), Math.floor(rows / 2));
  // The 13th may have no trades: then the 14th has no late refunds.
  const late = date.endsWith('-14') ? 0 : count;
  return (index) => {
    if (index < late) {
      const order = drawOrder(day - 1, count + index, rows);
      return { order, paidOn: dayBefore, isLate: true, refund: order.refundable };
    }
    const order = drawOrder(day, index, rows);
    const isRefundedNextDay = index >= count && index < 2 * count;
    const refund = order.isRefunded && !isRefundedNextDay ? order.refundable : 0;
    return { order, paidOn: date, isLate: false, refund };
  };
}

function isListed({ isLate, refund }: Line, type: BillType): boolean {
  if (type === 'all') return true;
  return type === 'paid' ? !isLate : refund > 0;
}

/** Amounts are in cents, times in seconds of the day, distances in units of 10 m. */
function drawOrder(day: number, index: number, rows: number) {
  const draw = seededDraw(Math.imul(day, DAY_SEED_STRIDE) + index);
  const pick = <T>(choices: readonly T[]): T => choices[draw(choices.length)] as T;

  // Spread the rides over the day, with the last payment before midnight.
  const startedAt = Math.floor((index / rows) * (DAY_SECONDS - MAX_RIDE_SECONDS));
  const ride = 240 + draw(MAX_RIDE_SECONDS - 300);
  // Between 18 and 50 km/h.
  const distance = Math.floor((ride * (500 + draw(900))) / 1000);

  const car = pick(CAR_TYPES);
  const amount = fare(car, distance);
  const discount = drawDiscount(draw, amount);
  const paid = amount - discount;

  return {
    tradeNumber: draw(1_000_000_000),
    orderType: pick(ORDER_TYPES),
    city: pick(CITIES),
    car: car.name,
    mobile: pick(MASKED_MOBILES) + padded(draw(10_000), 4),
    startedAt,
    paidAt: startedAt + ride + draw(60),
    distance,
    amount,
    discount,
    paid,
    isRefunded: draw(REFUND_EVERY) === 0,
    /** The amount of the refund, if the order is refunded: full or partial. */
    refundable: draw(2) === 0 ? paid : 1 + draw(paid),
    channel: pick(CHANNELS),
  };
}

/** The members are in the order of the columns. */
function rowOf({ order, paidOn, refund }: Line, date: string, index: number): BillRow {
  return {
    order_id: orderId(date, index),
    trade_no: `4200${digitsOf(paidOn)}${padded(order.tradeNumber, 9)}`,
    order_type: order.orderType,
    city: order.city,
    car_type: order.car,
    passenger_mobile: order.mobile,
    started_at: `${paidOn} ${time(order.startedAt)}`,
    paid_at: `${paidOn} ${time(order.paidAt)}`,
    distance_km: decimal(order.distance),
    amount: decimal(order.amount),
    discount: decimal(order.discount),
    paid_amount: decimal(order.paid),
    refund_amount: decimal(refund),
    pay_channel: order.channel,
    status: refund > 0 ? 'REFUNDED' : 'PAID',
  };
}

/** 17 digits that begin with the date, ascending from line to line. */
export function orderId(date: string, index: number): string {
  return digitsOf(date) + padded(index, 9);
}

function digitsOf(date: string): string {
  return date.slice(0, 4) + date.slice(5, 7) + date.slice(8);
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => padded(value, 2));

/** A number of hundredths, such as cents, with two decimals. */
function decimal(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${TWO_DIGITS[hundredths % 100]}`;
}

/** A second of the day as `HH:MM:SS`. */
function time(second: number): string {
  const minute = Math.floor(second / 60);
  const hour = Math.floor(minute / 60);
  return `${TWO_DIGITS[hour]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]}`;
}
