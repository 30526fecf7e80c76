import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayNumber } from '../protocol/bill-calendar.ts';
import type { BillType } from '../protocol/operations.ts';
import { CsvWriter } from './csv-writer.ts';
import { CAR_TYPES, drawDiscount, fare } from './fares.ts';
import { type Draw, seededDraw } from './random.ts';

/** The orders of a day, all of them or those of one kind. */
export interface Bill {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly type: BillType;
}

const HEADER_LINE =
  'order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,' +
  'distance_km,amount,discount,paid_amount,refund_amount,pay_channel,status\n';

/** Orders of a day, from one index up to another, and the draw with which the first begins. */
export interface OrderRange {
  readonly from: number;
  readonly to: number;
  readonly draw: Draw;
}

/** Large enough that turns of the event loop cost nothing, small enough to keep each one short. */
const CHUNK_BYTES = 128 * 1024;

// Fields with the comma before them, the last with the end of the line.
const fields = (...texts: string[]): readonly Buffer[] =>
  texts.map((text) => Buffer.from(`,${text}`));
const ORDER_TYPES = fields('realtime', 'booking', 'airport', 'charter');
const CITIES = fields('北京', '上海', '广州', '深圳', '杭州', '成都', '南京', '西安');
const CARS = CAR_TYPES.map((type) => ({ type, field: Buffer.from(`,${type.name}`) }));
const MASKED_MOBILES = fields('135****', '138****', '139****', '150****', '177****', '186****');
const CHANNELS = fields('wechat', 'alipay', 'unionpay', 'enterprise');
const STATUS = { paid: Buffer.from(',PAID\n'), refund: Buffer.from(',REFUNDED\n') };

const DAY_SECONDS = 24 * 3600;
const LONGEST_RIDE_SECONDS = 2 * 3600;
/** One order in this many is a refund. */
const REFUND_EVERY = 16;

/**
 * The original content of a bill: UTF-8 CSV with a header line and a line for each order, by start
 * time. A date always gives the same orders, and each line of `all` is in just one of `paid` and
 * `refund` (D1 4.1).
 *
 * Yields chunks of about 128 KiB and leaves the event loop a turn after each.
 *
 * @param rows Orders of the day, of both kinds together.
 * @param range The orders to write; all by default.
 */
export async function* billContent(
  { date, type }: Bill,
  rows: number,
  { from, to, draw }: OrderRange = { from: 0, to: rows, draw: seededDraw(dayNumber(date)) },
): AsyncGenerator<Buffer> {
  const writer = new CsvWriter(CHUNK_BYTES);
  const writeLine = lineWriter(writer, date);
  writer.text(Buffer.from(HEADER_LINE));
  for (let index = from; index < to; index++) {
    const order = drawOrder(draw, index, rows);
    if (type === 'all' || type === order.kind) writeLine(order);
    if (writer.isFull) {
      yield writer.take();
      await nextTurn();
    }
  }
  yield writer.take();
}

/** Draws the order of an index. Amounts are in cents, times in seconds of the day, distances in units of 10 m. */
export function drawOrder(draw: Draw, index: number, rows: number) {
  const pick = <T>(choices: readonly T[]): T => choices[draw(choices.length)] as T;

  // Spread over the day so that the last ride is paid before it ends.
  const startedAt = Math.floor((index / rows) * (DAY_SECONDS - LONGEST_RIDE_SECONDS));
  const ride = 240 + draw(LONGEST_RIDE_SECONDS - 300);
  // Between 18 and 50 km/h.
  const distance = Math.floor((ride * (500 + draw(900))) / 1000);

  const car = pick(CARS);
  const amount = fare(car.type, distance);
  const discount = drawDiscount(draw, amount);
  const paid = amount - discount;
  const kind: 'paid' | 'refund' = draw(REFUND_EVERY) === 0 ? 'refund' : 'paid';
  const refund = kind === 'paid' ? 0 : draw(2) === 0 ? paid : 1 + draw(paid);

  return {
    kind,
    index,
    tradeNumber: draw(1_000_000_000),
    orderType: pick(ORDER_TYPES),
    city: pick(CITIES),
    car: car.field,
    maskedMobile: pick(MASKED_MOBILES),
    mobileEnd: draw(10_000),
    startedAt,
    paidAt: startedAt + ride + draw(60),
    distance,
    amount,
    discount,
    paid,
    refund,
    channel: pick(CHANNELS),
  };
}

function lineWriter(writer: CsvWriter, date: string) {
  const day = date.replaceAll('-', '');
  const orderPrefix = Buffer.from(day);
  const tradePrefix = Buffer.from(`,4200${day}`);
  const datePrefix = Buffer.from(`,${date} `);

  return (order: ReturnType<typeof drawOrder>): void => {
    writer.text(orderPrefix);
    writer.digits(order.index, 9);
    writer.text(tradePrefix);
    writer.digits(order.tradeNumber, 9);
    writer.text(order.orderType);
    writer.text(order.city);
    writer.text(order.car);
    writer.text(order.maskedMobile);
    writer.digits(order.mobileEnd, 4);
    writer.text(datePrefix);
    writer.time(order.startedAt);
    writer.text(datePrefix);
    writer.time(order.paidAt);
    writer.decimalField(order.distance);
    writer.decimalField(order.amount);
    writer.decimalField(order.discount);
    writer.decimalField(order.paid);
    writer.decimalField(order.refund);
    writer.text(order.channel);
    writer.text(STATUS[order.kind]);
  };
}
