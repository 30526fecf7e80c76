/** Addresses and request fields of D1 sections 4 and 5.2, as data. */

/** The path below the configured address, by signature mode (D1 4.0). */
export const ADDRESS_PREFIX = { body: '/open/v1', header: '/api/open' } as const;

/** The two signature schemes: protocol 1.0 signs in the body, 2.0 in headers (D1 section 5). */
export type SignatureMode = keyof typeof ADDRESS_PREFIX;

export const SIGNATURE_MODES: readonly SignatureMode[] = ['body', 'header'];

export const PROTOCOL_VERSION = { body: '1.0', header: '2.0' } as const;

/** D1 4.1. */
export const BILL_PATH = '/trade/bill';

/** D1 4.2. */
export const DECODE_PATH = '/param/decode';

/** D1 4.3. */
export const ESTIMATE_PATH = '/takecar/estimate/price';

/** Named by D1 4.4 as an illustration. */
export const SYNC_PATH = '/user/sync';

/** The mode in which D1 section 4 documents an operation. */
export function documentedMode(path: string): SignatureMode | undefined {
  if (path === BILL_PATH || path === DECODE_PATH) return 'body';
  return path === ESTIMATE_PATH ? 'header' : undefined;
}

/** `bill_type` (D1 4.1). */
export const BILL_TYPES = { all: 0, paid: 1, refund: 2 } as const;
export type BillType = keyof typeof BILL_TYPES;

/** `tar_type` (D1 4.1). */
export const TAR_TYPES = { stream: 0, gzip: 1 } as const;
export type TarType = keyof typeof TAR_TYPES;
export const DEFAULT_TAR: TarType = 'gzip';

/** The signed headers of protocol 2.0 as the documents spell them (D1 5.2). */
export const SIGN_HEADERS = {
  version: 'X-TMS-Sign-Ver',
  apiKey: 'X-TMS-Api-Key',
  timestamp: 'X-TMS-Timestamp',
  seqId: 'X-TMS-Seq-Id',
  nonce: 'X-TMS-Nonce',
  sign: 'X-TMS-Sign',
} as const;

/** Whether protocol 2.0 uses a header (D1 5.2). */
export function isSignedHeaderName(name: string): boolean {
  return /^x-tms-/i.test(name);
}

/** The common fields of every request of body mode, without the signature (D1 2.1). */
export const COMMON_FIELDS = ['api_key', 'seq_id', 'timestamp', 'nonce'] as const;
export type CommonField = (typeof COMMON_FIELDS)[number];

export function isCommonField(name: string): name is CommonField {
  return (COMMON_FIELDS as readonly string[]).includes(name);
}

/** The header of header mode for each common field of body mode. */
export const HEADER_OF_FIELD: { readonly [field in CommonField]: string } = {
  api_key: SIGN_HEADERS.apiKey,
  seq_id: SIGN_HEADERS.seqId,
  timestamp: SIGN_HEADERS.timestamp,
  nonce: SIGN_HEADERS.nonce,
};

/** Takes the place of a missing address. */
export function placeholderUrl(mode: SignatureMode): string {
  return `https://HOST${ADDRESS_PREFIX[mode]}/PATH`;
}
