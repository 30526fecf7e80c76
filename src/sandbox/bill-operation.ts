import { createHash, getHashes } from 'node:crypto';
import { object, text } from '../json/build.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import {
  type BillSchedule,
  billWindow,
  checkDate,
  readyAt,
  today,
} from '../protocol/bill-calendar.ts';
import {
  BILL_WINDOW_DAYS,
  DOWNLOAD_LINK_SECONDS,
  MAX_BILL_DATE_LENGTH,
} from '../protocol/limits.ts';
import { BILL_TYPES, TAR_TYPES } from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';
import { TIME_RANGE_INVALID } from '../protocol/result-codes.ts';
import { resultCache } from '../server/cache.ts';
import { badRequest } from '../server/request-body.ts';
import { type Bill, billContent } from './bill-content.ts';
import type { BillFile, DownloadLinks } from './downloads.ts';
import type { FaultPlan } from './faults.ts';
import {
  type Fields,
  failure,
  type OperationHandler,
  requiredInt,
  requiredText,
  success,
} from './operation.ts';

export interface BillService {
  readonly schedule: BillSchedule;
  readonly faults: FaultPlan;
  readonly links: DownloadLinks;
  readonly digestOf: BillDigest;
}

/** The publication schedule of the sandbox's bills; `timeZone` is an IANA name. */
export function sandboxSchedule(timeZone: string, readings: AllReadings): BillSchedule {
  return {
    timeZone,
    readyTime: readings['ready-time'],
    lateHours: 0,
    ...windowOf(readings.window),
  };
}

function windowOf(window: AllReadings['window']): Pick<BillSchedule, 'windowDays'> {
  return { windowDays: window === '90d' ? BILL_WINDOW_DAYS : undefined };
}

/** `/trade/bill`: the address of a bill, and its digest (D1 4.1). */
export function billOperation(service: BillService): OperationHandler {
  const { schedule } = service;

  return async (fields, { origin, now }) => {
    const date = requiredDate(fields);
    const type = choice(BILL_TYPES, requiredInt(fields, 'bill_type'));
    if (type === undefined) throw badRequest('bill_type is not 0, 1 or 2');
    const tar = choice(TAR_TYPES, requiredInt(fields, 'tar_type'));
    if (tar === undefined) throw badRequest('tar_type is not 0 or 1');

    const last = today(schedule, now());
    const outside = fields.points.faultOf('window', (window) => {
      const { first } = billWindow({ ...schedule, ...windowOf(window) }, now());
      if (date >= first && date <= last) return undefined;
      return failure(TIME_RANGE_INVALID, `bill_date is not in ${first} to ${last}`);
    });
    if (outside) return outside;
    if (now() < readyAt(date, schedule) || isWithoutTrades(date, last)) return success(object({}));
    return success(await descriptor(service, { date, type, tar }, origin, now));
  };
}

/** The descriptor of D1 2.3. */
async function descriptor(
  { faults, links, digestOf }: BillService,
  file: BillFile,
  origin: string,
  now: () => number,
): Promise<JsonObject> {
  const members: Record<string, JsonValue> = {};
  if (!faults.take('no-hash')) {
    const hashType = faults.take('hash-type') ?? 'MD5';
    members.hash_type = text(hashType);
    // The value for an unknown digest name must still look like a digest.
    members.hash_value = text(await digestOf(file, cryptoName(hashType) ?? 'md5'));
  }
  // The digest may be slow: the validity of the link starts here.
  const issued = faults.take('expire') ? now() - DOWNLOAD_LINK_SECONDS * 1000 - 1 : now();
  const { path, authorization } = links.issue(file, issued);
  members.download_url = text(origin + path);
  members.authorization = text(authorization);
  return object(members);
}

/** The 13th of any earlier month has no trades, to test clients with such a day. */
export function isWithoutTrades(date: string, currentDay: string): boolean {
  return date.endsWith('-13') && date.slice(0, 7) < currentDay.slice(0, 7);
}

function requiredDate(fields: Fields): string {
  const text = requiredText(fields, 'bill_date', MAX_BILL_DATE_LENGTH);
  try {
    return checkDate(text);
  } catch (error) {
    throw badRequest('bill_date is not a date written as YYYY-MM-DD', error);
  }
}

function choice<Name extends string>(
  choices: Readonly<Record<Name, number>>,
  digits: string,
): Name | undefined {
  return (Object.keys(choices) as Name[]).find((name) => String(choices[name]) === digits);
}

/** The digest of the original content of a bill, in lower-case hex; `algorithm` is Node's name. */
type BillDigest = (bill: Bill, algorithm: string) => Promise<string>;

/** Computes and caches digests of bills: each takes a pass over the content. */
export function billDigests(rows: number, closing: AbortSignal): BillDigest {
  const digests = resultCache<Promise<string>>();
  return (bill, algorithm) =>
    digests(`${bill.date} ${bill.type} ${algorithm}`, async () => {
      const hash = createHash(algorithm);
      for await (const chunk of billContent(bill, rows)) {
        closing.throwIfAborted();
        hash.update(chunk);
      }
      return hash.digest('hex');
    });
}

/** Node's name of a digest, matched without case, dashes or underscores. */
function cryptoName(hashType: string): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
  return getHashes().find((name) => plain(name) === plain(hashType));
}
