import { writeFile } from 'node:fs/promises';
import { fileError } from '../../../files/file-error.ts';
import { type VectorFile, vectorOf } from '../../../signing/verification/vector.ts';
import type { Verification } from '../../../signing/verification/verify-request.ts';
import type { Output } from '../../context/output.ts';

/**
 * Writes the request of a verdict as a vector file, in the format of `test/vectors/`.
 *
 * @throws {MopError} `io` when the file exists or cannot be written.
 */
export async function saveVector(
  path: string,
  { capture, examination, secrets }: Verification,
  output: Output,
): Promise<void> {
  const vector = vectorOf(capture, examination, secrets);
  if (!vector) {
    const reason = examination.signer
      ? 'the request contains the secret, or the mistake is in a part that a vector leaves out: address, method or other headers'
      : 'no signer with known mistakes gives this signature, so a dummy secret cannot either';
    output.warn(`${path} was not written: ${reason}`);
    return;
  }
  const file: VectorFile = { mode: examination.verdict.mode, vectors: [vector] };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    throw fileError(error, `cannot write ${path}`);
  });
  output.note(`the test vector is in ${path}, with a dummy secret`);
}
