import { withoutBlanks } from '../../any-length.ts';
import { MopError } from '../../errors.ts';
import { checkHeader, isHeaderName, isHeaderValue } from '../../http/headers.ts';
import { credentialsIn } from '../../redaction/credentials.ts';
import type { Header } from '../../signing/header-mode.ts';

/** The placeholder for the authorization of a descriptor in the line of `bill_auth_header`. */
const PLACEHOLDER = '{authorization}';

/** Headers that mop writes itself: they control the connection and the encoding of the file. */
const RESERVED =
  /^(?:accept-encoding|connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

export interface DownloadHeaders {
  /** A header name, or a line such as `Authorization: Bearer {authorization}`. */
  readonly authHeader: string;
  readonly downloadHeaders: readonly Header[];
}

/** The fault of a `bill_auth_header`, or undefined (contract section 2). */
export function authHeaderFault(authHeader: string): string | undefined {
  const [name, line] = splitAuthHeader(authHeader);
  if (!isHeaderName(name)) {
    return `it is neither the name of a header nor a line such as Authorization: Bearer ${PLACEHOLDER}`;
  }
  if (!isHeaderValue(line)) return 'the value of a header must be one line of Latin-1';
  if (RESERVED.test(name)) return `mop writes the header ${name} itself`;
  const count = line.split(PLACEHOLDER).length - 1;
  if (count === 1) return undefined;
  return count === 0 ? `the line lacks ${PLACEHOLDER}` : `the line has ${PLACEHOLDER} twice`;
}

/** Checks the headers before anything is sent; throws `usage`. No message shows a value. */
export function checkDownloadHeaders({ authHeader, downloadHeaders }: DownloadHeaders): void {
  const fault = authHeaderFault(authHeader);
  if (fault !== undefined) {
    throw new MopError('usage', `the header of the authorization cannot be used: ${fault}`, {
      hint: `write a name, or a line such as Authorization: Bearer ${PLACEHOLDER}`,
    });
  }
  const [authName] = splitAuthHeader(authHeader);
  for (const [name, value] of downloadHeaders) {
    checkHeader(name, value, RESERVED);
    if (name.toLowerCase() !== authName.toLowerCase()) continue;
    throw new MopError('usage', `the header ${name} already carries the bill's authorization`, {
      hint: 'leave it out, or send the authorization in another header (bill_auth_header)',
    });
  }
}

/** The headers that a download sends to the origin of its link. */
export function headersOf(
  authorization: string | undefined,
  { authHeader, downloadHeaders }: DownloadHeaders,
): Header[] {
  if (authorization === undefined) return [...downloadHeaders];
  const [name, line] = splitAuthHeader(authHeader);
  // A function, because a replacement text would interpret `$&`.
  return [[name, line.replace(PLACEHOLDER, () => authorization)], ...downloadHeaders];
}

/** The values of {@link headersOf} that no trace or message may show. */
export function headerSecrets(
  authorization: string | undefined,
  headers: DownloadHeaders,
): string[] {
  const sent = authorization === undefined ? [] : headersOf(authorization, headers).slice(0, 1);
  return [...sent.map(([, value]) => value), ...credentialsIn(headers.downloadHeaders)];
}

function splitAuthHeader(authHeader: string): Header {
  const [, name, line] = /^([^:]*):(.*)$/s.exec(authHeader) ?? [];
  return name === undefined || line === undefined
    ? [authHeader, PLACEHOLDER]
    : [name, withoutBlanks(line)];
}
