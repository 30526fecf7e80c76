import { type MopError, withDetails } from '../../errors.ts';
import { isPrivateHttp } from '../../http/address.ts';
import { isHeaderValue } from '../../http/headers.ts';
import { AnswerFields } from '../../json/fields.ts';
import { type JsonValue, member } from '../../json/value.ts';
import { checkDate } from '../../protocol/bill-calendar.ts';
import {
  BILL_PATH,
  BILL_TYPES,
  type BillType,
  DEFAULT_TAR,
  TAR_TYPES,
  type TarType,
} from '../../protocol/operations.ts';
import { ILLEGAL_OPERATION, TIME_RANGE_INVALID } from '../../protocol/result-codes.ts';
import { querySecrets, tokenOf } from '../../redaction/credentials.ts';
import { isSuccess, PLATFORM_CONTRACT } from '../envelope.ts';
import type { Operation } from '../operation.ts';
import type { OperationClient } from '../operation-client.ts';
import { type BillDigest, billDigest } from './digest.ts';
import {
  type BillDescriptorOptions,
  type ResolvedOptions,
  resolveOptions,
} from './fetch-options.ts';
import { absentBill, mayBeTooOld, tooOld, waitUntilReady } from './readiness.ts';

/** The link to a bill and the digest of its content (D1 2.3). */
export interface BillDescriptor {
  readonly downloadUrl: URL;
  /** The credential for the download; undefined when the platform returned none. */
  readonly authorization: string | undefined;
  /** The digest of the original, decompressed content; undefined when the platform gave none. */
  readonly digest: BillDigest | undefined;
  /** The serial number of the request. */
  readonly seqId: string;
}

/** The fields of a request for a descriptor. */
export interface BillRequest {
  /** `YYYY-MM-DD` in the platform's time. */
  readonly date: string;
  readonly type: BillType;
  /** Default gzip. */
  readonly tar?: TarType | undefined;
}

/** The call that requests a descriptor (D1 4.1). */
export function billOperation({ date, type, tar = DEFAULT_TAR }: BillRequest): Operation {
  const body = { bill_date: date, bill_type: BILL_TYPES[type], tar_type: TAR_TYPES[tar] };
  return { path: BILL_PATH, body: JSON.stringify(body) };
}

/** Requests the descriptor of a bill, with retries; throws `not-ready` or `no-bill` without one. */
export async function billDescriptor(
  client: OperationClient,
  request: BillRequest,
  { schedule, noBillCodes, force }: BillDescriptorOptions = {},
): Promise<BillDescriptor> {
  checkDate(request.date);
  const options = resolveOptions({ schedule, noBillCodes, force }, client.source.now());
  await waitUntilReady(client, request, options);
  const { seqId, descriptor } = await client.retry(() =>
    requestDescriptor(client, request, options),
  );
  if (descriptor) return descriptor;
  throw absentBill(request, options.schedule, client.source.now(), seqId);
}

/**
 * One request for a descriptor; undefined when there is no bill. `secrets` are those of earlier
 * ones.
 */
export async function requestDescriptor(
  client: OperationClient,
  request: BillRequest,
  { noBillCodes, schedule }: Pick<ResolvedOptions, 'noBillCodes' | 'schedule'>,
  secrets: readonly string[] = [],
): Promise<{ readonly seqId: string; readonly descriptor: BillDescriptor | undefined }> {
  const answer = await client.exchange({ ...billOperation(request), secrets });
  const { seqId } = answer;
  if (member(answer.json, 'message')?.kind !== 'string') client.warnOnce(NO_MESSAGE);
  if (
    answer.code === TIME_RANGE_INVALID &&
    mayBeTooOld(request.date, schedule, client.source.now())
  ) {
    throw tooOld(request.date, client.failure(answer));
  }
  if (noBillCodes.includes(answer.code)) return { seqId, descriptor: undefined };
  if (!isSuccess(answer)) throw billFailure(client.failure(answer));
  return { seqId, descriptor: readDescriptor(answer.data, seqId) };
}

/** Adds the hint on `no_bill_codes`: mop chose the fields, so a wrong field is unlikely. */
function billFailure(failure: MopError): unknown {
  const { code, details } = failure;
  const isRefused = details.systematic !== undefined;
  if (code !== 'api' || isRefused || details.platformCode === ILLEGAL_OPERATION) return failure;
  return withDetails(failure, {
    hint: 'if this code means that the day has no bill, add it to no_bill_codes; otherwise ask the platform',
  });
}

/** D1 2.2 requires fields only in the answer to a bill request. */
const NO_MESSAGE =
  "the platform's answer has no message, which D1 2.2 requires for a bill: report it to the platform";

/** The parts of a descriptor that no trace or message may show. */
export function descriptorSecrets({ downloadUrl, authorization = '' }: BillDescriptor): string[] {
  return [tokenOf(authorization), ...querySecrets(downloadUrl.search)];
}

function readDescriptor(data: JsonValue | undefined, seqId: string): BillDescriptor | undefined {
  const fields = new AnswerFields(data, PLATFORM_CONTRACT, 'data.', { seqId });
  const text = (name: string) => fields.optional(name, 'string')?.value || undefined;
  const link = text('download_url');
  if (link === undefined) return undefined;
  if (!URL.canParse(link)) throw fields.violation('download_url', 'is not a URL');
  const downloadUrl = new URL(link);
  if (!isPrivateHttp(downloadUrl)) {
    throw fields.violation('download_url', 'is neither https nor on this machine');
  }
  const authorization = text('authorization');
  if (authorization !== undefined && !isHeaderValue(authorization)) {
    throw fields.violation('authorization', 'cannot be sent in a header');
  }
  const [type, value] = [text('hash_type'), text('hash_value')];
  return {
    downloadUrl,
    authorization,
    digest: value === undefined ? undefined : billDigest(type, value),
    seqId,
  };
}
