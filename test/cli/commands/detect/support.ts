import { detectionObject } from '../../../detection/support.ts';
import { type CliWorld, mop } from '../../../support/cli.ts';
import { type Handler, serve } from '../../../support/server.ts';

export const answer = (other: Record<string, unknown> = {}): Handler => {
  return (_, response) => response.end(JSON.stringify(detectionObject(other)));
};

/** A service for tests, and `mop detect` pointed at it. */
export async function service(handler: Handler = answer()) {
  const server = await serve(handler);
  const env = { MOP_DETECT_URL: server.url };
  const detect = (args: readonly string[], world: CliWorld = {}) =>
    mop(['detect', ...args], { ...world, env: { ...env, ...world.env } });
  const texts = () => server.requests.map(({ body }) => JSON.parse(body).text);
  return { ...server, env, detect, texts };
}

/** Answers with the level and score in the text, such as `high 72`. */
export const literal: Handler = ({ body }, response) => {
  const { text } = JSON.parse(body);
  const [level, score] = text.split(' ');
  const fields = { text, overall_risk: level, risk_score: Number(score ?? 0), results: [] };
  response.end(JSON.stringify(detectionObject({ ...fields, safe_rewrite: `safe ${text}` })));
};

export const jsonLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
