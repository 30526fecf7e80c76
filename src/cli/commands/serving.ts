import { MopError, own, quoted } from '../../errors.ts';
import { isLoopback } from '../../http/address.ts';
import type { Log } from '../../server/log-entry.ts';
import type { Output } from '../context/output.ts';
import { visibleLine } from '../context/visible-text.ts';

/** The options of the commands that start a server. */
export interface ServingOptions {
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly port?: number;
  readonly allowOrigin?: readonly string[];
  readonly log?: boolean;
}

/** The host to listen on. */
export function servingHost(
  { host = '127.0.0.1', allowRemote }: ServingOptions,
  server: string,
  danger: string,
): string {
  if (isLoopback(host) || allowRemote) return host;
  throw new MopError('usage', `other machines can reach the ${server} at ${host}`, {
    hint: quoted`add --allow-remote to allow it: ${own(danger)}`,
  });
}

/** The origins of `--allow-origin`. */
export function pageOrigins(
  { allowOrigin = [] }: ServingOptions,
  others: readonly ('*' | 'null')[] = [],
): readonly string[] {
  return allowOrigin.map((text) => {
    const other = others.find((each) => each === text);
    const origin = other ?? originOf(text);
    if (origin !== undefined) return origin;
    throw new MopError('usage', `--allow-origin ${JSON.stringify(text)} is not an origin`, {
      hint: 'give scheme, host and port of the page, such as http://localhost:5173; the sandbox also takes null and *',
    });
  });
}

/** The origin of a page as browsers send it; also of extensions and apps, whose scheme is their own. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes('*')) return undefined;
  const { href, origin, protocol, host, pathname } = new URL(text);
  if (origin !== 'null') return href === `${origin}/` ? origin : undefined;
  const isPlain = host !== '' && href === `${protocol}//${host}${pathname}`;
  return isPlain && /^\/?$/.test(pathname) ? `${protocol}//${host}` : undefined;
}

const NOTHING_FOUND = {
  complete: 'none of the tested mistakes gives this signature',
  'cut-short': 'no likely mistake gives this signature; the search was cut short',
  skipped: 'the search for the mistake found nothing within 8 seconds; repeat the request',
};

const COMPARE_STRINGS =
  'compare the string that the client hashed: mop sign verify @request.json --theirs @log.txt';

/** Writes a line for each request, and the findings about its signature. */
export async function requestLog(output: Output): Promise<Log> {
  const style = output.styles('stderr');
  const { translated } = output;
  return (entry) => {
    const { time, method, path, status, code, diagnosis, search, warnings, milliseconds, error } =
      entry;
    const good = status < 400 && (code === undefined || code === 0);
    const outcome = code === undefined ? `${status}` : `${status} ${output.word('code')} ${code}`;
    const signed = entry.signature === 'added' ? ` ${output.word('signed', 'log: signed')}` : '';
    output.line(
      `${style.dim(new Date(time).toISOString())} ${method} ${visibleLine(path)} ${good ? style.green(outcome) : style.red(outcome)}${signed} ${style.dim(translated(`${milliseconds} ms`))}`,
    );
    if (search && diagnosis?.length === 0) {
      output.line(`  ${style.red(translated(NOTHING_FOUND[search]))}`);
      output.line(`  ${output.label('next:', style.green)}${translated(COMPARE_STRINGS)}`);
    }
    for (const { id, title, fix } of diagnosis ?? []) {
      output.line(`  ${style.red(visibleLine(translated(title)))} ${style.dim(`(${id})`)}`);
      output.line(`  ${output.label('fix:', style.green)}${translated(fix)}`);
    }
    for (const warning of warnings ?? []) {
      output.line(`  ${style.yellow('!')} ${visibleLine(translated(warning))}`);
    }
    if (error) output.line(`  ${output.messageText(errorText(error))}`);
  };
}

function errorText(error: unknown): string {
  return error instanceof MopError ? error.message : String(error);
}
