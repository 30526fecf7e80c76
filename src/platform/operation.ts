import { MopError } from '../errors.ts';
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
  /** How each attempt is signed. Header mode only. */
  readonly signing?: OperationSigning | undefined;
  /** Values besides the signature that no trace or message may show. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Whether a second execution is harmless. Otherwise only a request that did not reach the
   * platform is retried. Default false.
   */
  readonly repeatable?: boolean | undefined;
}

/** More signed headers, how null is signed, the timestamp's unit, and whether there is a nonce. */
export interface OperationSigning
  extends Pick<HeaderFields, 'headers' | 'nullAs' | 'timestampUnit'> {
  readonly nonce?: false | undefined;
}

/** `documented`: each operation in the mode of D1 section 4. Otherwise all of them in that mode. */
export type OperationMode = SignatureMode | 'documented';

/**
 * The mode in which an operation is sent: its own, else the preferred one, else that of D1 section
 * 4, else the body.
 *
 * @throws {MopError} `usage` as {@link operationPath}.
 */
export function operationMode(
  { path, mode }: Pick<Operation, 'path' | 'mode'>,
  preferred: OperationMode = 'documented',
): SignatureMode {
  if (mode) return mode;
  return preferred === 'documented' ? (documentedMode(operationPath(path)) ?? 'body') : preferred;
}

/**
 * The path of an operation, below the address of its mode (D1 4).
 *
 * @throws {MopError} `usage` for an address, a query, and a path that leads up with dots.
 */
export function operationPath(path: string): string {
  const fault = pathFault(path);
  if (fault === undefined) return path.startsWith('/') ? path : `/${path}`;
  throw new MopError('usage', `${JSON.stringify(path)} is not the path of an operation: ${fault}`, {
    hint: 'write it as the documents do, below the address: /trade/bill',
  });
}

function pathFault(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'it is a whole address';
  if (/[?#]/.test(path)) return 'the fields of a request go into its body, not into a query';
  const segments = path.replace(/^\//, '').split('/');
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return 'it contains . or .. as a part';
  if (segments.includes('')) return 'a part of it is empty';
  if (!/^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})+$/i.test(path)) {
    return 'it contains characters that are invalid in an address';
  }
  const whole = `/${segments.join('/')}/`;
  const prefix = Object.values(ADDRESS_PREFIX).find((each) => whole.startsWith(`${each}/`));
  return prefix && `remove ${prefix}; mop adds it`;
}
