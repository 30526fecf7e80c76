import { MopError, quoted } from '../../../errors.ts';
import {
  type CaptureOptions,
  readCaptures,
  type SignedEntry,
} from '../../../signing/capture/read-capture.ts';
import { type Comparison, readComparison } from '../../../signing/capture/read-comparison.ts';
import {
  argumentBytes,
  argumentText,
  inputBytes,
  isFileName,
  isStdin,
  limitOf,
  withArgumentHint,
} from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import { parseHeader } from '../../context/request-content.ts';
import { endedBySignals } from '../../context/signals.ts';

export const CAPTURE_LIMIT = limitOf(
  256,
  'save only the request to verify, for example with Copy as cURL in the browser',
);

interface InputOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  readonly theirs?: string;
}

/**
 * Reads REQUEST and `--theirs`, in either order. Lines of the request's text that contain a canonical
 * string count as `--theirs`.
 *
 * @param loadSecrets The known secrets, for the faults of a canonical string without a request.
 * @throws {MopError} `usage` for a request that cannot be read.
 */
export async function readVerifyInput(
  request: string,
  options: InputOptions,
  io: Io,
  loadSecrets: () => Promise<readonly string[]>,
): Promise<Comparison> {
  if (isStdin(request) && options.theirs !== undefined && isStdin(options.theirs)) {
    throw new MopError('usage', 'the request and --theirs cannot both be read from stdin', {
      hint: 'give one of them as @FILE',
    });
  }
  const input = await argumentBytes(request, io, CAPTURE_LIMIT);
  const pasted = await readTheirs(options.theirs, io);
  return endedBySignals(() =>
    withArgumentHint(request, () =>
      readComparison(input, pasted, captureOptions(options, io), loadSecrets),
    ),
  );
}

/**
 * Reads every signed request of REQUEST.
 *
 * @throws {MopError} `usage` when it cannot be read, or none is signed.
 */
export async function readEveryRequest(
  request: string,
  options: InputOptions,
  io: Io,
): Promise<readonly SignedEntry[]> {
  const input = await argumentBytes(request, io, CAPTURE_LIMIT);
  return endedBySignals(() =>
    withArgumentHint(request, () => readCaptures(input, captureOptions(options, io))),
  );
}

function captureOptions({ entry, header }: InputOptions, io: Io): CaptureOptions {
  return {
    entry,
    headers: header?.map(parseHeader),
    readFile: (path) => inputBytes(path, io, CAPTURE_LIMIT),
  };
}

async function readTheirs(theirs: string | undefined, io: Io): Promise<string | undefined> {
  if (theirs === undefined) return undefined;
  if (await isFileName(theirs)) {
    throw new MopError('usage', `--theirs ${JSON.stringify(theirs)} is the name of a file`, {
      hint: quoted`write --theirs @${theirs}`,
    });
  }
  const pasted = await argumentText(theirs, io);
  if (pasted.trim() !== '') return pasted;
  throw new MopError('usage', '--theirs is empty', {
    hint: 'pass the string that the signer printed before it took the digest',
  });
}
