import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { type CliResult, type CliWorld, mop, temporaryDirectory } from '../support/cli.ts';
import { AUTHORIZATION, QUERY } from '../support/platform.ts';
import type { Received } from '../support/server.ts';
import { tracesIn, viewsOf } from './traces.ts';

/** A text of base64 digits without repetition. */
function longToken(length: number): string {
  return Array.from(
    { length },
    (_, at) => createHash('md5').update(`${at}`).digest('base64')[0],
  ).join('');
}

/**
 * A secret for each source. No secret is part of another one. If a source allows any character, its
 * secret has characters that JSON, addresses and forms escape, non-ASCII characters, and white space
 * at an end.
 */
export const CANARIES = {
  variable: ' env "canary" 1%2B+/\\é☂ ',
  config: '{"canary": "of the config" & <b>}',
  file: 'file+canary/of==é ',
  command: "command's 100% canary?&a=b",
  otherProfile: 'other-profile canary ☂\\n',
  typed: 'typed canary with "quotes"',
  // A token of 777 characters, as of a session of a cloud service.
  bearer: `bearer+canary"%41==${longToken(758)}`,
  cookie: 'cookie-canary-one',
  secondCookie: 'canary.of.cookie.two',
  apiKeyHeader: 'x"api%key+canary=',
  /** In a header whose name is not that of a credential. */
  tenant: 'canary/of-the tenant',
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
  ['-H', `X-Tenant: ${CANARIES.tenant}`],
].flat();

/** The formats of output, each with its own renderers. */
export const OUTPUT_MODES: Readonly<Record<string, { flags: readonly string[]; world: CliWorld }>> =
  {
    json: { flags: ['--verbose', '--debug', '--json'], world: { stdin: '' } },
    text: { flags: ['--verbose', '--debug'], world: { stdin: '' } },
    terminal: {
      flags: ['--verbose', '--debug'],
      world: { stdin: '', stdoutIsTerminal: true, stderrIsTerminal: true, columns: 80 },
    },
  };

type Printed = Partial<Pick<CliResult, 'stdout' | 'stderr'>>;

/** A directory with the files of all commands, and a configuration with each source of a secret. */
export interface Workspace {
  readonly directory: string;
  /** The address of the server for all services. */
  readonly url: string;
  /** Returns a path in the directory. */
  readonly at: (name: string) => string;
  /** The directory of the configuration, and every secret that a variable can hold. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns each secret in a forbidden place, such as `stderr: sign (verbatim)`. */
  readonly leaks: (reported: Printed, signs?: readonly string[]) => string[];
}

/** The files that store secrets on purpose, with the names of these secrets. */
const STORED_SECRETS: Readonly<Record<string, readonly Canary[]>> = {
  // For `sign verify --last`, which needs the signature.
  'config/cache/refused-request.har': ['sign'],
  'config/config.json': ['config', 'otherProfile'],
  'secret.txt': ['file'],
  'command.txt': ['command'],
};

/** @param url The address of the server for all services. */
export async function createWorkspace(url: string): Promise<Workspace> {
  const directory = await temporaryDirectory();
  const at = (name: string): string => join(directory, name);
  await mkdir(at('config'), { mode: 0o700 });
  const write = async (name: string, content: string): Promise<void> => {
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
  await write('config/config.json', JSON.stringify({ profiles }));
  await write('secret.txt', CANARIES.file);
  await write('command.txt', CANARIES.command);
  await write('schema.graphql', 'type Query { a: Int }');
  await write('query.graphql', '{ a }');
  await write('data.json', '{"a":1}');
  await write('texts.jsonl', '{"text":"one"}\n{"text":"two"}\n');
  await write('pairs.jsonl', '{"encrypt_data":"x","encrypt_id":"1"}\n');
  await write('bill.csv', 'a');
  const env = {
    MOP_CONFIG_DIR: at('config'),
    MOP_API_SECRET: CANARIES.variable,
    MOP_AI_BASE_URL: `${url}/v1`,
    MOP_AI_MODEL: 'judge',
    MOP_AI_KEY: CANARIES.model,
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
  const places = [
    ['stdout', reported.stdout ?? ''] as const,
    ['stderr', reported.stderr ?? ''] as const,
    ...filesIn(directory),
  ];
  return places.flatMap(([place, text]) =>
    secretsIn(text, signs)
      .filter(({ name }) => !STORED_SECRETS[place]?.includes(name))
      .map(({ name, forms }) => `${place}: ${name} (${forms.join('; ')})`),
  );
}

interface Leak {
  readonly name: Canary;
  /** The forms of the secret in the text. */
  readonly forms: readonly string[];
}

/** The secrets in a text. Remembers the last results: files stay, and formats print the same text. */
function secretsIn(text: string, signs: readonly string[]): readonly Leak[] {
  const key = JSON.stringify([text, signs]);
  const known = searched.get(key);
  if (known) return known;
  const views = viewsOf(text);
  const secrets: readonly (readonly [Canary, string])[] = [
    ...(Object.entries(CANARIES) as [keyof typeof CANARIES, string][]),
    ...signs.map((sign) => ['sign', sign] as const),
    ['published', SANDBOX_CREDENTIALS.secret],
  ];
  const found = secrets
    .map(([name, secret]) => ({
      name,
      forms: partsOf(secret).flatMap((part) => tracesIn(views, part)),
    }))
    .filter(({ forms }) => forms.length > 0);
  if (searched.size === 50) searched.clear();
  searched.set(key, found);
  return found;
}

const searched = new Map<string, readonly Leak[]>();

/** Parts of a long secret, each of which must be hidden: a message may show a part of an answer. */
function partsOf(secret: string): readonly string[] {
  const { length } = secret;
  if (length <= 60) return [secret];
  return [0, length >> 1, length - 24].map((start) => secret.slice(start, start + 24));
}

/** The files below a directory, with relative names. */
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

export interface LeakSearch {
  readonly world?: CliWorld | undefined;
  /** The requests that a server received; their signatures are secrets too. */
  readonly requests?: readonly Received[];
  /** More signatures to look for. */
  readonly signs?: readonly string[];
  /** Default: all. */
  readonly outputModes?: readonly string[];
}

/** Runs a command in several output modes, and returns its leaks in each mode. */
export async function leaksOf(
  argv: readonly string[],
  { leaks, env }: Workspace,
  { world, requests = [], signs = [], outputModes = Object.keys(OUTPUT_MODES) }: LeakSearch = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const outputMode of outputModes) {
    const { flags = [], world: own } = OUTPUT_MODES[outputMode] ?? {};
    const before = requests.length;
    const reported = await mop([...argv, ...flags], {
      ...own,
      ...world,
      env: { ...env, ...world?.env },
    });
    const all = [...signs, ...signsIn(requests.slice(before))];
    found.push(...leaks(reported, all).map((leak) => `${outputMode} ${leak}`));
  }
  return found;
}
