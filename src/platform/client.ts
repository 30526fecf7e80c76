import type { Answer } from './answer.ts';
import { type BillDescriptor, type BillRequest, billDescriptor } from './bills/descriptor.ts';
import { fetchBill, type StoredBill } from './bills/fetch.ts';
import type { BillDescriptorOptions, BillJob, FetchBillOptions } from './bills/fetch-options.ts';
import {
  type DecodedParameters,
  decodeOperation,
  type EncryptedParameters,
  readDecoded,
} from './decode.ts';
import { type EstimateRequest, estimateOperation } from './estimate.ts';
import { OperationClient } from './operation-client.ts';

/**
 * The operations of the platform that the documents describe (D1 4), and `call` for any other.
 *
 * @example
 * ```ts
 * import {
 *   type Answer,
 *   type BillDescriptor,
 *   type BillRequest,
 *   type Envelope,
 *   type EstimateRequest,
 *   type Operation,
 *   type OperationClient,
 *   type OperationMode,
 *   type OperationSigning,
 *   PlatformClient,
 *   type PlatformClientOptions,
 *   printJson,
 *   type SignedRequest,
 *   startSandbox,
 *   Transport,
 * } from 'mop-cli';
 *
 * const sandbox = await startSandbox();
 * const transport = new Transport();
 * const mode: OperationMode = 'documented';
 * const options: PlatformClientOptions = {
 *   baseUrl: sandbox.url,
 *   openBaseUrl: sandbox.url,
 *   credentials: { apiKey: 'sandbox', secret: 'sandbox-secret' },
 *   transport,
 *   mode,
 * };
 * const client: PlatformClient & OperationClient = new PlatformClient(options);
 *
 * const signing: OperationSigning = { timestampUnit: 'ms', nonce: false };
 * const operation: Operation = { path: '/user/sync', mode: 'header', body: '{"lat":30.10}', signing };
 * const answer: Answer & Envelope = await client.call(operation);
 * const request: SignedRequest = client.sign(operation);
 * console.log(answer.code, answer.data && printJson(answer.data), request.url.pathname);
 * // 0 {"lat":30.10} /api/open/user/sync
 *
 * const ride: EstimateRequest = { city: '330100', lat: 30.27, lng: 120.15 };
 * console.log((await client.estimatePrice(ride)).message);
 * // Success
 *
 * const date = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
 * const bill: BillRequest = { date, type: 'paid' };
 * const descriptor: BillDescriptor = await client.billDescriptor(bill);
 * console.log(descriptor.digest?.type);
 * // MD5
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export class PlatformClient extends OperationClient {
  /**
   * Plaintext of the parameters of a mini-program (D1 4.2).
   *
   * @throws {MopError} `usage` for invalid parameters, and the errors of {@link call}.
   */
  async decode(parameters: EncryptedParameters): Promise<DecodedParameters> {
    return readDecoded(await this.call(decodeOperation(parameters)));
  }

  /**
   * Estimated prices of a ride (D1 4.3). The documents do not describe `data`: it is returned
   * unchanged.
   *
   * @param request The fields, or their JSON text to keep the digits of numbers.
   * @throws {MopError} Same as {@link call}.
   */
  async estimatePrice(request: EstimateRequest | string): Promise<Answer> {
    return this.call(estimateOperation(request));
  }

  /**
   * The link to a bill, valid for 30 seconds, and the digest of its content (D1 4.1).
   *
   * @throws {MopError} `not-ready` or `no-bill` without a bill, and the errors of {@link call}.
   */
  async billDescriptor(
    request: BillRequest,
    options?: BillDescriptorOptions,
  ): Promise<BillDescriptor> {
    return billDescriptor(this, request, options);
  }

  /**
   * Fetches a bill, verifies it and stores it (D1 4.1 rule 6).
   *
   * @throws {MopError} `not-ready`, `no-bill`, `auth`, `api`, `network`, `integrity` or `io`. An
   *   existing valid file is kept on every error.
   */
  async fetchBill(job: BillJob, options?: FetchBillOptions): Promise<StoredBill> {
    return fetchBill(this, job, options);
  }
}
