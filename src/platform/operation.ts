import { MopError, quoted } from '../errors.ts';
import type { FormField } from '../http/multipart.ts';
import { ADDRESS_PREFIX, documentedMode, type SignatureMode } from '../protocol/operations.ts';
import type { HeaderFields } from '../signing/header-mode.ts';

/** An operation to call: its path, its signature mode and its business fields. */
export interface Operation {
  /** The path below the address of the mode, such as `/trade/bill`; the leading `/` is optional. */
  readonly path: string;
  /** Default: the mode of the client, see {@link operationMode}. */
  readonly mode?: SignatureMode | undefined;
  /** A JSON object as text; in header mode also the fields of a multipart form, files by path. */
  readonly body: string | readonly FormField[];
  /** The signing options. Header mode only. */
  readonly signing?: OperationSigning | undefined;
  /** Values besides the signature that no trace or message may show. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Whether a second execution is harmless. Otherwise only a request that did not reach the
   * platform is retried. Default false.
   */
  readonly repeatable?: boolean | undefined;
}

/**
 * Additional signed headers, the text of null, the unit of the timestamp, and whether to send a
 * nonce.
 */
export interface OperationSigning
  extends Pick<HeaderFields, 'headers' | 'nullAs' | 'timestampUnit'> {
  readonly nonce?: false | undefined;
}

/** `documented`: each operation in its mode of D1 section 4; `body` or `header`: all in that mode. */
export type OperationMode = SignatureMode | 'documented';

/** An operation's own mode, else the preferred one, else that of D1 section 4, else `body`. */
export function operationMode(
  { path, mode }: Pick<Operation, 'path' | 'mode'>,
  preferred: OperationMode = 'documented',
): SignatureMode {
  if (mode) return mode;
  return preferred === 'documented' ? (documentedMode(operationPath(path)) ?? 'body') : preferred;
}

/** The path below the address of a mode (D1 4); throws `usage` for anything else. */
export function operationPath(path: string): string {
  const fault = pathFault(path);
  if (fault === undefined) return path.startsWith('/') ? path : `/${path}`;
  throw new MopError('usage', `${JSON.stringify(path)} is not the path of an operation: ${fault}`, {
    hint: 'pass the documented path, such as /trade/bill',
  });
}

function pathFault(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'it is a complete URL';
  if (/[?#]/.test(path)) return 'the fields of a request go into its body, not into a query';
  const segments = path.replace(/^\//, '').split('/');
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return 'it has a . or .. segment';
  if (segments.includes('')) return 'it has an empty segment';
  if (!/^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})+$/i.test(path)) {
    return 'it contains characters that are invalid in a URL';
  }
  const whole = `/${segments.join('/')}/`;
  const prefix = Object.values(ADDRESS_PREFIX).find((each) => whole.startsWith(`${each}/`));
  return prefix && quoted`remove ${prefix}; mop adds it`;
}
