import { type Context, Hono } from 'hono';
import { DETECT_PATH, HEALTH_PATH } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import { chooseLanguage } from '../../server/choose-language.ts';
import type { AllowedOrigins } from '../../server/cors.ts';
import { isCrossSite } from '../../server/cross-site.ts';
import { gatewayPage, type SandboxEnv } from '../exchange.ts';
import type { FaultPlan } from '../faults.ts';
import { type ApiError, readRequest } from './detection-request.ts';
import type { DetectionService } from './service.ts';

/**
 * Serves the endpoints of the detection service (D2 section 4). A refusal is
 * `{"error":{"code","message"}}`.
 *
 * @param service Loads the rules at its first call.
 */
export function detectionRoutes(
  service: () => Promise<DetectionService>,
  faults: FaultPlan,
  allowedOrigins: AllowedOrigins,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .use('/api/*', async (_, next) => gatewayPage(faults) ?? next())
    .post(DETECT_PATH, chooseLanguage, async (c) => {
      if (isCrossSite(c.env.incoming, allowedOrigins)) {
        return refused(c, 403, {
          code: 'cross_site',
          message: 'requests from other web sites are refused',
        });
      }
      const request = await readRequest(c.env.incoming);
      if ('error' in request) return refused(c, 400, request.error);
      const detection = await service();
      const result = await detection.detect(request.text, {
        now: c.get('now')(),
        language: c.get('language') as Language,
        disconnected: c.req.raw.signal,
      });
      return c.json(result);
    })
    .get(HEALTH_PATH, async (c) => c.json((await service()).health()))
    .all(DETECT_PATH, (c) => methodNotAllowed(c, 'POST'))
    .all(HEALTH_PATH, (c) => methodNotAllowed(c, 'GET, HEAD'));
}

type Refused = Context<SandboxEnv>;

function refused(c: Refused, status: 400 | 403 | 405, error: ApiError): Response {
  return c.json({ error }, status);
}

function methodNotAllowed(c: Refused, allowed: string): Response {
  c.header('Allow', allowed);
  const message = `${c.req.method} is not allowed here; allowed: ${allowed}`;
  return refused(c, 405, { code: 'method_not_allowed', message });
}
