import { MAX_SEQ_ID_LENGTH } from '../../../protocol/limits.ts';
import {
  COMMON_FIELDS,
  type CommonField,
  HEADER_OF_FIELD,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../../protocol/operations.ts';
import type { AllReadings } from '../../../protocol/readings.ts';
import type { Entry } from '../../../signing/canonical.ts';
import { nonceWarning, timestampWarning } from '../../../signing/field-limits.ts';
import { sameName } from '../../../signing/header-mode.ts';
import type { Credentials } from '../../../signing/request-fields.ts';

/** Warnings about values of the common fields that the platform would refuse. */
export function limitWarnings(
  mode: SignatureMode,
  entries: readonly Entry[],
  { apiKey }: Credentials,
  readings: AllReadings,
): string[] {
  const nameOf = (field: CommonField): string => (mode === 'body' ? field : HEADER_OF_FIELD[field]);
  const find = (wanted: string): string | undefined =>
    entries.find(({ name, source }) => source !== 'business' && sameName(name, wanted))?.value;
  const [key, seqId, timestamp, nonce] = COMMON_FIELDS.map((field) => find(nameOf(field)));
  const version = find(SIGN_HEADERS.version);
  return [
    nonceWarning(nonce, mode, readings.nonce),
    seqId !== undefined && seqId.length > MAX_SEQ_ID_LENGTH
      ? `the serial number has ${seqId.length} characters; the platform takes ${MAX_SEQ_ID_LENGTH}`
      : undefined,
    timestampWarning(timestamp, mode),
    version !== undefined && version !== PROTOCOL_VERSION.header
      ? `${SIGN_HEADERS.version} is ${version}; the platform takes ${PROTOCOL_VERSION.header} only`
      : undefined,
    key !== undefined && key !== apiKey
      ? `the request's api_key is ${key}, but the secret belongs to ${apiKey}`
      : undefined,
  ].filter((warning) => warning !== undefined);
}
