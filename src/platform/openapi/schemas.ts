import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import {
  BILL_WINDOW_MONTHS,
  DOWNLOAD_LINK_SECONDS,
  MAX_API_KEY_LENGTH,
  MAX_BILL_DATE_LENGTH,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_DOWNLOAD_URL_LENGTH,
  MAX_ENCRYPT_ID_LENGTH,
  MAX_HASH_TYPE_LENGTH,
  MAX_HASH_VALUE_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_SEQ_ID_LENGTH,
  MAX_TIMESTAMP_DIGITS,
  NONCE_LENGTH,
  SIGN_LENGTH,
} from '../../protocol/limits.ts';
import { BILL_TYPES, type BillType, TAR_TYPES, type TarType } from '../../protocol/operations.ts';
import { RESULT_CODES, SUCCESS } from '../../protocol/result-codes.ts';
import { choices, number, object, string, text } from './build.ts';

const BILL_TYPE_MEANINGS: Readonly<Record<BillType, string>> = {
  all: 'All orders of the day',
  paid: 'Orders paid successfully that day',
  refund: 'Refund orders of the day',
};

const TAR_TYPE_MEANINGS: Readonly<Record<TarType, string>> = {
  stream: 'Data stream',
  gzip: 'Gzip archive',
};

/** The fields of requests and answers (D1 sections 2, 4 and 7). */
export const SCHEMAS: Readonly<Record<string, OpenApi.SchemaObject>> = {
  CommonFields: object(
    'The common fields of body mode, with the signature.',
    {
      api_key: text('The identifier of the provider.', MAX_API_KEY_LENGTH),
      seq_id: text(
        'The serial number of the request: a random id, a UUID by preference.',
        MAX_SEQ_ID_LENGTH,
      ),
      timestamp: {
        type: 'integer',
        maximum: 10 ** MAX_TIMESTAMP_DIGITS - 1,
        description: `The send time as Unix time in seconds, within ${MAX_CLOCK_SKEW_SECONDS} s of the clock of the server.`,
      },
      nonce: string(`A random string of ${NONCE_LENGTH} characters.`, {
        minLength: NONCE_LENGTH,
        maxLength: NONCE_LENGTH,
      }),
      sign: string(
        `The signature: ${SIGN_LENGTH} upper-case hexadecimal digits. See \`x-body-signature\`.`,
        { pattern: `^[0-9A-F]{${SIGN_LENGTH}}$` },
      ),
    },
    ['api_key', 'seq_id', 'timestamp', 'nonce', 'sign'],
  ),
  BillRequest: object(
    'A bill of one day.',
    {
      bill_date: string(
        `The day of the bill, \`YYYY-MM-DD\`, within the last ${BILL_WINDOW_MONTHS} months.`,
        { pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: MAX_BILL_DATE_LENGTH },
      ),
      bill_type: choices(
        'The orders that the bill lists. Each type excludes top-up refund orders.',
        choicesOf(BILL_TYPES, BILL_TYPE_MEANINGS),
      ),
      tar_type: choices('The form of the bill file.', choicesOf(TAR_TYPES, TAR_TYPE_MEANINGS)),
    },
    ['bill_date', 'bill_type', 'tar_type'],
  ),
  BillDescriptor: object(
    'The place and the digest of a bill file. It is empty when the day has no bill.',
    {
      hash_type: string(
        'The digest algorithm, applied to the original bill (of a gzip archive, the decompressed content).',
        { maxLength: MAX_HASH_TYPE_LENGTH },
      ),
      hash_value: string('The digest of the original bill.', { maxLength: MAX_HASH_VALUE_LENGTH }),
      download_url: string(`The address of the bill file, valid for ${DOWNLOAD_LINK_SECONDS} s.`, {
        format: 'uri',
        maxLength: MAX_DOWNLOAD_URL_LENGTH,
      }),
      authorization: string('The credential for the download of the bill file.'),
    },
  ),
  DecodeRequest: object(
    'The encrypted parameters of a mini-program. The documents of the platform do not say which fields are required; the sandbox requires both.',
    {
      encrypt_data: text('The encrypted data.'),
      encrypt_id: text('The encryption serial number.', MAX_ENCRYPT_ID_LENGTH),
    },
    ['encrypt_data', 'encrypt_id'],
  ),
  DecodedParameters: object('The decrypted parameters.', {
    json_string: string(
      'The decrypted content as a JSON string, such as an object with `openId` and `mobile`.',
      { contentMediaType: 'application/json' } as OpenApi.SchemaObject,
    ),
  }),
  EstimateRequest: {
    ...object(
      'The start of a ride. The documents of the platform show these two fields only; the sandbox requires both, and takes more.',
      { city: text('The city.'), lat: number('The latitude in degrees north.', 90) },
      ['city', 'lat'],
    ),
    additionalProperties: true,
  },
  SyncRequest: {
    ...object(
      'A user and a place. The documents of the platform name `slat` and `slon` as an illustration; the sandbox takes any other field too.',
      {
        slat: number('The latitude in degrees north.', 90),
        slon: number('The longitude in degrees east.', 180),
        openId: text('The id of the user, passed in by the plugin. It stays fixed.'),
        mobile: string('The mobile number of the user. It may change.'),
      },
    ),
    additionalProperties: true,
  },
  Envelope: object(
    'The answer of every operation.',
    {
      code: choices(
        'The result code, with the action of the provider.',
        RESULT_CODES.map(({ code, meaning, action }) => ({
          value: code,
          meaning: code === SUCCESS ? meaning : `${meaning}. ${action}`,
        })),
      ),
      message: string('The status text.', { maxLength: MAX_MESSAGE_LENGTH }),
      data: { type: 'object', description: 'The result of the operation.' },
    },
    ['code', 'message'],
  ),
  ProxyError: object(
    'An error of `mop proxy` itself.',
    {
      error: object(
        'The error.',
        {
          code: string('The kind of error, for programs, such as `usage` or `network`.'),
          message: string('The failure.'),
          hint: { type: ['string', 'null'], description: 'The next step.' },
        },
        ['code', 'message', 'hint'],
      ),
    },
    ['error'],
  ),
};

function choicesOf<Name extends string>(
  values: Readonly<Record<Name, number>>,
  meanings: Readonly<Record<Name, string>>,
) {
  return (Object.keys(values) as Name[]).map((name) => ({
    value: values[name],
    meaning: meanings[name],
  }));
}
