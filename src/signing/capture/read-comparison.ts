import { MopError } from '../../errors.ts';
import { canonicalFaults } from '../compare.ts';
import { secretHider } from '../mask-secret.ts';
import { signedContent } from '../received-request.ts';
import type { CapturedRequest } from './captured-request.ts';
import { canonicalLines, canonicalWithoutRequest } from './pasted-canonical.ts';
import { type CaptureOptions, readCapture } from './read-capture.ts';

export interface Comparison {
  readonly capture: CapturedRequest;
  readonly pasted: string | undefined;
}

/**
 * Reads a signed request and the canonical string of its signer, in either order (contract section
 * 3). Lines beside the request that contain a canonical string count as that string.
 */
export async function readComparison(
  input: string | Uint8Array,
  pasted: string | undefined,
  options: CaptureOptions,
  loadSecrets: () => Promise<readonly string[]>,
): Promise<Comparison> {
  const read = async (text: string | Uint8Array): Promise<CapturedRequest> => {
    const capture = await readCapture(text, options);
    // Throws if the request has no valid signature.
    signedContent(capture);
    return capture;
  };
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input);
  try {
    const capture = await read(input);
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
}

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
