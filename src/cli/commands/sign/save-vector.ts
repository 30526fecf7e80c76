import { writeFile } from 'node:fs/promises';
import { fileError } from '../../../files/file-error.ts';
import { type VectorFile, vectorOf } from '../../../signing/verification/vector.ts';
import type { Output } from '../../context/output.ts';
import type { Verification } from './verify-capture.ts';

/**
 * Writes the case of a verdict as a vector file, in the form of `test/vectors/`.
 *
 * @throws {MopError} `io` when it cannot be written; a file that is there is never overwritten.
 */
export async function saveVector(
  path: string,
  { capture, examination, secrets }: Verification,
  output: Output,
): Promise<void> {
  const vector = vectorOf(capture, examination, secrets);
  if (!vector) {
    const why = examination.signer
      ? 'the request holds the secret, or the mistake is in its address, its method or a header that a vector leaves out'
      : 'a signature that nothing explains cannot be made again with a dummy secret';
    output.warn(`${path} was not written: ${why}`);
    return;
  }
  const file: VectorFile = { mode: examination.verdict.mode, vectors: [vector] };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    throw fileError(error, `cannot write ${path}`);
  });
  output.note(`The case is in ${path}, with a dummy secret.`);
}
