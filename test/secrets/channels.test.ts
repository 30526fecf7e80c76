/**
 * The property of each output channel: it shows no secret that a server echoes, in any encoding
 * (contract section 1). `commands.test.ts` runs every command with one answer, and the trials run
 * every command with every answer.
 */
import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { PlatformClient, Transport } from '../../src/index.ts';
import { SECRET_MARK, secretHider } from '../../src/signing/mask-secret.ts';
import { postJson, send } from '../sandbox/support.ts';
import { EXCHANGE, servePages } from '../server/requests/support.ts';
import { type CliWorld, mop } from '../support/cli.ts';
import { envelope, type Received, serve } from '../support/server.ts';
import { BASE64, ENCODINGS } from './encodings.ts';
import { traces } from './traces.ts';
import { CANARIES, createWorkspace, HEADERS, signsIn } from './workspace.ts';

/** A channel that does not print this part of the answer would prove nothing. */
const MARK = 'the-answer-begins-here';

/** Secrets in every encoding. In base64, they begin at each offset. */
function written(secrets: readonly string[]): string {
  const texts = secrets.flatMap((secret) => [
    ...Object.values(ENCODINGS).map((encode) => encode(secret)),
    ...Object.values(BASE64).flatMap((encode) =>
      ['', 'u:', 'us:'].map((before) => encode(before + secret)),
    ),
  ]);
  return [MARK, ...texts].join(' | ');
}

/** The secrets of a request to the platform: its signature, and the api secret of the caller. */
function secretsOf(request: Received): readonly string[] {
  return [CANARIES.variable, ...signsIn([request])];
}

interface Printed {
  readonly text: string;
  /** The secrets of the request. */
  readonly secrets: readonly string[];
  /** A part of the text that comes from the answer. Default: {@link MARK}. */
  readonly shown?: string;
}

/** Runs `mop call` with a platform that echoes the secrets in an envelope of this code. */
async function call(code: number, flags: readonly string[], world: CliWorld) {
  const { url, requests } = await serve((request, response) => {
    const echo = written(secretsOf(request));
    envelope(response, code, { note: echo, nested: JSON.stringify({ echo }) }, echo);
  });
  const { env } = await createWorkspace(url);
  const argv = ['call', '/x', '--retries', '0', ...flags];
  return { ...(await mop(argv, { ...world, env })), secrets: requests.flatMap(secretsOf) };
}

const printedBy =
  (
    stream: 'stdout' | 'stderr',
    code: number,
    flags: readonly string[] = [],
    world: CliWorld = {},
  ) =>
  async () => {
    const result = await call(code, flags, world);
    return { text: result[stream], secrets: result.secrets };
  };

/** The secrets of {@link HEADERS}. */
const CREDENTIALS = [CANARIES.bearer, CANARIES.cookie, CANARIES.apiKeyHeader, CANARIES.tenant];

/** A workspace whose service echoes {@link CREDENTIALS} in an error. */
async function refusedWorkspace() {
  const { url } = await serve((_, response) => {
    const error = JSON.stringify({ error: written(CREDENTIALS) });
    response.writeHead(400, { 'Content-Type': 'application/json' }).end(error);
  });
  return createWorkspace(url);
}

/** Standard error of a command that gets this error. */
const refusing =
  (command: readonly string[], ...flags: string[]) =>
  async () => {
    const { env } = await refusedWorkspace();
    const { stderr } = await mop([...command, ...HEADERS, '--retries', '0', ...flags], { env });
    return { text: stderr, secrets: CREDENTIALS };
  };

/** The detection of a text, with a hit that has this explanation. */
const detectionWith = (why: string) => ({
  ...{ text: 'one', overall_risk: 'high', risk_score: 60, safe_rewrite: why },
  results: [{ rule_id: 'a', rule_name: why, level: 'high', category: 'a', matched_text: why, why }],
});

