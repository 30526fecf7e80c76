import { MopError } from '../../src/errors.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { FIXED } from '../cli/support.ts';
import type { CliWorld } from '../support/cli.ts';
import {
  CANARIES,
  type Canary,
  HEADERS,
  type LeakSearch,
  leaksOf,
  OUTPUT_MODES,
  type Workspace,
} from './workspace.ts';

export interface CommandCase {
  readonly argv: readonly string[];
  /** Whether the command sends a request. */
  readonly sendsRequest?: boolean;
  /** Whether it prints the answer unchanged, including echoed request headers. */
  readonly printsAnswer?: boolean;
  /** The secrets that it prints on standard output on purpose. */
  readonly prints?: readonly Canary[];
  readonly world?: CliWorld;
}

const DATE = '2026-11-19';
const BODY = '{"a":1}';

const FIELDS = { timestamp: '1795132800', nonce: 'abcdefghij', seqId: 'seq-1' };

/** The output of `sign` for {@link BODY} with {@link FIXED} and the secret of the variable. */
export const SIGNED = signBody(BODY, { apiKey: 'key-1', secret: CANARIES.variable }, FIELDS);

/** A request with a mistake that the search finds at once. */
const JOINED = signBody(
  BODY,
  { apiKey: 'key-1', secret: `&key=${CANARIES.variable}` },
  FIELDS,
).body;

const online = (...argv: string[]): CommandCase => ({ argv, sendsRequest: true });
/** Prints the response of an endpoint to standard output (contract section 6). */
const printingAnswer = (...argv: string[]): CommandCase => ({
  argv,
  sendsRequest: true,
  printsAnswer: true,
});
const offline = (...argv: string[]): CommandCase => ({ argv });
const printingSecrets = (prints: readonly Canary[], ...argv: string[]): CommandCase => ({
  argv,
  prints,
});

