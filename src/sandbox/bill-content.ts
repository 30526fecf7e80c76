import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayNumber } from '../protocol/bill-calendar.ts';
import type { BillType } from '../protocol/operations.ts';
import { CsvWriter } from './csv-writer.ts';

/** A bill: the orders of a day, all of them or those of one kind. */
export interface Bill {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly type: BillType;
}

const HEADER_LINE =
  'order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,' +
  'distance_km,amount,discount,paid_amount,refund_amount,pay_channel,status\n';

/** Large enough that turns of the event loop cost nothing, small enough to keep each one short. */
const CHUNK_BYTES = 128 * 1024;

// Fields with the comma before them, the last with the end of the line.
const fields = (...texts: string[]): readonly Buffer[] =>
  texts.map((text) => Buffer.from(`,${text}`));
const ORDER_TYPES = fields('realtime', 'booking', 'airport', 'charter');
const CITIES = fields('北京', '上海', '广州', '深圳', '杭州', '成都', '南京', '西安');
const CARS = [
  { name: Buffer.from(',经济型'), baseCents: 900, centsPerKm: 180 },
  { name: Buffer.from(',舒适型'), baseCents: 1300, centsPerKm: 240 },
  { name: Buffer.from(',商务型'), baseCents: 1800, centsPerKm: 330 },
  { name: Buffer.from(',豪华型'), baseCents: 2600, centsPerKm: 480 },
];
const MASKED_MOBILES = fields('135****', '138****', '139****', '150****', '177****', '186****');
const CHANNELS = fields('wechat', 'alipay', 'unionpay', 'enterprise');
const STATUS = { paid: Buffer.from(',PAID\n'), refund: Buffer.from(',REFUNDED\n') };

const DAY_SECONDS = 24 * 3600;
const LONGEST_RIDE_SECONDS = 2 * 3600;
const MAX_DISCOUNT_CENTS = 2000;
/** One order in so many is a refund. */
const REFUND_EVERY = 16;

/**
 * The original content of a bill: UTF-8 CSV with a header line and a line for each order, by start
 * time. A date always gives the same orders, and each line of `all` is in just one of `paid` and
 * `refund` (D1 4.1).
 *
 * Yields chunks of about 128 KiB and leaves the event loop a turn after each.
 *
 * @param rows Orders of the day, of both kinds together.
 */
export async function* billContent({ date, type }: Bill, rows: number): AsyncGenerator<Buffer> {
  const draw = drawing(dayNumber(date));
  const writer = new CsvWriter(CHUNK_BYTES);
  const writeLine = lineWriter(writer, date);
  writer.text(Buffer.from(HEADER_LINE));
  for (let index = 0; index < rows; index++) {
    const order = drawOrder(draw, index, rows);
    if (type === 'all' || type === order.kind) writeLine(order);
    if (writer.isFull) {
      yield writer.take();
      await nextTurn();
    }
  }
  yield writer.take();
}

/** One order; amounts in cents, times in seconds of the day. */
interface Order {
  readonly kind: 'paid' | 'refund';
  readonly index: number;
  readonly tradeNumber: number;
  readonly orderType: Buffer;
  readonly city: Buffer;
  readonly car: Buffer;
  readonly maskedMobile: Buffer;
  readonly mobileEnd: number;
  readonly startedAt: number;
  readonly paidAt: number;
  /** In units of 10 m. */
  readonly distance: number;
  readonly amount: number;
  readonly discount: number;
  readonly paid: number;
  readonly refund: number;
  readonly channel: Buffer;
}

type Draw = (count: number) => number;

function drawOrder(draw: Draw, index: number, rows: number): Order {
  const pick = <T>(choices: readonly T[]): T => choices[draw(choices.length)] as T;

  // Spread over the day so that the last ride is paid before it ends.
  const startedAt = Math.floor((index / rows) * (DAY_SECONDS - LONGEST_RIDE_SECONDS));
  const ride = 240 + draw(LONGEST_RIDE_SECONDS - 300);
  // Between 18 and 50 km/h.
  const distance = Math.floor((ride * (500 + draw(900))) / 1000);

  const car = pick(CARS);
  const amount = car.baseCents + Math.floor((distance * car.centsPerKm) / 100);
  const discount = draw(4) === 0 ? draw(Math.min(amount, MAX_DISCOUNT_CENTS)) : 0;
  const paid = amount - discount;
  const kind = draw(REFUND_EVERY) === 0 ? 'refund' : 'paid';
  const refund = kind === 'paid' ? 0 : draw(2) === 0 ? paid : 1 + draw(paid);

  return {
    kind,
    index,
    tradeNumber: draw(1_000_000_000),
    orderType: pick(ORDER_TYPES),
    city: pick(CITIES),
    car: car.name,
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

function lineWriter(writer: CsvWriter, date: string): (order: Order) => void {
  const day = date.replaceAll('-', '');
  const orderPrefix = Buffer.from(day);
  const tradePrefix = Buffer.from(`,4200${day}`);
  const datePrefix = Buffer.from(`,${date} `);

  return (order) => {
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

/** Numbers that look drawn but repeat: `draw(n)` gives one of 0 … n - 1 (a 32-bit xorshift). */
function drawing(seed: number): Draw {
  // Days that follow each other must not begin alike, and zero would stay zero.
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 1) % count;
  };
}
