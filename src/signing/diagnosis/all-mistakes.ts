import type { Mistake } from './mistake.ts';
import {
  secretJoined,
  secretOtherProfile,
  secretSortedIn,
  secretWhitespace,
} from './mistakes/api-secret.ts';
import { newlineStyle, unicodeForm } from './mistakes/characters.ts';
import { digestHmacMd5, digestOther, hexLowercase } from './mistakes/digests.ts';
import {
  charsetGbk,
  charsetLatin1,
  htmlEntities,
  stringQuoted,
  valueUrlEncoded,
} from './mistakes/encodings.ts';
import { multipartFileIncluded } from './mistakes/files.ts';
import { booleanReformatted, numberReformatted } from './mistakes/literals.ts';
import {
  nestedEscapedSlash,
  nestedEscapedUnicode,
  nestedFlattened,
  nestedKeyOrder,
  nestedSpacing,
} from './mistakes/nested.ts';
import { sortCaseInsensitive, sortLocale, sortUnsorted } from './mistakes/order.ts';
import { headerNameCase, wrongScheme } from './mistakes/scheme.ts';
import {
  emptyDropped,
  fieldMissing,
  headerUnsigned,
  nullIncluded,
  signIncluded,
} from './mistakes/signed-fields.ts';

/** Every mistake, in the order in which a signer that makes several makes them. */
export const MISTAKES: readonly Mistake[] = [
  fieldMissing,
  headerUnsigned,
  signIncluded,
  emptyDropped,
  nullIncluded,
  multipartFileIncluded,
  wrongScheme,
  headerNameCase,
  unicodeForm,
  newlineStyle,
  nestedFlattened,
  numberReformatted,
  booleanReformatted,
  nestedKeyOrder,
  nestedSpacing,
  nestedEscapedUnicode,
  nestedEscapedSlash,
  stringQuoted,
  htmlEntities,
  valueUrlEncoded,
  sortUnsorted,
  sortCaseInsensitive,
  sortLocale,
  secretWhitespace,
  secretOtherProfile,
  secretSortedIn,
  secretJoined,
  charsetGbk,
  charsetLatin1,
  digestHmacMd5,
  digestOther,
  hexLowercase,
];
