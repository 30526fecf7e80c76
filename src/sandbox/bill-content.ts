import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayNumber, previousDay } from '../protocol/bill-calendar.ts';
import type { BillType } from '../protocol/operations.ts';
import { CAR_TYPES, drawDiscount, fare, seededDraw } from './fares.ts';

/** The orders of a day: all, paid or refunded. */
export interface Bill {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly type: BillType;
}

const HEADER_LINE =
  'order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,' +
  'distance_km,amount,discount,paid_amount,refund_amount,pay_channel,status\n';

/** A range of line numbers, from 0; `to` is exclusive. */
export interface LineRange {
  readonly from?: number;
  readonly to?: number;
}

/** Large enough to make event loop turns cheap, small enough to keep each turn short. */
const CHUNK_BYTES = 128 * 1024;

// Each field contains its leading comma, the last one also the newline.
const fields = (...texts: string[]): readonly Buffer[] =>
  texts.map((text) => Buffer.from(`,${text}`));
const ORDER_TYPES = fields('realtime', 'booking', 'airport', 'charter');
const CITIES = fields('北京', '上海', '广州', '深圳', '杭州', '成都', '南京', '西安');
const CARS = CAR_TYPES.map((type) => ({ type, field: Buffer.from(`,${type.name}`) }));
const MASKED_MOBILES = fields('135****', '138****', '139****', '150****', '177****', '186****');
const CHANNELS = fields('wechat', 'alipay', 'unionpay', 'enterprise');
const PAID = Buffer.from(',PAID\n');
const REFUNDED = Buffer.from(',REFUNDED\n');

const DAY_SECONDS = 24 * 3600;
const MAX_RIDE_SECONDS = 2 * 3600;
/** One of this many orders is refunded on the day of its payment. */
const REFUND_EVERY = 16;
/** One of this many lines, rounded up, refunds an order of the day before. */
const LATE_REFUND_EVERY = 32;

/** A prime: the seeds of two days overlap only after this many lines. */
const DAY_SEED_STRIDE = 15_485_863;

/**
 * The original content of a bill: UTF-8 CSV in chunks of about 128 KiB. A date always gives the
 * same orders. `paid` lists every order paid that day, `refund` every order refunded that day, also
 * if paid the day before, `all` both (D1 4.1). `rows` and `range` count the lines of `all`.
 */
export async function* billContent(
  { date, type }: Bill,
  rows: number,
  { from = 0, to = rows }: LineRange = {},
): AsyncGenerator<Buffer> {
  const writer = new CsvWriter(CHUNK_BYTES);
  const lineAt = linesOf(date, rows);
  const writeLine = lineWriter(writer, date);
  writer.text(Buffer.from(HEADER_LINE));
  for (let index = from; index < Math.min(to, rows); index++) {
    const line = lineAt(index);
    if (isListed(line, type)) writeLine(line, index);
    if (writer.isFull) {
      yield writer.take();
      await nextTurn();
    }
  }
  yield writer.take();
}
type Order = ReturnType<typeof drawOrder>;

