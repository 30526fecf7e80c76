import { DEFAULT_READY_TIME } from '../../protocol/defaults.ts';
import {
  BILL_PATH,
  BILL_TYPES,
  DECODE_PATH,
  ESTIMATE_PATH,
  SYNC_PATH,
  TAR_TYPES,
} from '../../protocol/operations.ts';
import {
  MOBILE_NUMBER_INVALID,
  PARAMETER_ERROR,
  SUCCESS,
  TIME_RANGE_INVALID,
  VEHICLE_TYPE_INVALID,
} from '../../protocol/result-codes.ts';

/** Business fields, and the answer of the sandbox to them. */
interface OperationExample {
  readonly name: string;
  readonly summary: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly code: number;
  /** Empty for a refusal. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface DocumentedOperation {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Names of schemas; an answer without one is any object. */
  readonly request: string;
  readonly data?: string;
  /** The field of a form that carries a file, where the operation takes one. */
  readonly file?: string;
  /** The first one succeeds. */
  readonly examples: readonly OperationExample[];
}

/** Made by `mop sandbox encrypt`; every sandbox decrypts it. */
const ENCRYPTED = {
  encrypt_data:
    'MfC7V0TcHqXQKt28OK++OcfuNBH8CsKTf3VTQIZfE4u5ktGkirCNZtFVQzttADpU2UVZZYAPfYCTjqvL0AdzJ9EUPw==',
  encrypt_id: '179539652556095352',
};

const PLACE = { slat: 30.25, slon: 120.16 };

/** The operations of D1 section 4. `billDate` is the day of the bill in the examples. */
export function documentedOperations(billDate: string): readonly DocumentedOperation[] {
  const bill = { bill_type: BILL_TYPES.all, tar_type: TAR_TYPES.gzip };
  return [
    {
      path: BILL_PATH,
      id: 'bill',
      summary: 'Bill download information',
      description: `Answers with the address and the digest of a bill file. A bill exists only for a day with trades, after ${DEFAULT_READY_TIME} of the following day. To download the file, request \`download_url\` with the value of \`authorization\`.`,
      request: 'BillRequest',
      data: 'BillDescriptor',
      examples: [
        {
          name: 'bill',
          summary: 'All orders of a day',
          fields: { bill_date: billDate, ...bill },
          code: SUCCESS,
          data: {
            hash_type: 'MD5',
            hash_value: 'c2a41ed51c9009bc3562665a0d271438',
            download_url: 'https://platform.example/bill?id=1',
            authorization: 'the credential for the download',
          },
        },
        {
          name: 'tooEarly',
          summary: 'A day before the window',
          fields: { bill_date: '2000-01-01', ...bill },
          code: TIME_RANGE_INVALID,
        },
      ],
    },
    {
      path: DECODE_PATH,
      id: 'decode',
      summary: 'Plaintext of mini-program parameters',
      description:
        'Decrypts the parameters that a mini-program passes on. `mop sandbox encrypt` makes other pairs for the sandbox.',
      request: 'DecodeRequest',
      data: 'DecodedParameters',
      examples: [
        {
          name: 'pair',
          summary: 'A pair that the sandbox can decrypt',
          fields: ENCRYPTED,
          code: SUCCESS,
          data: { json_string: '{"openId":"o-1","mobile":"13800000000"}' },
        },
        {
          name: 'wrongId',
          summary: 'Data with the serial number of other data',
          fields: { ...ENCRYPTED, encrypt_id: '1' },
          code: PARAMETER_ERROR,
        },
      ],
    },
    {
      path: ESTIMATE_PATH,
      id: 'estimate',
      summary: 'Price estimate',
      description:
        'Estimates the price of a ride. The documents of the platform show neither the answer nor all fields. The sandbox answers with a price for each type of car, and also takes `lng`, `slat`, `slon`, `dlat`, `dlon` and `car_type`.',
      request: 'EstimateRequest',
      examples: [
        {
          name: 'oneType',
          summary: 'One type of car in the sandbox',
          fields: { city: '330100', lat: 30.27, car_type: 'economy' },
          code: SUCCESS,
          data: {
            city: '330100',
            currency: 'CNY',
            distance_km: 27.09,
            duration_min: 77,
            estimates: [
              {
                car_type: 'economy',
                name: '经济型',
                base_price: 9,
                price_per_km: 1.8,
                price: 57.76,
                discount: 0,
                final_price: 57.76,
              },
            ],
          },
        },
        {
          name: 'unknownType',
          summary: 'A type of car that does not exist',
          fields: { city: '330100', lat: 30.27, car_type: 'submarine' },
          code: VEHICLE_TYPE_INVALID,
        },
      ],
    },
    {
      path: SYNC_PATH,
      id: 'sync',
      summary: 'Account synchronisation',
      description:
        'The documents of the platform name this operation as an illustration of signing. The sandbox answers with the fields of the request.',
      request: 'SyncRequest',
      file: 'photo',
      examples: [
        {
          name: 'place',
          summary: 'The documented fields',
          fields: PLACE,
          code: SUCCESS,
          data: PLACE,
        },
        {
          name: 'wrongMobile',
          summary: 'A mobile number that is too short',
          fields: { ...PLACE, mobile: '1380000' },
          code: MOBILE_NUMBER_INVALID,
        },
      ],
    },
  ];
}
