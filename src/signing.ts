/**
 * Signatures without the network: sign requests, verify signatures, explain them, and read requests
 * that were captured.
 */
export { type ErrorCode, type ErrorDetails, MopError } from './errors.ts';
export type { FormField } from './http/multipart.ts';
export { parseJson } from './json/parse.ts';
export { printJson } from './json/print.ts';
export { JsonSyntaxError } from './json/reader.ts';
export { type JsonMember, type JsonValue, member } from './json/value.ts';
export type { Readings } from './protocol/readings.ts';
export { type SignedBody, signBody } from './signing/body-mode.ts';
export type { Entry, NullAs, Omitted } from './signing/canonical.ts';
export type { CapturedRequest } from './signing/capture/captured-request.ts';
export { type CaptureOptions, readCapture } from './signing/capture/read-capture.ts';
export type { Diagnosis } from './signing/diagnosis/diagnose.ts';
export { DIAGNOSIS_IDS, type DiagnosisId, type NamedSecret } from './signing/diagnosis/mistake.ts';
export { explainSignature, type SignatureExplanation } from './signing/explain.ts';
export {
  type Header,
  type HeaderFields,
  type SignedHeaders,
  signHeaders,
} from './signing/header-mode.ts';
export type { ReceivedRequest } from './signing/received-request.ts';
export type { Credentials, FieldSource, RequestFields } from './signing/request-fields.ts';
export type { ClockCheck } from './signing/verification/request-checks.ts';
export {
  type Verdict,
  type VerifyOptions,
  verifySignature,
} from './signing/verification/verify.ts';
