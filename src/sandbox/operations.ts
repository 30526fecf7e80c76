import { BILL_PATH } from '../protocol/operations.ts';
import { type BillService, billOperation } from './bill-operation.ts';
import type { OperationHandler } from './operation.ts';

/** The operations of the platform by their path, the same in both modes (D1 section 4). */
export function platformOperations(service: BillService): ReadonlyMap<string, OperationHandler> {
  return new Map([[BILL_PATH, billOperation(service)]]);
}
