import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { ADDRESS_PREFIX, type SignatureMode } from '../protocol/operations.ts';
import { ILLEGAL_OPERATION, SERVICE_ERROR } from '../protocol/result-codes.ts';
import { AUTHENTICATE } from './authentication.ts';
import { sendBill } from './download.ts';
import type { DownloadLinks } from './download-links.ts';
import { type Envelope, failure, printEnvelope } from './envelope.ts';
import type { SandboxEnv } from './exchange.ts';
import type { FaultPlan } from './faults.ts';
import { gatewayPage } from './gateway-page.ts';
import type { OperationHandler } from './operation.ts';
import { parameterError } from './request-fields.ts';

/** Serves the operations under the address of a mode, each answer an envelope (D1 4.0, 2.2). */
export function operationRoutes(
  mode: SignatureMode,
  operations: ReadonlyMap<string, OperationHandler>,
  faults: FaultPlan,
): Hono<SandboxEnv> {
  const answer = (c: Context<SandboxEnv>, envelope: Envelope): Response => {
    c.set('code', envelope.code);
    return c.body(printEnvelope(envelope), 200, { 'Content-Type': 'application/json' });
  };

  return new Hono<SandboxEnv>()
    .onError((_error, c) => answer(c, failure(SERVICE_ERROR)))
    .all('*', async (c) => {
      const status = faults.take('http');
      if (status !== undefined) return gatewayPage(status);
      if (c.req.method !== 'POST') return answer(c, failure(ILLEGAL_OPERATION, 'POST only'));

      const now = c.get('now');
      const authentication = await AUTHENTICATE[mode](c.env.incoming, now);
      if ('refusal' in authentication) {
        c.set('diagnosis', authentication.diagnosis);
        return answer(c, authentication.refusal);
      }

      const code = faults.take('code');
      if (code !== undefined) return answer(c, failure(code));
      const operation = operations.get(c.req.path.slice(ADDRESS_PREFIX[mode].length));
      if (!operation) return answer(c, failure(ILLEGAL_OPERATION));
      const { origin } = new URL(c.req.url);
      const { fields, files } = authentication;
      return answer(c, await operation(fields, { files, origin, now }).catch(parameterError));
    });
}

/** Serves the downloads that links lead to (D1 4.1 rule 6); a refusal is HTTP 403. */
export function downloadRoutes(
  rows: number,
  links: DownloadLinks,
  faults: FaultPlan,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().all('/', async (c) => {
    if (c.req.method !== 'GET') return c.text('not authorized: a download is a GET', 403);
    const file = links.redeem(c.req.query(), c.req.header('authorization'), c.get('now')());
    if (typeof file === 'string') return c.text(file, 403);
    await sendBill(c.env.outgoing, file, rows, faults, c.req.raw.signal);
    return RESPONSE_ALREADY_SENT;
  });
}
