import { MopError } from '../errors.ts';
import { jsonValue } from '../json/parse.ts';
import { type JsonValue, member, memberText } from '../json/value.ts';
import { MAX_ENCRYPT_ID_LENGTH } from '../protocol/limits.ts';
import { DECODE_PATH } from '../protocol/operations.ts';
import type { Answer } from './answer.ts';
import { platformViolation } from './envelope.ts';
import type { Operation } from './operation.ts';

/** Encrypted parameters of a mini-program (D1 4.2). */
export interface EncryptedParameters {
  readonly encryptData: string;
  /** At most 18 characters. */
  readonly encryptId: string;
}

/** Decrypted parameters (D1 2.4). */
export interface DecodedParameters {
  readonly seqId: string;
  /** The decrypted text, unchanged. */
  readonly jsonString: string;
  /** The text as JSON, with its digits; undefined when it is not JSON. */
  readonly content: JsonValue | undefined;
  /** The user of the plugin; undefined when the content does not name one. */
  readonly openId: string | undefined;
  readonly mobile: string | undefined;
}

/** The call that decodes parameters (D1 4.2); throws `usage` for parameters that are not valid. */
export function decodeOperation({ encryptData, encryptId }: EncryptedParameters): Operation {
  if (encryptData === '' || encryptId === '') {
    throw new MopError('usage', `${encryptData === '' ? 'encrypt_data' : 'encrypt_id'} is empty`, {
      hint: 'pass both as the mini-program received them',
    });
  }
  const { length } = [...encryptId];
  if (length > MAX_ENCRYPT_ID_LENGTH) {
    throw new MopError(
      'usage',
      `encrypt_id has ${length} characters: the limit is ${MAX_ENCRYPT_ID_LENGTH}`,
      { hint: 'encrypt_data comes first; encrypt_id is the shorter value' },
    );
  }
  const body = JSON.stringify({ encrypt_data: encryptData, encrypt_id: encryptId });
  return { path: DECODE_PATH, body, repeatable: true };
}

/** The parameters in the answer to a decode (D1 2.4). */
export function readDecoded({ data, seqId }: Answer): DecodedParameters {
  const text = member(data, 'json_string');
  if (text?.kind !== 'string') {
    throw platformViolation('data.json_string', text ? 'is not a string' : 'is missing', { seqId });
  }
  const content = jsonValue(text.value);
  return {
    seqId,
    jsonString: text.value,
    content,
    openId: memberText(content, 'openId'),
    mobile: memberText(content, 'mobile'),
  };
}