interface Line {
  readonly order: Order;
  /** Whether the order was paid the day before: only its refund belongs to this day. */
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
  const count = Math.min(Math.ceil(rows / LATE_REFUND_EVERY), Math.floor(rows / 2));
  // The 13th may have no trades: then the 14th has no late refunds.
  const late = date.endsWith('-14') ? 0 : count;
  return (index) => {
    if (index < late) {
      const order = drawOrder(day - 1, count + index, rows);
      return { order, isLate: true, refund: order.refundable };
    }
    const order = drawOrder(day, index, rows);
    const isRefundedNextDay = index >= count && index < 2 * count;
    const refund = order.isRefunded && !isRefundedNextDay ? order.refundable : 0;
    return { order, isLate: false, refund };
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

  const car = pick(CARS);
  const amount = fare(car.type, distance);
  const discount = drawDiscount(draw, amount);
  const paid = amount - discount;

  return {
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
    isRefunded: draw(REFUND_EVERY) === 0,
    /** The amount of the refund, if the order is refunded: full or partial. */
    refundable: draw(2) === 0 ? paid : 1 + draw(paid),
    channel: pick(CHANNELS),
  };
}

function lineWriter(writer: CsvWriter, date: string) {
  const orderPrefix = Buffer.from(date.replaceAll('-', ''));
  const [sameDay, dayBefore] = [date, previousDay(date)].map((paidOn) => ({
    trade: Buffer.from(`,4200${paidOn.replaceAll('-', '')}`),
    date: Buffer.from(`,${paidOn} `),
  })) as [PaymentPrefixes, PaymentPrefixes];

  return ({ order, isLate, refund }: Line, index: number): void => {
    const prefixes = isLate ? dayBefore : sameDay;
    writer.text(orderPrefix);
    writer.digits(index, 9);
    writer.text(prefixes.trade);
    writer.digits(order.tradeNumber, 9);
    writer.text(order.orderType);
    writer.text(order.city);
    writer.text(order.car);
    writer.text(order.maskedMobile);
    writer.digits(order.mobileEnd, 4);
    writer.text(prefixes.date);
    writer.time(order.startedAt);
    writer.text(prefixes.date);
    writer.time(order.paidAt);
    writer.decimalField(order.distance);
    writer.decimalField(order.amount);
    writer.decimalField(order.discount);
    writer.decimalField(order.paid);
    writer.decimalField(refund);
    writer.text(order.channel);
    writer.text(refund > 0 ? REFUNDED : PAID);
  };
}

interface PaymentPrefixes {
  readonly trade: Buffer;
  readonly date: Buffer;
}

const ZERO = 0x30;
const COMMA = 0x2c;
const POINT = 0x2e;
const COLON = 0x3a;
/** Extra space for the line that fills a chunk. */
const LINE_BYTES = 1024;

/**
 * Collects the lines of a bill as bytes. A bill may have half a gigabyte, and joining the lines as
 * text before encoding takes twice as long.
 */
class CsvWriter {
  readonly #chunkBytes: number;
  #bytes: Buffer;
  #length = 0;

  /** @param chunkBytes The size from which a chunk {@link isFull}. */
  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
    this.#bytes = Buffer.allocUnsafe(chunkBytes + LINE_BYTES);
  }

  get isFull(): boolean {
    return this.#length >= this.#chunkBytes;
  }

  text(piece: Uint8Array): void {
    const bytes = this.#bytes;
    let offset = this.#length;
    for (const byte of piece) bytes[offset++] = byte;
    this.#length = offset;
  }

  /** A whole number of 0 … 2^31 - 1, padded with zeros to `width` digits. */
  digits(value: number, width: number): void {
    const start = this.#length;
    this.#length = start + width;
    let rest = value;
    for (let offset = start + width - 1; offset >= start; offset--) {
      const quotient = (rest / 10) | 0;
      this.#bytes[offset] = ZERO + rest - quotient * 10;
      rest = quotient;
    }
  }

  /** A comma and a number of hundredths, such as cents, with two decimals. */
  decimalField(hundredths: number): void {
    const whole = (hundredths / 100) | 0;
    let width = 1;
    for (let limit = 10; whole >= limit; limit *= 10) width++;
    this.#bytes[this.#length++] = COMMA;
    this.digits(whole, width);
    this.#bytes[this.#length++] = POINT;
    this.digits(hundredths - whole * 100, 2);
  }

  time(secondOfDay: number): void {
    const minuteOfDay = (secondOfDay / 60) | 0;
    const hour = (minuteOfDay / 60) | 0;
    this.digits(hour, 2);
    this.#bytes[this.#length++] = COLON;
    this.digits(minuteOfDay - hour * 60, 2);
    this.#bytes[this.#length++] = COLON;
    this.digits(secondOfDay - minuteOfDay * 60, 2);
  }

  /** The bytes written since the last call; the caller owns the buffer. */
  take(): Buffer {
    const chunk = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(this.#chunkBytes + LINE_BYTES);
    this.#length = 0;
    return chunk;
  }
}
