import { type Context, Hono } from 'hono';
import { GRAPHQL_PATH } from '../../protocol/graphql.ts';
import { chooseLanguage } from '../../server/choose-language.ts';
import type { AllowedOrigins } from '../../server/cors.ts';
import { isCrossSite } from '../../server/cross-site.ts';
import { gatewayPage, type SandboxEnv } from '../exchange.ts';
import type { FaultPlan } from '../faults.ts';

type Endpoint = (c: Context<SandboxEnv>) => Promise<Response>;

/**
 * Serves GraphQL over HTTP. A refusal is `{"errors":[{"message"}]}`.
 *
 * @param endpoint Loads the endpoint on the first request.
 */
export function graphqlRoutes(
  endpoint: () => Promise<Endpoint>,
  faults: FaultPlan,
  allowedOrigins: AllowedOrigins,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().all(GRAPHQL_PATH, chooseLanguage, async (c) => {
    const page = gatewayPage(faults);
    if (page) return page;
    if (isCrossSite(c.env.incoming, allowedOrigins)) {
      return c.json({ errors: [{ message: 'requests from other web sites are refused' }] }, 403);
    }
    return (await endpoint())(c);
  });
}
