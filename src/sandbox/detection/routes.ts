import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { MopError } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import { JsonSyntaxError } from '../../json/reader.ts';
import { describe, type JsonValue } from '../../json/value.ts';
import { DETECT_PATH, HEALTH_PATH, MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import { type AllowedOrigins, isCrossSite } from '../../server/cors.ts';
import { chooseLanguage } from '../../server/pages/view.ts';
import { readBodyText } from '../../server/request-body.ts';
import { gatewayPage, type SandboxEnv } from '../exchange.ts';
import type { FaultPlan } from '../faults.ts';
import type { DetectionService } from './service.ts';

/**
 * The endpoints of the detection service (D2 section 4). A refusal is
 * `{"error":{"code","message"}}`.
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

/** The reasons for refusals. D2 does not define errors. */
export const API_ERROR_CODES = [
  'bad_json',
  'bad_body',
  'missing_text',
  'bad_text',
  'empty_text',
  'text_too_long',
  'cross_site',
  'method_not_allowed',
] as const;

/** The error of a refusal: `{"error":{"code","message"}}`. */
interface ApiError {
  readonly code: (typeof API_ERROR_CODES)[number];
  readonly message: string;
}

/** JSON may escape each code unit of the text with six characters. */
const MAX_BODY_MIB = 2;

/** The text to check (D2 2.1), or the refusal of an invalid request. */
async function readRequest(
  incoming: IncomingMessage,
): Promise<{ readonly text: string } | { readonly error: ApiError }> {
  let json: JsonValue;
  try {
    json = parseJson(await readBodyText(incoming, MAX_BODY_MIB));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refusal('bad_json', `not JSON: ${error.message}`);
    if (!(error instanceof MopError)) throw error;
    const isTooLong = error.details.httpStatus === 413;
    return refusal(isTooLong ? 'text_too_long' : 'bad_json', error.message);
  }
  if (json.kind !== 'object') {
    return refusal('bad_body', `the body is not a JSON object but ${describe(json)}`);
  }
  const [text, second] = json.members.filter(({ name }) => name === 'text');
  if (!text) return refusal('missing_text', 'text is missing: send {"text": "…"}');
  // JSON parsers disagree whether the first or the last one counts.
  if (second) return refusal('bad_body', 'text occurs several times');
  if (text.value.kind !== 'string') {
    return refusal('bad_text', `text is not a string but ${describe(text.value)}`);
  }
  const { value } = text.value;
  if (value.trim() === '') return refusal('empty_text', 'text is empty');
  // Compare code units first: counting code points is slower.
  if (value.length > MAX_TEXT_LENGTH && [...value].length > MAX_TEXT_LENGTH) {
    return refusal('text_too_long', `text has more than ${MAX_TEXT_LENGTH} characters`);
  }
  return { text: value };
}

function refusal(code: ApiError['code'], message: string): { readonly error: ApiError } {
  return { error: { code, message } };
}
