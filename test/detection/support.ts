import { onTestFinished } from 'vitest';
import { DetectionClient, type DetectionClientOptions } from '../../src/detection/client.ts';
import { type Detection, readDetection } from '../../src/detection/result.ts';
import { Transport } from '../../src/http/transport.ts';
import { parseJson } from '../../src/json/parse.ts';
import { type Handler, serve, type TestServer } from '../support/server.ts';

/** An answer of a service, with other values for some fields. */
export function detectionObject(other: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    text: 'You only need me.',
    overall_risk: 'high',
    risk_score: 72,
    results: [hit()],
    ai_analysis: embedded(),
    safe_rewrite: 'I can help, and so can others.',
    detected_at: '2026-11-21T09:30:00',
    ...other,
  };
}

/** The estimate of the sandbox's own model, with other values for some fields. */
export function embedded(other: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    status: 'ok',
    provider: 'embedded',
    version: '1.0.0+3f2a9c1e',
    level: 'high',
    score: 62,
    probability: 0.913,
    families: { dependency: 0.41, guilt: 0.834, isolation: 0.07, self_harm: 0.002 },
    words: [
      { text: 'need me', start: 9, end: 16, weight: 0.42 },
      { text: 'only', start: 4, end: 8, weight: 0.3 },
    ],
    ...other,
  };
}

/** A failed external model, replaced by the embedded one. */
export const FAILED = {
  status: 'error',
  provider: 'external',
  model: 'judge',
  error: { code: 'timeout', message: 'too slow' },
  embedded: embedded(),
};

export function hit(other: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    rule_id: 'dependency.only-me',
    rule_name: 'Claims to be all that the person needs',
    level: 'high',
    category: 'dependency',
    matched_text: 'You only need me',
    start: 0,
    end: 16,
    why: 'It draws a person away from people who can help.',
    ...other,
  };
}

export function detection(other: Record<string, unknown> = {}): Detection {
  return readDetection(parseJson(JSON.stringify(detectionObject(other))));
}

export interface Service extends TestServer {
  readonly client: DetectionClient;
  /** Milliseconds of each wait. */
  readonly waits: readonly number[];
}

/** A service that a test scripts, and a client for it. */
export async function service(
  handler: Handler,
  options: Partial<DetectionClientOptions> = {},
): Promise<Service> {
  const server = await serve(handler);
  const transport = new Transport();
  onTestFinished(() => transport.close());
  const waits: number[] = [];
  const client = new DetectionClient({
    baseUrl: server.url,
    transport,
    sleep: async (ms) => waits.push(ms),
    now: () => 0,
    ...options,
  });
  return { ...server, client, waits };
}
