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
import { ILLEGAL_OPERATION, SERVICE_ERROR } from '../protocol/result-codes.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { type AuthenticationRules, authenticate } from './authentication.ts';
import { type BillService, billOperation } from './bill-operation.ts';
import { decodeOperation } from './decode-operation.ts';
import { type Envelope, failure, printEnvelope } from './envelope.ts';
import { estimateOperation } from './estimate-operation.ts';
import { gatewayPage, type SandboxEnv } from './exchange.ts';
import type { FaultPlan } from './faults.ts';
import type { OperationHandler } from './operation-handler.ts';
import { parameterError } from './parameters.ts';
import { syncOperation } from './sync-operation.ts';

/** The operations of the platform by their path (D1 section 4). */
export function platformOperations(service: BillService): ReadonlyMap<string, OperationHandler> {
  return new Map([
    [BILL_PATH, billOperation(service)],
    [DECODE_PATH, decodeOperation],
    [ESTIMATE_PATH, estimateOperation],
    [SYNC_PATH, syncOperation],
  ]);
}

/**
 * Serves the operations under the address of a mode. Each answer is an envelope (D1 4.0, 2.2). The
 * reading `modes=documented` refuses operations that D1 documents in the other mode.
 */
export function operationRoutes(
  mode: SignatureMode,
  operations: ReadonlyMap<string, OperationHandler>,
  faults: FaultPlan,
  rules: AuthenticationRules,
): Hono<SandboxEnv> {
  const answer = (c: Context<SandboxEnv>, envelope: Envelope): Response => {
    const text = printEnvelope(envelope);
    c.set('code', envelope.code);
    c.set('answer', text);
    return c.body(text, 200, { 'Content-Type': 'application/json' });
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
      const authentication = await authenticate(mode, incoming, now, rules, disconnected, keep);
      c.set('findings', authentication.findings);
      if ('refusal' in authentication) return answer(c, authentication.refusal);

      const code = faults.take('code');
      if (code !== undefined) return answer(c, failure(code));
      const path = c.req.path.slice(ADDRESS_PREFIX[mode].length);
      const operation = operations.get(path);
      if (!operation) return answer(c, failure(ILLEGAL_OPERATION));
      const only = rules.readings.modes === 'documented' ? documentedMode(path) : undefined;
      if (only !== undefined && only !== mode) {
        const message = `${path} takes ${only} mode: send it to ${ADDRESS_PREFIX[only]}`;
        return answer(c, failure(ILLEGAL_OPERATION, message));
      }
      const { origin } = new URL(c.req.url);
      const { fields, files } = authentication;
      return answer(c, await operation(fields, { files, origin, now }).catch(parameterError));
    });
}
