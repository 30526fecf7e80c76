import { object, text } from '../json/build.ts';
import { MAX_ENCRYPT_ID_LENGTH } from '../protocol/limits.ts';
import { badRequest } from '../server/bad-request.ts';
import { decryptParameters } from './encryption.ts';
import { success } from './envelope.ts';
import type { OperationHandler } from './operation-handler.ts';
import { requiredText } from './parameters.ts';

/** `/param/decode`: the plaintext of parameters from `mop sandbox encrypt` (D1 4.2). */
export const decodeOperation: OperationHandler = async (fields) => {
  const plaintext = decryptParameters({
    encryptData: requiredText(fields, 'encrypt_data'),
    encryptId: requiredText(fields, 'encrypt_id', MAX_ENCRYPT_ID_LENGTH),
  });
  if (plaintext === undefined) {
    throw badRequest('encrypt_data cannot be decrypted with this encrypt_id');
  }
  return success(object({ json_string: text(plaintext) }));
};
