/**
 * The library: sign requests and verify signatures, call the platform, fetch bills, check texts,
 * run GraphQL operations.
 */
export { DetectionClient, type DetectionClientOptions } from './detection/client.ts';
export type { Assessment, Detector, EmbeddedAnalysis } from './detection/engine/detector.ts';
export type { ModelOptions } from './detection/engine/external-model.ts';
export {
  loadDetector,
  /** @deprecated Renamed to {@link loadDetector}. */
  loadDetector as loadRuleEngine,
} from './detection/engine/load-detector.ts';
export type { Hit } from './detection/engine/rule-engine.ts';
export type { Health } from './detection/health.ts';
export type { Detection, RuleHit } from './detection/result.ts';
export {
  GraphqlClient,
  type GraphqlClientOptions,
  type PartsOptions,
  type SendOptions,
} from './graphql/client.ts';
export type { GraphqlRequest } from './graphql/request.ts';
export type { GraphqlResponse, ResponseError } from './graphql/response.ts';
export type { Upload } from './graphql/upload.ts';
export type { ProxySettings } from './http/proxy-for.ts';
export type { HttpBody, HttpRequest } from './http/request.ts';
export { Transport, type TransportOptions } from './http/transport.ts';
export type {
  Account,
  AccountKey,
  AccountReader,
  AccountStore,
  AccountWriter,
  Awaitable,
  MobileEntry,
} from './platform/accounts/account.ts';
export { findAccount, listAccounts, unlinkAccount } from './platform/accounts/find-account.ts';
export {
  type AccountLink,
  decodedLink,
  type LinkOptions,
  type LinkResult,
  type LinkStatus,
  linkAccount,
} from './platform/accounts/link-account.ts';
export { SqliteAccountStore } from './platform/accounts/sqlite-store.ts';
export type { Answer } from './platform/answer.ts';
export type { BillDescriptor, BillRequest } from './platform/bills/descriptor.ts';
export type { StoredBill } from './platform/bills/fetch.ts';
export {
  type BillResult,
  type BillTask,
  type FetchBillsOptions,
  fetchBills,
} from './platform/bills/fetch-bills.ts';
export type {
  BillDescriptorOptions,
  BillEvent,
  BillJob,
  FetchBillOptions,
} from './platform/bills/fetch-options.ts';
export { PlatformClient } from './platform/client.ts';
export type { DecodedParameters, EncryptedParameters } from './platform/decode.ts';
export type { Envelope } from './platform/envelope.ts';
export type { EstimateRequest } from './platform/estimate.ts';
export type { Operation, OperationMode, OperationSigning } from './platform/operation.ts';
export type { OperationClient, PlatformClientOptions } from './platform/operation-client.ts';
export type { SignedRequest } from './platform/signed-request.ts';
export type { BillSchedule } from './protocol/bill-calendar.ts';
export { findResultCode, RESULT_CODES, type ResultCode } from './protocol/result-codes.ts';
export { RESULT_CODES_ZH } from './protocol/result-codes-zh.ts';
export type { ColumnSummary, GroupSummary } from './reconciliation/column-total.ts';
export {
  type BillComparison,
  type ComparedSide,
  compareBill,
} from './reconciliation/compare-bill.ts';
export type { ColumnPair, CompareOptions, RowsFiles } from './reconciliation/compare-options.ts';
export type { ComparedRow, Difference } from './reconciliation/pair-rows.ts';
export type { RowFilter, RowsFile } from './reconciliation/rows-file.ts';
export {
  type BillSummary,
  type FileSummary,
  type RowsSummary,
  type SummarizeOptions,
  summarizeBill,
} from './reconciliation/summarize-bill.ts';
export { encryptParameters } from './sandbox/encryption.ts';
export { type Fault, parseFault } from './sandbox/faults.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/server.ts';
export type { LogEntry, SignatureFindings } from './server/log-entry.ts';
export * from './signing.ts';
