import type { DiagnosisId, Evidence, Variant } from './mistake.ts';
import {
  BUSINESS_AS_JSON,
  commonValuesAndBody,
  commonValuesOnly,
  wholeBody,
} from './tables/body.ts';
import { otherDates } from './tables/dates.ts';
import { hmacMd5, otherDigests } from './tables/digest.ts';
import { EMPTY_DROPPED } from './tables/empty.ts';
import { HTML_ENTITIES, STRING_QUOTED, VALUE_URL_ENCODED } from './tables/encodings.ts';
import { addressFields, CONSTANT_FIELDS, filesIncluded, otherHeaders } from './tables/extra.ts';
import {
  FIELD_MISSING,
  FIELDS_TWICE,
  HEADER_UNSIGNED,
  NULL_INCLUDED,
  signIncluded,
  unsignedFields,
  unsignedHeaders,
  versionNotSent,
} from './tables/fields.ts';
import { NESTED_FLATTENED, oneFieldFlattened } from './tables/flattened.ts';
import { nearbyTimestamps, staleFields } from './tables/generated.ts';
import { PAIRS_JOINED, repeatedValues, requestParts, VALUES_ONLY } from './tables/joining.ts';
import {
  HEADER_NAME_CASE,
  headerNamesAsSent,
  NAMES_CHANGED,
  namesExchanged,
  oneFieldRenamed,
  wrongScheme,
} from './tables/names.ts';
import {
  anyKeyOrder,
  classTexts,
  NESTED_AS_TEXT,
  NESTED_ESCAPED_SLASH,
  NESTED_ESCAPED_UNICODE,
  NESTED_KEY_ORDER,
  NESTED_SPACING,
  otherSpacing,
} from './tables/nested.ts';
import { BOOLEAN_REFORMATTED, NUMBER_REFORMATTED } from './tables/numbers.ts';
import { lostValues, placeholders, truncatedTexts, valuesOfOthers } from './tables/one-field.ts';
import { anyOrder, SORT_CASE_INSENSITIVE, SORT_LOCALE, SORT_UNSORTED } from './tables/order.ts';
import { lowerCase, signatureForms } from './tables/printing.ts';
import {
  apiKeyAsSecret,
  otherProfiles,
  SECRET_CHANGED,
  SECRET_JOINED,
  SECRET_SORTED_IN,
  SECRET_WHITESPACE,
} from './tables/secret.ts';
import { charsetGbk, charsetLatin1, charsetOther, ENCODING_OTHER } from './tables/string-bytes.ts';
import { NEWLINE_STYLE, UNICODE_FORM, VALUE_REFORMATTED } from './tables/texts.ts';

/** The variants of one request, and the line that describes them in docs/diagnosis.md. */
type OfRequest = readonly [about: string, list: (evidence: Evidence) => readonly Variant[]];

/** The known mistakes of one id. */
export interface Mistake {
  readonly id: DiagnosisId;
  /** Variants that do not depend on the request. */
  readonly rows: readonly Variant[];
  readonly ofRequest: readonly OfRequest[];
}

function mistake(
  id: DiagnosisId,
  rows: readonly Variant[],
  ...ofRequest: readonly OfRequest[]
): Mistake {
  return { id, rows, ofRequest };
}

/**
 * Every mistake, in the order of the steps of a signer (D1 section 5). To add a mistake, add a row to
 * the table of its id. Only a mistake that depends on the request needs a list of its own.
 */
