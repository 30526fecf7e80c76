import { newlineStyle, unicodeForm } from './dimensions/characters.ts';
import { digestHmacMd5, digestOther } from './dimensions/digest.ts';
import { emptyDropped } from './dimensions/empty.ts';
import { charsetGbk, charsetLatin1, encodingOther } from './dimensions/encoding.ts';
import { fieldExtra } from './dimensions/extra.ts';
import { fieldMissing, headerUnsigned, nullIncluded, signIncluded } from './dimensions/fields.ts';
import { multipartFileIncluded } from './dimensions/files.ts';
import { fieldsStale } from './dimensions/generated-values.ts';
import { pairsJoined, valuesOnly } from './dimensions/joining.ts';
import { namesChanged } from './dimensions/names.ts';
import {
  nestedEscapedSlash,
  nestedEscapedUnicode,
  nestedFlattened,
  nestedKeyOrder,
  nestedSpacing,
} from './dimensions/nested.ts';
import { booleanReformatted, numberReformatted } from './dimensions/number-and-boolean.ts';
import { sortCaseInsensitive, sortLocale, sortUnsorted } from './dimensions/order.ts';
import { hexLowercase, signatureFormat } from './dimensions/printing.ts';
import { headerNameCase, wrongScheme } from './dimensions/scheme.ts';
import {
  secretJoined,
  secretOtherProfile,
  secretSortedIn,
  secretWhitespace,
} from './dimensions/secret.ts';
import { htmlEntities, stringQuoted, valueUrlEncoded } from './dimensions/text.ts';
import { valueReformatted } from './dimensions/value-text.ts';
import { wholeBody } from './dimensions/whole-body.ts';
import type { Dimension, Mistake } from './mistake.ts';

/** The choices of a signer, in the order of its steps (D1 section 5). */
export const DIMENSIONS: readonly Dimension[] = [
  {
    name: 'Signed fields',
    mistakes: [
      fieldMissing,
      headerUnsigned,
      signIncluded,
      emptyDropped,
      nullIncluded,
      fieldExtra,
      multipartFileIncluded,
    ],
  },
  { name: 'Generated values', mistakes: [fieldsStale] },
  { name: 'Names', mistakes: [wrongScheme, headerNameCase, namesChanged] },
  {
    name: 'Text of values',
    mistakes: [
      unicodeForm,
      newlineStyle,
      valueReformatted,
      numberReformatted,
      booleanReformatted,
      stringQuoted,
      htmlEntities,
      valueUrlEncoded,
    ],
  },
  {
    name: 'Nested values',
    mistakes: [
      nestedFlattened,
      nestedKeyOrder,
      nestedSpacing,
      nestedEscapedUnicode,
      nestedEscapedSlash,
    ],
  },
  { name: 'Order of pairs', mistakes: [sortUnsorted, sortCaseInsensitive, sortLocale] },
  { name: 'Joining of pairs', mistakes: [pairsJoined, valuesOnly, wholeBody] },
  {
    name: 'Secret',
    mistakes: [secretWhitespace, secretOtherProfile, secretSortedIn, secretJoined],
  },
  { name: 'Character encoding', mistakes: [charsetGbk, charsetLatin1, encodingOther] },
  { name: 'Digest', mistakes: [digestHmacMd5, digestOther] },
  { name: 'Form of the signature', mistakes: [hexLowercase, signatureFormat] },
];

/** Every mistake, in the order of the steps of a signer. */
export const MISTAKES: readonly Mistake[] = DIMENSIONS.flatMap(({ mistakes }) => mistakes);
