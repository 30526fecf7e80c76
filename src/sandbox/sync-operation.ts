import { integer, list, object, text } from '../json/build.ts';
import type { JsonValue } from '../json/value.ts';
import { MOBILE_NUMBER_INVALID } from '../protocol/result-codes.ts';
import { badRequest } from '../server/bad-request.ts';
import type { FormFile } from '../server/form.ts';
import { valueText } from '../signing/value-text.ts';
import { failure, success } from './envelope.ts';
import type { OperationHandler } from './operation-handler.ts';
import { type Fields, field, latitude, longitude, textField } from './parameters.ts';

/**
 * `/user/sync`, an example in D1 4.4. Echoes the business fields with their digits and order, and the
 * size and digest of a form's files, to test clients. Checks the documented fields.
 */
export const syncOperation: OperationHandler = async (fields, { files }) => {
  latitude(fields, 'slat');
  longitude(fields, 'slon');
  if (textField(fields, 'openId') === '') throw badRequest('openId is empty');
  if (!hasUsableMobile(fields)) return failure(MOBILE_NUMBER_INVALID);

  if (files && fields.has('files'))
    throw badRequest('files is a reserved name: the answer lists the files under it');

  const members = [...fields].map(([name, value]) => ({ name, value }));
  if (files) members.push({ name: 'files', value: list(files.map(fileFacts)) });
  return success({ kind: 'object', members });
};

function fileFacts({ name, file, bytes, md5 }: FormFile): JsonValue {
  return object({ name: text(name), filename: text(file), bytes: integer(bytes), md5: text(md5) });
}

/** Whether `mobile` is absent or a mobile number of mainland China. */
function hasUsableMobile(fields: Fields): boolean {
  const mobile = field(fields, 'mobile');
  return mobile === undefined || /^1[3-9]\d{9}$/.test(valueText(mobile));
}
