import { type Context, Hono } from 'hono';
import {
  ADDRESS_PREFIX,
  BILL_PATH,
  DECODE_PATH,
  documentedMode,
  ESTIMATE_PATH,
  type SignatureMode,
  SYNC_PATH,
} from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';
import { ILLEGAL_OPERATION, SERVICE_ERROR, SUCCESS } from '../protocol/result-codes.ts';
import { readingsHeader } from '../server/log-entry.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { type AuthenticationRules, authenticate } from './authentication.ts';
import { type BillService, billOperation } from './bill-operation.ts';
import { gatewayPage, type SandboxEnv } from './exchange.ts';
import type { FaultPlan } from './faults.ts';
import {
  type Envelope,
  failure,
  OpenPoints,
  type OperationHandler,
  parameterError,
  printEnvelope,
} from './operation.ts';
import { decodeOperation, estimateOperation, syncOperation } from './operations.ts';

/** The operations of the platform by their path (D1 section 4). */
export function platformOperations(service: BillService): ReadonlyMap<string, OperationHandler> {
  return new Map([
    [BILL_PATH, billOperation(service)],
    [DECODE_PATH, decodeOperation],
    [ESTIMATE_PATH, estimateOperation],
    [SYNC_PATH, syncOperation],
  ]);
}

export interface OperationRules extends Omit<AuthenticationRules, 'points'> {
  readonly readings: AllReadings;
}

/**
 * The operations under the address of a mode. Each answer is an envelope (D1 4.0, 2.2).
 * `X-Mop-Warning` names the readings that would refuse the request.
 */
export function operationRoutes(
  mode: SignatureMode,
  operations: ReadonlyMap<string, OperationHandler>,
  faults: FaultPlan,
  { readings, ...rules }: OperationRules,
): Hono<SandboxEnv> {
  const answer = (c: Context<SandboxEnv>, envelope: Envelope): Response => {
    const text = printEnvelope(envelope);
    c.set('code', envelope.code);
    c.set('answer', text);
    const headers = readingsHeader(c.get('findings'));
    return c.body(text, 200, { 'Content-Type': 'application/json', ...headers });
  };

  return new Hono<SandboxEnv>()
    .onError((_error, c) => answer(c, failure(SERVICE_ERROR)))
    .all('*', async (c) => {
      const page = gatewayPage(faults);
      if (page) return page;
      if (c.req.method !== 'POST') return answer(c, failure(ILLEGAL_OPERATION, 'POST only'));

      const now = c.get('now');
      const { signal: disconnected } = c.req.raw;
      const keep = (request: ReceivedRequest): void => c.set('request', request);
      const { incoming } = c.env;
      const points = new OpenPoints(readings);
      const own = { ...rules, points };
      const authentication = await authenticate(mode, incoming, now, own, disconnected, keep);
      c.set('findings', authentication.findings);
      if ('refusal' in authentication) return answer(c, authentication.refusal);

      const code = faults.take('code');
      if (code !== undefined) return answer(c, failure(code));
      const path = c.req.path.slice(ADDRESS_PREFIX[mode].length);
      const operation = operations.get(path);
      if (!operation) return answer(c, failure(ILLEGAL_OPERATION));
      const misplaced = points.faultOf('modes', (modes) =>
        modes === 'documented' ? refuseMode(path, mode) : undefined,
      );
      if (misplaced) return answer(c, misplaced);
      const { origin } = new URL(c.req.url);
      const { fields, files, findings } = authentication;
      const result = await operation(fields, { files, origin, now }).catch(parameterError);
      if (result.code === SUCCESS) c.set('findings', points.addTo(findings));
      return answer(c, result);
    });
}

function refuseMode(path: string, mode: SignatureMode): Envelope | undefined {
  const only = documentedMode(path);
  if (only === undefined || only === mode) return undefined;
  const message = `${path} takes ${only} mode: send it to ${ADDRESS_PREFIX[only]}`;
  return failure(ILLEGAL_OPERATION, message);
}
