import { BILL_PATH, DECODE_PATH, ESTIMATE_PATH, SYNC_PATH } from '../protocol/operations.ts';
import { type BillService, billOperation } from './bill-operation.ts';
import { decodeOperation } from './decode-operation.ts';
import { estimateOperation } from './estimate-operation.ts';
import type { OperationHandler } from './operation.ts';
import { syncOperation } from './sync-operation.ts';

/** The operations of the platform by their path, the same in both modes (D1 section 4). */
export function platformOperations(service: BillService): ReadonlyMap<string, OperationHandler> {
  return new Map([
    [BILL_PATH, billOperation(service)],
    [DECODE_PATH, decodeOperation],
    [ESTIMATE_PATH, estimateOperation],
    [SYNC_PATH, syncOperation],
  ]);
}
