import type { Readable } from 'node:stream';
import type { SignatureFindings } from '../server/log-entry.ts';
import type { Header } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';

/** A request to forward. */
export interface Outbound {
  readonly headers: readonly Header[];
  readonly body: Uint8Array | Readable;
  /** The request with its signature; undefined when its form cannot be read. */
  readonly request: Promise<ReceivedRequest | undefined>;
  readonly findings: Promise<SignatureFindings>;
  /** Removes its temporary files. */
  readonly dispose?: () => Promise<void>;
}

/** The findings about a request that the proxy signed. */
export function addedSignature(warnings: readonly string[]): Promise<SignatureFindings> {
  return Promise.resolve({ signature: 'added', warnings });
}
