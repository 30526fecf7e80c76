import { MopError, quoted } from '../../../errors.ts';
import { canonicalFaults } from '../../../signing/canonical-faults.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import {
  canonicalLines,
  canonicalWithoutRequest,
} from '../../../signing/capture/pasted-canonical.ts';
import {
  type CaptureOptions,
  readCapture,
  readCaptures,
  type SignedEntry,
} from '../../../signing/capture/read-capture.ts';
import { secretHider } from '../../../signing/mask-secret.ts';
import { signedContent } from '../../../signing/received-request.ts';
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

const CAPTURE_LIMIT = limitOf(
  256,
  'save only the request to verify, for example with Copy as cURL in the browser',
);

/** A request to verify, with the output of its signer that contains the canonical string. */
export interface VerifyInput {
  readonly capture: CapturedRequest;
  readonly pasted: string | undefined;
}

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
): Promise<VerifyInput> {
  if (isStdin(request) && options.theirs !== undefined && isStdin(options.theirs)) {
    throw new MopError('usage', 'the request and --theirs cannot both be read from stdin', {
      hint: 'give one of them as @FILE',
    });
  }
  const read = async (input: string | Uint8Array): Promise<CapturedRequest> => {
    const capture = await readCapture(input, captureOptions(options, io));
    // Throws if the request has no valid signature.
    signedContent(capture);
    return capture;
  };
  const bytes = await argumentBytes(request, io, CAPTURE_LIMIT);
  const pasted = await readTheirs(options.theirs, io);
  const text = new TextDecoder().decode(bytes);
  return endedBySignals(async () => {
    try {
      const capture = await withArgumentHint(request, () => read(bytes));
      return { capture, pasted: pasted ?? linesBeside(capture, text) };
    } catch (error) {
      const canonical = canonicalWithoutRequest(text);
      if (canonical === undefined) throw error;
      const lines = new Set(canonicalLines(text));
      const rest = text.split(/\r?\n/).filter((line) => !lines.has(line));
      if (lines.size > 0 && rest.join('').trim() !== '') {
        const capture = await read(rest.join('\n')).catch(() => undefined);
        if (capture === undefined) throw error;
        return { capture, pasted: pasted ?? joined([...lines]) };
      }
      if (pasted === undefined) throw aloneError(canonical, await loadSecrets());
      return { capture: await read(pasted), pasted: text };
    }
  });
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

/** The lines with a canonical string outside the body, if the text contains the body unchanged. */
function linesBeside({ body }: CapturedRequest, text: string): string | undefined {
  const isVerbatim = typeof body === 'string' && text.includes(body);
  return isVerbatim ? joined(canonicalLines(text.replace(body, () => ''))) : undefined;
}

function joined(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : lines.join('\n');
}

function aloneError(canonical: string, secrets: readonly string[]): MopError {
  const secret = secrets.find((known) => known !== '' && canonical.trimEnd().endsWith(known));
  const bare = secret === undefined ? canonical : canonical.slice(0, canonical.lastIndexOf(secret));
  const faults = [
    ...(secret === undefined ? [] : ['ends with the api secret']),
    ...canonicalFaults(secretHider(secrets, '<secret>')(bare)),
  ];
  const alone = 'a canonical string alone has no signature to verify';
  const subject = faults.length === 0 ? alone : `${alone}; this one ${faults.join(', ')}`;
  return new MopError('usage', subject, {
    hint: 'pass the request too, as in: mop sign verify @request.json --theirs @log.txt; after a refused call: mop sign verify --last',
  });
}
