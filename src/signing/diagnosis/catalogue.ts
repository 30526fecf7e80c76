import type { Mistake } from './mistake.ts';
import { wholeBody } from './tables/body.ts';
import { digestHmacMd5, digestOther } from './tables/digest.ts';
import { htmlEntities, stringQuoted, valueUrlEncoded } from './tables/encodings.ts';
import { fieldExtra, multipartFileIncluded } from './tables/extra.ts';
import * as fields from './tables/fields.ts';
import { nestedFlattened } from './tables/flattened.ts';
import { fieldsStale, fieldsStaleLater, oneValueLost } from './tables/generated.ts';
import { pairsJoined, valuesOnly } from './tables/joining.ts';
import { headerNameCase, namesChanged, wrongScheme } from './tables/names.ts';
import * as nested from './tables/nested.ts';
import { booleanReformatted, numberReformatted } from './tables/numbers.ts';
import { anyOrder, sortCaseInsensitive, sortLocale, sortUnsorted } from './tables/order.ts';
import { hexLowercase, signatureFormat } from './tables/printing.ts';
import * as secret from './tables/secret.ts';
import { charsetGbk, charsetLatin1, encodingOther } from './tables/string-bytes.ts';
import { newlineStyle, unicodeForm, valueReformatted } from './tables/texts.ts';

/**
 * Every mistake, by the headings of docs/debugging.md, in the order of the steps of a signer (D1
 * section 5). To add a mistake, add a row to the tables of its id.
 */
export const CATALOGUE: Readonly<Record<string, readonly Mistake[]>> = {
  'Signed fields': [
    ...[fields.fieldMissing, fields.headerUnsigned, fields.signIncluded, fields.emptyDropped],
    ...[fields.nullIncluded, fieldExtra, multipartFileIncluded],
  ],
  'Generated values': [fieldsStale],
  Names: [wrongScheme, headerNameCase, namesChanged],
  'Text of values': [
    ...[unicodeForm, newlineStyle, valueReformatted, numberReformatted, booleanReformatted],
    ...[stringQuoted, htmlEntities, valueUrlEncoded],
  ],
  'Nested values': [
    ...[nestedFlattened, nested.nestedKeyOrder, nested.nestedSpacing],
    ...[nested.nestedEscapedUnicode, nested.nestedEscapedSlash],
  ],
  'Order of pairs': [sortUnsorted, sortCaseInsensitive, sortLocale],
  'Joining of pairs': [pairsJoined, valuesOnly, wholeBody],
  Secret: [
    ...[secret.secretWhitespace, secret.secretOtherProfile],
    ...[secret.secretSortedIn, secret.secretJoined],
  ],
  'Character encoding': [charsetGbk, charsetLatin1, encodingOther],
  Digest: [digestHmacMd5, digestOther],
  'Form of the signature': [hexLowercase, signatureFormat],
};

/** Long lists of variants, tried after the usual mistakes fail. */
export const LATER: readonly Mistake[] = [
  oneValueLost,
  fieldsStaleLater,
  nested.anyKeyOrder,
  anyOrder,
];
