import { object, text } from '../json/build.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import {
  type BillSchedule,
  billWindow,
  checkDate,
  readyAt,
  today,
} from '../protocol/bill-calendar.ts';
import { DOWNLOAD_LINK_SECONDS } from '../protocol/limits.ts';
import { BILL_TYPES, TAR_TYPES } from '../protocol/operations.ts';
import { TIME_RANGE_INVALID } from '../protocol/result-codes.ts';
import { SANDBOX_READY_TIME } from '../protocol/sandbox.ts';
import { type BillDigest, cryptoName } from './bill-digests.ts';
import type { BillFile, DownloadLinks } from './download-links.ts';
import { failure, success } from './envelope.ts';
import type { FaultPlan } from './faults.ts';
import type { OperationHandler } from './operation-handler.ts';
import { badParameter } from './parameters.ts';

export interface BillService {
  /** IANA name: the days of bills are days there. */
  readonly timeZone: string;
  readonly faults: FaultPlan;
  readonly links: DownloadLinks;
  readonly digestOf: BillDigest;
}

/** When the bills of the sandbox appear; `timeZone` is an IANA name. */
export function sandboxSchedule(timeZone: string): BillSchedule {
  return { timeZone, readyTime: SANDBOX_READY_TIME, lateHours: 0 };
}

/** `/trade/bill`: where a bill is and what it hashes to (D1 4.1). */
export function billOperation(service: BillService): OperationHandler {
  const schedule = sandboxSchedule(service.timeZone);

  return async (fields, { origin, now }) => {
    const date = dateField(fields.get('bill_date'));
    if (date === undefined) {
      throw badParameter('bill_date is not a date written as YYYY-MM-DD');
    }
    const type = choice(BILL_TYPES, fields.get('bill_type'));
    if (type === undefined) throw badParameter('bill_type is not 0, 1 or 2');
    const tar = choice(TAR_TYPES, fields.get('tar_type'));
    if (tar === undefined) throw badParameter('tar_type is not 0 or 1');

    const { first } = billWindow(schedule, now());
    const last = today(schedule, now());
    if (date < first || date > last) {
      return failure(TIME_RANGE_INVALID, `bill_date is not in ${first} to ${last}`);
    }
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
    // An unknown digest still has to look like one.
    members.hash_value = text(await digestOf(file, cryptoName(hashType) ?? 'md5'));
  }
  // The digest may have taken a while: the link is valid from here on.
  const issued = faults.take('expire') ? now() - DOWNLOAD_LINK_SECONDS * 1000 - 1 : now();
  const { path, authorization } = links.issue(file, issued);
  members.download_url = text(origin + path);
  members.authorization = text(authorization);
  return object(members);
}

/** No trades on the 13th of any earlier month: clients can be tested with such a day. */
export function isWithoutTrades(date: string, currentDay: string): boolean {
  return date.endsWith('-13') && date.slice(0, 7) < currentDay.slice(0, 7);
}

function dateField(value: JsonValue | undefined): string | undefined {
  if (value?.kind !== 'string') return undefined;
  try {
    return checkDate(value.value);
  } catch {
    return undefined;
  }
}

/** The name of the number in a field, written as a number or as text. */
function choice<Name extends string>(
  choices: Readonly<Record<Name, number>>,
  value: JsonValue | undefined,
): Name | undefined {
  const digits = value?.kind === 'number' ? value.text : value?.kind === 'string' && value.value;
  return (Object.keys(choices) as Name[]).find((name) => String(choices[name]) === digits);
}
