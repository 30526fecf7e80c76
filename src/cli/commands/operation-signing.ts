import type { OperationSigning } from '../../platform/operation.ts';
import { parseHeader } from '../context/request-content.ts';
import type { ModeOptions } from './request-options.ts';

/** The options of header mode as an operation takes them. */
export function operationSigning(options: ModeOptions): OperationSigning {
  const { header, nullAs, timestampUnit, nonce } = options;
  return {
    headers: header?.map(parseHeader),
    nullAs,
    timestampUnit,
    nonce: nonce === false ? nonce : undefined,
  };
}