export const CATALOGUE: readonly {
  /** The heading in docs/diagnosis.md. */
  readonly step: string;
  readonly mistakes: readonly Mistake[];
}[] = [
  {
    step: 'Signed fields',
    mistakes: [
      mistake('field-missing', FIELD_MISSING, ['some fields were not signed', unsignedFields]),
      mistake(
        'header-unsigned',
        HEADER_UNSIGNED,
        ['some X-TMS-* headers were not signed', unsignedHeaders],
        ['X-TMS-Sign-Ver was signed but did not arrive', versionNotSent],
      ),
      mistake(
        'sign-included',
        [],
        [
          'the signature was among the signed fields, as empty text or a word such as null',
          signIncluded,
        ],
      ),
      mistake('empty-dropped', EMPTY_DROPPED),
      mistake('null-included', NULL_INCLUDED),
      mistake(
        'field-extra',
        [...CONSTANT_FIELDS, ...FIELDS_TWICE],
        ['headers that are not X-TMS-* headers were signed', otherHeaders],
        ['the query, the path or the address was signed as a field, such as url', addressFields],
      ),
      mistake(
        'multipart-file-included',
        [],
        ['files were signed: their names, contents, lengths or digests', filesIncluded],
      ),
    ],
  },
  {
    step: 'Generated values',
    mistakes: [
      mistake(
        'fields-stale',
        [],
        [
          'a generated field was signed with another value than sent: up to 60 s or 8 hours earlier or later; in another unit; as the text of a date; in another case; without dashes; cut; the value of another common field; before it was generated; another version',
          staleFields,
        ],
      ),
    ],
  },
  {
    step: 'Names',
    mistakes: [
      mistake(
        'wrong-scheme',
        [],
        ['the request was signed by the rules of the other mode', wrongScheme],
      ),
      mistake('header-name-case', HEADER_NAME_CASE, [
        'the names of the headers were signed in the case in which they arrived',
        headerNamesAsSent,
      ]),
      mistake(
        'names-changed',
        NAMES_CHANGED,
        ['the name of a single field was signed in one of these spellings', oneFieldRenamed],
        ["two fields were signed under each other's name", namesExchanged],
      ),
    ],
  },
  {
    step: 'Text of values',
    mistakes: [
      mistake('unicode-form', UNICODE_FORM),
      mistake('newline-style', NEWLINE_STYLE),
      mistake('value-reformatted', VALUE_REFORMATTED, [
        'dates were signed in another form, such as yyyy-MM-dd HH:mm:ss, or time zone',
        otherDates,
      ]),
      mistake('number-reformatted', NUMBER_REFORMATTED),
      mistake('boolean-reformatted', BOOLEAN_REFORMATTED),
      mistake('string-quoted', STRING_QUOTED),
      mistake('html-entities', HTML_ENTITIES),
      mistake('value-url-encoded', VALUE_URL_ENCODED),
    ],
  },
  {
    step: 'Nested values',
    mistakes: [
      mistake(
        'nested-flattened',
        [...NESTED_FLATTENED, ...NESTED_AS_TEXT],
        ['one object or list was split into separate fields', oneFieldFlattened],
        [
          'objects were signed as text by Kotlin, Lombok or Java: Point(x=1), Point[x=1]',
          classTexts,
        ],
      ),
      mistake('nested-key-order', NESTED_KEY_ORDER),
      mistake('nested-spacing', NESTED_SPACING, [
        'nested JSON was signed in compact form, or with the characters that were sent',
        otherSpacing,
      ]),
      mistake('nested-escaped-unicode', NESTED_ESCAPED_UNICODE),
      mistake('nested-escaped-slash', NESTED_ESCAPED_SLASH),
    ],
  },
  {
    step: 'Order of pairs',
    mistakes: [
      mistake('sort-unsorted', SORT_UNSORTED),
      mistake('sort-case-insensitive', SORT_CASE_INSENSITIVE),
      mistake('sort-locale', SORT_LOCALE),
    ],
  },
  {
    step: 'Joining of pairs',
    mistakes: [
      mistake(
        'pairs-joined',
        PAIRS_JOINED,
        ['the value of a common field was appended to the pairs', repeatedValues],
        ['the method, the path or the address was signed with the pairs', requestParts],
      ),
      mistake('values-only', VALUES_ONLY, [
        'only the values of common fields were signed, in any order',
        commonValuesOnly,
      ]),
      mistake(
        'whole-body',
        BUSINESS_AS_JSON,
        [
          'the JSON text of the body was signed, or combined with the headers: as sent, or printed again in the order of the request or sorted by name, compactly, with spaces, indented or with escapes; its MD5; its Base64',
          wholeBody,
        ],
        [
          'only the values of common fields and the body were signed, in any order',
          commonValuesAndBody,
        ],
      ),
    ],
  },
  {
    step: 'Secret',
    mistakes: [
      mistake('secret-whitespace', SECRET_WHITESPACE),
      mistake(
        'secret-other-profile',
        [],
        ['the request was signed with the secret of another profile', otherProfiles],
      ),
      mistake('secret-sorted-in', SECRET_SORTED_IN),
      mistake(
        'secret-joined',
        [...SECRET_JOINED, ...SECRET_CHANGED],
        ['the api_key replaced the api secret, or was put beside it', apiKeyAsSecret],
      ),
    ],
  },
  {
    step: 'Character encoding',
    mistakes: [
      mistake(
        'charset-gbk',
        [],
        ['the string was encoded in GBK or GB18030, or UTF-8 was decoded as GBK', charsetGbk],
      ),
      mistake(
        'charset-latin1',
        [],
        [
          'the string was encoded in Latin-1 or ASCII, or UTF-8 was decoded as Latin-1',
          charsetLatin1,
        ],
      ),
      mistake('encoding-other', ENCODING_OTHER, [
        'characters outside ASCII were encoded in Windows-1252, Big5 or CESU-8, decoded as such, dropped or replaced',
        charsetOther,
      ]),
    ],
  },
  {
    step: 'Digest',
    mistakes: [
      mistake(
        'digest-hmac-md5',
        [],
        ['an HMAC-MD5 was sent, whose key is the secret, the api_key or both', hmacMd5],
      ),
      mistake(
        'digest-other',
        [],
        [
          'SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 or SM3 was sent, its HMAC or its first half, or MD5 of a digest, as hex or Base64',
          otherDigests,
        ],
      ),
    ],
  },
  {
    step: 'Form of the signature',
    mistakes: [
      mistake('hex-lowercase', [], ['the signature is not in upper case', lowerCase]),
      mistake(
        'signature-format',
        [],
        [
          'the MD5 was sent in another form: with separators, quotes, prefixes or line ends; as Base64, a UUID, a Guid, decimal numbers or a bytes literal; without zeros; cut to 16 to 31 digits',
          signatureForms,
        ],
      ),
    ],
  },
];

/** Lists of many variants, tried after the usual mistakes fail. */
export const LATER: readonly Mistake[] = [
  mistake(
    'value-reformatted',
    [],
    [
      'a single field was signed without its value, as empty text or a word such as null',
      lostValues,
    ],
    [
      'a single business field was signed with the value of another one, of 6 characters or more',
      valuesOfOthers,
    ],
    ['a single text was cut to its first characters, up to 63', truncatedTexts],
  ),
  mistake(
    'fields-stale',
    [],
    ['a placeholder such as {{name}} or ${name} was not replaced', placeholders],
    ['the clock was read in milliseconds, within a second', nearbyTimestamps],
  ),
  mistake(
    'nested-key-order',
    [],
    ['the names of an object were in any order, up to six of them', anyKeyOrder],
  ),
  mistake(
    'sort-unsorted',
    [],
    [
      'up to six pairs were in any order; of more, the common fields before or after the others',
      anyOrder,
    ],
  ),
];
