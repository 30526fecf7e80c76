import { text } from '../../../json/build.ts';
import { isNested } from '../../../json/value.ts';
import { PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  inFamily,
  type Mistake,
  rarely,
  styled,
  type Variant,
  variantsIf,
  withCost,
  withFields,
} from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';

/** The selection of signed fields (D1 5.1 step 1, 5.2 steps 1 and 2). */

export const nullIncluded: Mistake = {
  id: 'null-included',
  fix: 'in body mode, leave out a field that is null; in header mode, sign it as an empty value, or as the reading null-in-header requires',
  variants: ({ nullAs, fields }) => {
    if (!fields.some(({ value }) => value.kind === 'null')) return [];
    const asText = (nullText: string): Variant =>
      styled(`fields that are null were signed as ${shown(nullText)}`, { nullText });
    return [
      ...['null', ...(nullAs === 'empty' ? [] : ['']), 'None', '<nil>'].map(asText),
      ...withCost(
        3,
        ['undefined', 'NULL', 'nil', '(null)', '<null>', 'userdata: NULL', 'Optional(nil)'].map(
          asText,
        ),
      ),
    ];
  },
};

export const signIncluded: Mistake = {
  id: 'sign-included',
  fix: 'remove the signature from the fields before signing',
  variants: ({ fields, signatureName }) => {
    const sign = fields.filter(({ name }) => name === signatureName);
    const as = (content: string): Variant => {
      const placeholders = sign.map((field) => ({ ...field, value: text(content) }));
      return {
        ...withFields(
          `the field ${signatureName} was among the signed fields, as ${shown(content)}`,
          (signed) => [...signed, ...placeholders],
        ),
        family: `the signature was among the signed fields, as ${shown(content)}`,
      };
    };
    return [...['', 'null', 'None'].map(as), ...rarely(['undefined', '""', '0', '<nil>'].map(as))];
  },
};

export const fieldMissing: Mistake = {
  id: 'field-missing',
  fix: 'sign every field that is sent',
  variants: ({ nullAs, fields, signatureName }) => {
    const isSigned = ({ value }: Field): boolean => nullAs !== 'omit' || value.kind !== 'null';
    const own = fields.filter(
      (field) => field.name !== signatureName && field.source !== 'header' && isSigned(field),
    );
    const group = (subject: string, isMissing: (field: Field) => boolean): readonly Variant[] =>
      variantsIf(
        own.filter(isMissing).length > 1,
        keepFields(`${subject} were not signed`, (field) => !isMissing(field)),
      );
    return [
      ...inFamily(
        'some fields were not signed',
        own.map(({ name }) => withoutFields([name])),
      ),
      ...group('the common fields', ({ source }) => source === 'common'),
      ...group('the business fields', ({ source }) => source === 'business'),
      ...group('lists and objects', ({ value }) => isNested(value)),
      ...group('fields that are not text', ({ value }) => value.kind !== 'string'),
    ];
  },
};

export const headerUnsigned: Mistake = {
  id: 'header-unsigned',
  fix: 'sign every X-TMS-* header that is sent, except X-TMS-Sign, and send every header that is signed',
  variants: (evidence) => {
    if (evidence.mode === 'body') return [];
    const headers = signedHeaders(evidence);
    const documented: readonly string[] = Object.values(SIGN_HEADERS);
    const additional = headers.map(({ name }) => name).filter((name) => !documented.includes(name));
    const version = headers.some(({ name }) => sameName(name, VERSION.name));
    return [
      ...inFamily(
        'some X-TMS-* headers were not signed',
        headers.map(({ name }) => withoutFields([name])),
      ),
      keepFields('none of the X-TMS-* headers was signed', ({ source }) => source !== 'header'),
      ...inFamily(
        'the additional X-TMS-* headers were not signed',
        variantsIf(additional.length > 1, withoutFields(additional)),
      ),
      ...variantsIf(!version, {
        ...withFields(`${VERSION.name} was signed but did not arrive`, (signed) => [
          VERSION,
          ...signed,
        ]),
        fields: [VERSION.name],
      }),
    ];
  },
};

/** The version header, which is required in header mode. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

export function signedHeaders({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name, source }) => source === 'header' && name !== signatureName);
}

/** Maximum names in a title. */
const MAX_NAMES = 8;

/** Omits some fields or headers of the request. */
export function withoutFields(names: readonly string[]): Variant {
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const title = `${listed} ${names.length === 1 ? 'was' : 'were'} not signed`;
  return { ...keepFields(title, ({ name }) => !names.includes(name)), fields: names };
}

export function keepFields(title: string, keep: (field: Field) => boolean): Variant {
  return withFields(title, (signed) => signed.filter(keep));
}

function shown(text: string): string {
  if (text === '""') return 'two quotes';
  return text === '' ? 'empty text' : `"${text}"`;
}
