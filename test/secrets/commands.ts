import { MopError } from '../../src/errors.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { FIXED } from '../cli/support.ts';
import type { CliWorld } from '../support/cli.ts';
import { type Bench, CANARIES, type Canary, HEADERS } from './bench.ts';

/** A command line that is tried. */
export interface Drive {
  readonly argv: readonly string[];
  /** Whether it asks a service, so that it is tried with services that misbehave. */
  readonly asks?: boolean;
  /** Whether it prints the service's answer unchanged, request headers included. */
  readonly repeats?: boolean;
  /** The secrets that it exists to print on standard output. */
  readonly prints?: readonly Canary[];
  readonly world?: CliWorld;
}

const DATE = '2026-11-19';
const BODY = '{"a":1}';

/** The output of `sign` for {@link BODY} with {@link FIXED} and the secret of the variable. */
export const SIGNED = signBody(
  BODY,
  { apiKey: 'key-1', secret: CANARIES.variable },
  { timestamp: '1795132800', nonce: 'abcdefghij', seqId: 'seq-1' },
);

const asking = (...argv: string[]): Drive => ({ argv, asks: true });
/** Prints the response of an endpoint to standard output (contract section 6). */
const repeating = (...argv: string[]): Drive => ({ argv, asks: true, repeats: true });
const plain = (...argv: string[]): Drive => ({ argv });
const printing = (prints: readonly Canary[], ...argv: string[]): Drive => ({ argv, prints });