/** Command lines for every command of the tree, by its path. */
export const COMMANDS: Readonly<Record<string, (workspace: Workspace) => readonly CommandCase[]>> =
  {
    mop: () => [offline('--help'), offline()],
    'mop sign': () => [
      printingSecrets(['sign'], 'sign', BODY, ...FIXED),
      printingSecrets(['sign'], 'sign', BODY, ...FIXED, '--as', 'curl'),
      printingSecrets(['sign'], 'sign', BODY, ...FIXED, '--as', 'sign'),
      offline('sign', '[]'),
    ],
    'mop sign explain': () => [printingSecrets(['sign'], 'sign', 'explain', BODY, ...FIXED)],
    'mop sign verify': () => [
      printingSecrets(['sign'], 'sign', 'verify', SIGNED.body),
      printingSecrets(['sign'], 'sign', 'verify', JOINED),
      printingSecrets(
        ['sign'],
        ...['sign', 'verify', SIGNED.body],
        ...['--theirs', `${SIGNED.canonical}&key=${CANARIES.variable}`],
      ),
      offline('sign', 'verify', '--last'),
    ],
    'mop bill': () => [offline('bill')],
    'mop bill fetch': ({ at }) => [
      online('bill', 'fetch', DATE, '-o', `${at('bills')}/`),
      online('bill', 'fetch', '--last', '2', '--type', 'paid', '-o', `${at('bills')}/`),
      online('bill', 'fetch', DATE, '--all-profiles', '-o', `${at('bills')}/`),
      online('bill', 'fetch', DATE, '-o', '-'),
    ],
    'mop bill info': () => [online('bill', 'info', DATE)],
    'mop bill verify': ({ at }) => [
      offline('bill', 'verify', at('bill.csv'), '--hash-type', 'MD5', '--hash-value', 'aa'),
    ],
    'mop bill summary': ({ at }) => [offline('bill', 'summary', at('bill.csv'))],
    'mop bill compare': ({ at }) => [
      offline('bill', 'compare', at('bill.csv'), '--with', at('bill.csv'), '--key', 'order_id'),
    ],
    'mop bill compact': ({ directory }) => [offline('bill', 'compact', directory)],
    'mop bill status': ({ directory }) => [offline('bill', 'status', directory)],
    'mop account': () => [offline('account')],
    'mop account link': () => [
      offline('account', 'link', '--user', '17', '--openid', 'o-1'),
      online('account', 'link', '--user', '17', '--encrypt-data', 'x', '--encrypt-id', '1'),
    ],
    'mop account find': () => [offline('account', 'find', '--user', '17')],
    'mop account list': () => [offline('account', 'list')],
    'mop account unlink': () => [offline('account', 'unlink', '--user', '18')],
    'mop decode': ({ at }) => [
      online('decode', 'x', '1'),
      online('decode', '--batch', at('pairs.jsonl')),
    ],
    'mop estimate': () => [online('estimate', '--city', '330100', '--lat', '30.27')],
    'mop call': ({ at }) => [
      online('call', '/x', BODY),
      online('call', '/x', BODY, '-p', 'other'),
      online('call', '/x', BODY, '--mode', 'header'),
      online('call', '/x', '--batch', at('pairs.jsonl')),
      offline('call', '/x', BODY, '--dry-run', '--reveal'),
    ],
    'mop errors': () => [offline('errors'), offline('errors', '1')],
    'mop detect': ({ at }) => [
      online('detect', 'text', ...HEADERS),
      online(
        ...['detect', '--batch', at('texts.jsonl'), ...HEADERS, '--fail-on', 'low'],
        ...['--junit', at('report.xml'), '--sarif', at('report.sarif')],
      ),
    ],
    'mop health': () => [online('health', ...HEADERS), online('health', '--wait', '1', ...HEADERS)],
    'mop gql': () => [
      printingAnswer('gql', '{ a }', ...HEADERS),
      printingAnswer('gql', '{ a }', '--get', ...HEADERS),
      printingAnswer('gql', 'subscription { a }', ...HEADERS),
      online(
        ...['gql', 'subscription { a }', '--transport', 'ws', ...HEADERS],
        ...['--connection-params', JSON.stringify({ headers: { token: CANARIES.connection } })],
      ),
    ],
    'mop gql validate': ({ at }) => [
      offline('gql', 'validate', at('query.graphql'), '--schema', at('schema.graphql')),
      online('gql', 'validate', at('query.graphql'), ...HEADERS),
    ],
    'mop gql schema': () => [online('gql', 'schema', ...HEADERS)],
    'mop gql diff': ({ at, url }) => [
      online('gql', 'diff', at('schema.graphql'), `${url}/graphql`, ...HEADERS),
    ],
    'mop gql run': ({ at }) => [
      offline('gql', 'run', '{ a }', '--schema', at('schema.graphql'), '--data', at('data.json')),
    ],
    'mop gql help': () => [offline('gql', 'help')],
    'mop config': () => [offline('config')],
    'mop config init': () => [offline('config', 'init')],
    'mop config set': () => [
      offline('config', 'set', 'timezone', 'UTC', '-p', 'new'),
      offline('config', 'set', 'api_secret', CANARIES.typed),
    ],
    'mop config get': () => [
      offline('config', 'get', 'api_secret'),
      offline('config', 'get', 'api_secret', '-p', 'other'),
      offline('config', 'get', 'api_secret_command', '-p', 'commanded'),
    ],
    'mop config unset': () => [offline('config', 'unset', 'timezone')],
    'mop config list': () => [offline('config', 'list'), offline('config', 'list', '-p', 'filed')],
    'mop config path': () => [offline('config', 'path')],
    'mop config profiles': () => [offline('config', 'profiles')],
    'mop config use': () => [
      offline('config', 'use', 'other'),
      offline('config', 'use', 'default'),
    ],
    'mop config copy-profile': () => [offline('config', 'copy-profile', 'other', 'copied')],
    'mop config rename-profile': () => [offline('config', 'rename-profile', 'other', 'renamed')],
    'mop config delete-profile': () => [offline('config', 'delete-profile', 'none')],
    'mop doctor': () => [online('doctor'), online('doctor', '-p', 'commanded')],
    'mop proxy': ({ at }) => [
      {
        ...offline('proxy', '--port', '0', '--log', '--record', at('calls.har')),
        // Ends the server immediately.
        world: { signal: AbortSignal.abort(new MopError('terminated', 'the test ends it')) },
      },
    ],
    'mop sandbox': () => [
      {
        ...printingSecrets(['published'], 'sandbox', '--port', '0', '--log'),
        // Ends the server immediately.
        world: { signal: AbortSignal.abort(new MopError('terminated', 'the test ends it')) },
      },
    ],
    'mop sandbox debugger': () => [printingSecrets(['published'], 'sandbox', 'debugger')],
    'mop sandbox records': () => [offline('sandbox', 'records', '2026-11-19')],
    'mop sandbox encrypt': () => [offline('sandbox', 'encrypt', BODY)],
    'mop version': () => [offline('version')],
    'mop completion': () => [offline('completion', 'bash')],
    'mop help': () => [offline('help', 'environment'), offline('help', 'sign')],
  };

export function allCases(workspace: Workspace): CommandCase[] {
  return Object.values(COMMANDS).flatMap((cases) => cases(workspace));
}

/** The command line without `-H` and its values. */
export function nameOf({ argv }: CommandCase): string {
  return `mop ${argv.join(' ').replace(/ -H .*/, '')}`;
}

/**
 * The leaks of all commands with requests, or of the chosen ones. Each command runs in one output
 * mode, in turn: `channels.test.ts` tests every mode.
 */
export async function leaksOfRequests(
  workspace: Workspace,
  search: LeakSearch = {},
  flags = ['--retries', '0'],
  isChosen: (commandCase: CommandCase, index: number) => boolean = () => true,
) {
  const outputModes = Object.keys(OUTPUT_MODES);
  const found: string[] = [];
  for (const [index, commandCase] of allCases(workspace).entries()) {
    if (!commandCase.sendsRequest || !isChosen(commandCase, index)) continue;
    const outputMode = outputModes[index % outputModes.length] ?? '';
    const leaks = await leaksOf([...commandCase.argv, ...flags], workspace, {
      outputModes: [outputMode],
      world: commandCase.world,
      ...search,
    });
    const allowed = commandCase.printsAnswer ? / stdout: / : /^$/;
    found.push(
      ...leaks
        .filter((leak) => !allowed.test(leak))
        .map((leak) => `${nameOf(commandCase)}: ${leak}`),
    );
  }
  return found;
}
