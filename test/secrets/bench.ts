import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { type CliResult, type CliWorld, mop, temporaryDirectory } from '../support/cli.ts';
import { AUTHORIZATION, QUERY } from '../support/platform.ts';
import type { Received } from '../support/server.ts';
import { tracesIn, viewsOf } from './traces.ts';

/**
 * A secret for each source; none is a part of another. Where any character is allowed, a secret has
 * awkward ones: characters to escape in JSON, in an address or in a form, non-ASCII, and white space
 * at an end.
 */
export const CANARIES = {
  variable: ' env "canary" 1%2B+/\\é☂ ',
  config: '{"canary": "of the config" & <b>}',
  file: 'file+canary/of==é ',
  command: "command's 100% canary?&a=b",
  otherProfile: 'other-profile canary ☂\\n',
  typed: 'typed canary with "quotes"',
  bearer: 'bearer+canary"%41==',
  cookie: 'cookie-canary-one',
  secondCookie: 'canary.of.cookie.two',
  apiKeyHeader: 'x"api%key+canary=',
  connection: 'canary of "connection_init"',
  setCookie: 'canary.of.set-cookie',
  proxy: 'proxy-canary-of-the-password',
  model: 'model+canary"key%',
  authorization: AUTHORIZATION,
  query: QUERY,
} as const;

export type Canary = keyof typeof CANARIES | 'sign' | 'published';

/** The headers of `-H`, for commands with that option. */
export const HEADERS = [
  ['-H', `Authorization: Bearer ${CANARIES.bearer}`],
  ['-H', `Cookie: one=${CANARIES.cookie}; two="${CANARIES.secondCookie}"`],
  ['-H', `X-Api-Key: ${CANARIES.apiKeyHeader}`],
].flat();

/** The ways in which a command speaks; each has renderers of its own. */
export const VOICES: Readonly<Record<string, { flags: readonly string[]; world: CliWorld }>> = {
  json: { flags: ['--verbose', '--debug', '--json'], world: { stdin: '' } },
  text: { flags: ['--verbose', '--debug'], world: { stdin: '' } },
  terminal: {
    flags: ['--verbose', '--debug'],
    world: { stdin: '', stdoutIsTerminal: true, stderrIsTerminal: true, columns: 80 },
  },
};

/** The searched output of a command. */
type Printed = Partial<Pick<CliResult, 'stdout' | 'stderr'>>;

/** Where commands find their files, and a configuration with all ways to keep a secret. */
export interface Bench {
  readonly directory: string;
  /** Of the server that plays all services. */
  readonly url: string;
  /** A path in the directory. */
  readonly at: (name: string) => string;
  /** Points at the configuration, and gives every secret that a variable can hold. */
  readonly env: Readonly<Record<string, string>>;
  /** Each secret that can be seen where it must not, such as `stderr: sign (verbatim)`. */
  readonly leaks: (reported: Printed, signs?: readonly string[]) => string[];
}

/** The files that keep a secret on purpose, and whose secret it is. */
const KEPT: Readonly<Record<string, readonly Canary[]>> = {
  // For `sign verify --last`, which needs the signature.
  'config/cache/refused-request.har': ['sign'],
  'config/config.json': ['config', 'otherProfile'],
  'secret.txt': ['file'],
  'command.txt': ['command'],
};

/** @param url Of the server that plays all services. */
export async function bench(url: string): Promise<Bench> {
  const directory = await temporaryDirectory();
  const at = (name: string): string => join(directory, name);
  await mkdir(at('config'), { mode: 0o700 });
  const put = async (name: string, content: string): Promise<void> => {
    await writeFile(at(name), content);
    await chmod(at(name), 0o600);
  };
  const addresses = {
    base_url: url,
    open_base_url: url,
    detect_url: url,
    gql_url: `${url}/graphql`,
  };
  const profiles = {
    default: { api_key: 'key-1', api_secret: CANARIES.config, ...addresses },
    other: { api_key: 'key-2', api_secret: CANARIES.otherProfile, ...addresses },
    filed: { api_key: 'key-3', api_secret_file: at('secret.txt'), ...addresses },
    commanded: { api_key: 'key-4', api_secret_command: `cat '${at('command.txt')}'`, ...addresses },
  };
  await put('config/config.json', JSON.stringify({ profiles }));
  await put('secret.txt', CANARIES.file);
  await put('command.txt', CANARIES.command);
  await put('schema.graphql', 'type Query { a: Int }');
  await put('query.graphql', '{ a }');
  await put('data.json', '{"a":1}');
  await put('texts.jsonl', '{"text":"one"}\n{"text":"two"}\n');
  await put('pairs.jsonl', '{"encrypt_data":"x","encrypt_id":"1"}\n');
  await put('bill.csv', 'a');
  const env = {
    MOP_CONFIG_DIR: at('config'),
    MOP_API_SECRET: CANARIES.variable,
    MOP_AI_BASE_URL: `${url}/v1`,
    MOP_AI_MODEL: 'judge',
    MOP_AI_KEY: CANARIES.model,
    // For requests over https.
    HTTPS_PROXY: `http://user:${CANARIES.proxy}@127.0.0.1:9`,
  };
  return {
    directory,
    url,
    at,
    env,
    leaks: (reported, signs = []) => leaksIn(directory, reported, signs),
  };
}

function leaksIn(directory: string, reported: Printed, signs: readonly string[]): string[] {
  const secrets: readonly (readonly [Canary, string])[] = [
    ...(Object.entries(CANARIES) as [keyof typeof CANARIES, string][]),
    ...signs.map((sign) => ['sign', sign] as const),
    ['published', SANDBOX_CREDENTIALS.secret],
  ];
  const places = [
    ['stdout', reported.stdout ?? ''] as const,
    ['stderr', reported.stderr ?? ''] as const,
    ...filesIn(directory),
  ];
  return places.flatMap(([place, text]) => {
    const views = viewsOf(text);
    return secrets
      .filter(([name]) => !KEPT[place]?.includes(name))
      .map(([name, secret]) => [name, tracesIn(views, secret)] as const)
      .filter(([, forms]) => forms.length > 0)
      .map(([name, forms]) => `${place}: ${name} (${forms.join('; ')})`);
  });
}

/** Each file below a directory, with its name there. */
export function filesIn(directory: string): [name: string, content: string][] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(directory, path), readFileSync(path, 'utf8')]);
}

/** The signatures that a server received. */
export function signsIn(requests: readonly Received[]): string[] {
  return requests.flatMap(({ headers, body }) => {
    const inBody = /"sign":"(\w+)"/.exec(body)?.[1];
    return [headers['x-tms-sign'], inBody].filter((sign) => typeof sign === 'string');
  });
}

export interface Trial {
  readonly world?: CliWorld | undefined;
  /** The requests that a server received; their signatures are secrets too. */
  readonly requests?: readonly Received[];
  /** More signatures to look for. */
  readonly signs?: readonly string[];
  /** All of them when left out. */
  readonly voices?: readonly string[];
}

/** Runs a command in several forms, and returns its leaks in each. */
export async function leaksOf(
  argv: readonly string[],
  { leaks, env }: Bench,
  { world, requests = [], signs = [], voices = Object.keys(VOICES) }: Trial = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const voice of voices) {
    const { flags = [], world: own } = VOICES[voice] ?? {};
    const before = requests.length;
    const reported = await mop([...argv, ...flags], {
      ...own,
      ...world,
      env: { ...env, ...world?.env },
    });
    const all = [...signs, ...signsIn(requests.slice(before))];
    found.push(...leaks(reported, all).map((leak) => `${voice} ${leak}`));
  }
  return found;
}