/** Command lines for every command of the tree, by its path. */
export const COMMANDS: Readonly<Record<string, (bench: Bench) => readonly Drive[]>> = {
  mop: () => [plain('--help'), plain()],
  'mop sign': () => [
    printing(['sign'], 'sign', BODY, ...FIXED),
    printing(['sign'], 'sign', BODY, ...FIXED, '--as', 'curl'),
    printing(['sign'], 'sign', BODY, ...FIXED, '--as', 'sign'),
    plain('sign', '[]'),
  ],
  'mop sign explain': () => [printing(['sign'], 'sign', 'explain', BODY, ...FIXED)],
  'mop sign verify': () => [
    printing(['sign'], 'sign', 'verify', SIGNED.body),
    printing(['sign'], 'sign', 'verify', SIGNED.body.replace('"a":1', '"a":2')),
    printing(['sign'], 'sign', 'verify', SIGNED.body, '--theirs', `a=1${CANARIES.variable}`),
    plain('sign', 'verify', '--last'),
  ],
  'mop bill': () => [plain('bill')],
  'mop bill fetch': ({ at }) => [
    asking('bill', 'fetch', DATE, '-o', `${at('bills')}/`),
    asking('bill', 'fetch', '--last', '2', '--type', 'paid', '-o', `${at('bills')}/`),
    asking('bill', 'fetch', DATE, '--all-profiles', '-o', `${at('bills')}/`),
    asking('bill', 'fetch', DATE, '-o', '-'),
  ],
  'mop bill info': () => [asking('bill', 'info', DATE)],
  'mop bill verify': ({ at }) => [
    plain('bill', 'verify', at('bill.csv'), '--hash-type', 'MD5', '--hash-value', 'aa'),
  ],
  'mop bill summary': ({ at }) => [plain('bill', 'summary', at('bill.csv'))],
  'mop bill compare': ({ at }) => [
    plain('bill', 'compare', at('bill.csv'), '--with', at('bill.csv'), '--key', 'order_id'),
  ],
  'mop bill compact': ({ directory }) => [plain('bill', 'compact', directory)],
  'mop bill status': ({ directory }) => [plain('bill', 'status', directory)],
  'mop account': () => [plain('account')],
  'mop account link': () => [
    plain('account', 'link', '--user', '17', '--openid', 'o-1'),
    asking('account', 'link', '--user', '17', '--encrypt-data', 'x', '--encrypt-id', '1'),
  ],
  'mop account find': () => [plain('account', 'find', '--user', '17')],
  'mop account list': () => [plain('account', 'list')],
  'mop account unlink': () => [plain('account', 'unlink', '--user', '18')],
  'mop decode': ({ at }) => [
    asking('decode', 'x', '1'),
    asking('decode', '--batch', at('pairs.jsonl')),
  ],
  'mop estimate': () => [asking('estimate', '--city', '330100', '--lat', '30.27')],
  'mop call': ({ at }) => [
    asking('call', '/x', BODY),
    asking('call', '/x', BODY, '-p', 'other'),
    asking('call', '/x', BODY, '--mode', 'header'),
    asking('call', '/x', '--batch', at('pairs.jsonl')),
    plain('call', '/x', BODY, '--dry-run', '--reveal'),
  ],
  'mop errors': () => [plain('errors'), plain('errors', '1')],
  'mop detect': ({ at }) => [
    asking('detect', 'text', ...HEADERS),
    asking(
      ...['detect', '--batch', at('texts.jsonl'), ...HEADERS, '--fail-on', 'low'],
      ...['--junit', at('report.xml'), '--sarif', at('report.sarif')],
    ),
  ],
  'mop health': () => [asking('health', ...HEADERS), asking('health', '--wait', '1', ...HEADERS)],
  'mop gql': () => [
    repeating('gql', '{ a }', ...HEADERS),
    repeating('gql', '{ a }', '--get', ...HEADERS),
    repeating('gql', 'subscription { a }', ...HEADERS),
    asking(
      ...['gql', 'subscription { a }', '--transport', 'ws', ...HEADERS],
      ...['--connection-params', JSON.stringify({ headers: { token: CANARIES.connection } })],
    ),
  ],
  'mop gql validate': ({ at }) => [
    plain('gql', 'validate', at('query.graphql'), '--schema', at('schema.graphql')),
    asking('gql', 'validate', at('query.graphql'), ...HEADERS),
  ],
  'mop gql schema': () => [asking('gql', 'schema', ...HEADERS)],
  'mop gql diff': ({ at, url }) => [
    asking('gql', 'diff', at('schema.graphql'), `${url}/graphql`, ...HEADERS),
  ],
  'mop gql run': ({ at }) => [
    plain('gql', 'run', '{ a }', '--schema', at('schema.graphql'), '--data', at('data.json')),
  ],
  'mop gql help': () => [plain('gql', 'help')],
  'mop config': () => [plain('config')],
  'mop config init': () => [plain('config', 'init')],
  'mop config set': () => [
    plain('config', 'set', 'timezone', 'UTC', '-p', 'new'),
    plain('config', 'set', 'api_secret', CANARIES.typed),
  ],
  'mop config get': () => [
    plain('config', 'get', 'api_secret'),
    plain('config', 'get', 'api_secret', '-p', 'other'),
    plain('config', 'get', 'api_secret_command', '-p', 'commanded'),
  ],
  'mop config unset': () => [plain('config', 'unset', 'timezone')],
  'mop config list': () => [plain('config', 'list'), plain('config', 'list', '-p', 'filed')],
  'mop config path': () => [plain('config', 'path')],
  'mop config profiles': () => [plain('config', 'profiles')],
  'mop config use': () => [plain('config', 'use', 'other'), plain('config', 'use', 'default')],
  'mop config copy-profile': () => [plain('config', 'copy-profile', 'other', 'copied')],
  'mop config rename-profile': () => [plain('config', 'rename-profile', 'other', 'renamed')],
  'mop config delete-profile': () => [plain('config', 'delete-profile', 'none')],
  'mop doctor': () => [asking('doctor'), asking('doctor', '-p', 'commanded')],
  'mop proxy': ({ at }) => [
    {
      ...plain('proxy', '--port', '0', '--log', '--record', at('calls.har')),
      // It would serve until then.
      world: { signal: AbortSignal.abort(new MopError('terminated', 'the test ends it')) },
    },
  ],
  'mop sandbox': () => [
    {
      ...printing(['published'], 'sandbox', '--port', '0', '--log'),
      // It would serve until then.
      world: { signal: AbortSignal.abort(new MopError('terminated', 'the test ends it')) },
    },
  ],
  'mop sandbox records': () => [plain('sandbox', 'records', '2026-11-19')],
  'mop sandbox encrypt': () => [plain('sandbox', 'encrypt', BODY)],
  'mop version': () => [plain('version')],
  'mop completion': () => [plain('completion', 'bash')],
  'mop help': () => [plain('help', 'environment'), plain('help', 'sign')],
};

/** All command lines. */
export function drivesOf(bench: Bench): Drive[] {
  return Object.values(COMMANDS).flatMap((drives) => drives(bench));
}

/** A command line as a test calls it. */
export function nameOf({ argv }: Drive): string {
  return `mop ${argv.join(' ').replace(/ -H .*/, '')}`;
}