const CHANNELS: Readonly<Record<string, () => Promise<Printed>>> = {
  'standard output': printedBy('stdout', 0),
  'the whole answer on standard output': printedBy('stdout', 1234, ['--envelope']),
  'a successful answer with --envelope': printedBy('stdout', 0, ['--envelope']),
  'standard error': printedBy('stderr', 1234),
  'standard error of a terminal': printedBy('stderr', 1234, ['--no-color'], {
    stderrIsTerminal: true,
  }),
  'the error as JSON': printedBy('stderr', 1234, ['--json']),
  'the trace': printedBy('stderr', 0, ['--verbose']),

  'standard error of mop detect': refusing(['detect', 'x']),
  'standard error of mop health': refusing(['health']),
  'standard error of mop gql schema': refusing(['gql', 'schema']),
  'the error of mop detect as JSON': refusing(['detect', 'x'], '--json'),
  'the trace of mop health': refusing(['health'], '--verbose'),

  'the reports of mop detect': async () => {
    const { at, env } = await refusedWorkspace();
    const reports = ['--junit', at('a.xml'), '--sarif', at('a.sarif')];
    await mop(['detect', 'You only need me.', ...HEADERS, ...reports], { env });
    const texts = await Promise.all([at('a.xml'), at('a.sarif')].map((path) => readFile(path)));
    const shown = 'the service answered HTTP 400';
    return { text: texts.join('\n'), secrets: CREDENTIALS, shown };
  },

  'the results and reports of mop detect': async () => {
    const why = written(CREDENTIALS);
    const { url } = await serve((_, response) => response.end(JSON.stringify(detectionWith(why))));
    const { at, env } = await createWorkspace(url);
    const reports = ['--junit', at('a.xml'), '--sarif', at('a.sarif')];
    const texts = ['--batch', at('texts.jsonl'), '--field', 'text', ...HEADERS];
    const { stdout } = await mop(['detect', ...texts, ...reports, '--fail-on', 'high'], { env });
    const files = await Promise.all([at('a.xml'), at('a.sarif')].map((path) => readFile(path)));
    expect(files.map(String)).toEqual([
      expect.stringContaining(MARK),
      expect.stringContaining(MARK),
    ]);
    return { text: [stdout, ...files].join('\n'), secrets: CREDENTIALS };
  },

  'a record of mop proxy': async () => {
    const { url, requests } = await serve((request, response) =>
      envelope(response, 0, { note: written([CANARIES.variable]), sign: signsIn([request])[0] }),
    );
    const { at, env } = await createWorkspace(url);
    const stop = new AbortController();
    let serving: (url: string) => void;
    const address = new Promise<string>((resolve) => {
      serving = resolve;
    });
    const ended = mop(['proxy', '--port', '0', '--record', at('calls.har')], {
      env,
      signal: stop.signal,
      onStdout: (line) => serving(/http:\/\/[\w.:]+/.exec(line)?.[0] ?? line),
    });
    await postJson(`${await address}/open/v1/x`, '{"a":1}');
    stop.abort(new MopError('interrupted', 'the test ends it'));
    await ended;
    expect(requests).toHaveLength(1);
    // `sign verify @calls.har` needs the signature.
    return { text: await readFile(at('calls.har'), 'utf8'), secrets: [CANARIES.variable] };
  },

  'the page of requests': async () => {
    const secrets = [CANARIES.variable];
    const note = written(secrets);
    const { url, history } = await servePages({ hide: secretHider(secrets, SECRET_MARK) });
    history.add({
      ...EXCHANGE,
      path: `/open/v1/${encodeURIComponent(CANARIES.variable)}`,
      request: {
        url: `https://platform.example/open/v1/${encodeURIComponent(CANARIES.variable)}`,
        headers: [['X-Note', note]],
        body: JSON.stringify({ a: note, api_secret: CANARIES.variable, sign: 'A'.repeat(32) }),
      },
      answer: {
        headers: [['X-Note', note]],
        body: JSON.stringify({ a: note }),
        isTruncated: false,
      },
      warnings: [note],
      error: new Error(note),
    });
    return { text: `${(await send(`${url}/requests/1`)).body}`, secrets };
  },

  'an error of the library': async () => {
    const { url, requests } = await serve((request, response) =>
      envelope(response, 1234, { note: MARK }, written(signsIn([request]))),
    );
    const transport = new Transport();
    onTestFinished(() => transport.close());
    const credentials = { apiKey: 'key-1', secret: CANARIES.variable };
    const client = new PlatformClient({ credentials, transport, baseUrl: url, retries: 0 });
    const error = await client.call({ path: 'x', body: '{}' }).catch((error: unknown) => error);
    const text = inspect(error, { depth: Infinity, showHidden: true });
    return { text, secrets: [CANARIES.variable, ...signsIn(requests)] };
  },
};

it.each(Object.entries(CHANNELS))('%s shows no secret in any encoding', async (_, print) => {
  const { text, secrets, shown = MARK } = await print();
  expect(text).toContain(shown);
  for (const secret of secrets) expect([secret, traces(text, secret)]).toEqual([secret, []]);
});

it.each(Object.entries({ ...ENCODINGS, ...BASE64 }))('finds a secret in %s', (_, encode) => {
  for (const secret of [CANARIES.variable, CANARIES.bearer]) {
    expect(traces(encode(secret), secret)).not.toEqual([]);
  }
});
