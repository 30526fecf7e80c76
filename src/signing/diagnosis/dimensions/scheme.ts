import {
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  isCommonField,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { asDocumented, capitalizedName } from '../../header-name.ts';
import type { Field } from '../../received-request.ts';
import {
  type Mistake,
  rarely,
  type Variant,
  variantsIf,
  withFields,
  withSteps,
} from '../mistake.ts';
import { joinPairs } from '../signer.ts';
import { signedHeaders, VERSION } from './fields.ts';

/** The names of headers, and the rules of the other mode (D1 5.2). */

export const wrongScheme: Mistake = {
  id: 'wrong-scheme',
  fix: 'sign by the rules of the address: under /open/v1 the fields of the body, under /api/open the X-TMS-* headers and the fields of the body',
  variants: ({ mode, fields }) => {
    if (mode === 'header') {
      const title = 'a request of header mode was signed by the rules of body mode';
      return otherMode(title, asBodyFields, undefined);
    }
    const title = 'a request of body mode was signed by the rules of header mode';
    const variants = [
      ...otherMode(title, (signed) => [VERSION, ...asHeaders(signed)], ''),
      ...otherMode(`${title}, without ${SIGN_HEADERS.version}`, asHeaders, ''),
    ];
    const headers = fields.filter(({ source }) => source === 'header');
    const withHeaders = withFields(
      'the X-TMS-* headers of a request of body mode were signed',
      (signed) => [...headers, ...signed],
    );
    return [...variants, ...variantsIf(headers.length > 0, withHeaders)];
  },
};

export const headerNameCase: Mistake = {
  id: 'header-name-case',
  fix: 'sign the names of headers as the documents spell them, such as X-TMS-Api-Key, and send that spelling if the client can',
  variants: (evidence) => {
    if (evidence.mode === 'body') return [];
    const spelled = (how: string, spell: (name: string) => string): readonly Variant[] =>
      variantsIf(
        signedHeaders(evidence).some(({ name }) => spell(name) !== name),
        withFields(`the names of the headers were signed ${how}`, (fields) =>
          fields.map((field) =>
            field.source === 'header' ? { ...field, name: spell(field.name) } : field,
          ),
        ),
      );
    const sent = new Map(evidence.respelled.map((name) => [name.signed, name.sent]));
    return [
      ...spelled('as the documents spell them', asDocumented),
      ...spelled('in lower case', (name) => name.toLowerCase()),
      ...spelled('in upper case', (name) => name.toUpperCase()),
      ...spelled('as Go spells them (X-Tms-Api-Key)', capitalizedName),
      ...rarely([
        withSteps('the names of the headers were signed in lower case, after sorting', {
          join: (pairs) =>
            joinPairs(
              pairs.map((pair) =>
                pair.source === 'header' ? { ...pair, name: pair.name.toLowerCase() } : pair,
              ),
            ),
        }),
        ...spelled('in the case in which they arrived', (name) => sent.get(name) ?? name),
      ]),
    ];
  },
};

/** Signs the fields of the other mode. Null follows the rule of either mode. */
function otherMode(
  title: string,
  change: (fields: readonly Field[]) => readonly Field[],
  nullText: string | undefined,
): readonly Variant[] {
  const nullKept = { ...withFields(`${title}, except null`, change), fields: [] };
  return [
    { title, fields: [], change: (signer) => nullKept.change(signer).withStyle({ nullText }) },
    nullKept,
  ];
}

/** Headers as the common fields of body mode. */
function asBodyFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field): readonly Field[] => {
    if (field.source !== 'header') return [field];
    const name = COMMON_FIELDS.find((common) => sameName(HEADER_OF_FIELD[common], field.name));
    return name === undefined ? [] : [{ ...field, name, source: 'common' }];
  });
}

/** Common fields as the headers of header mode. */
function asHeaders(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) =>
    isCommonField(field.name)
      ? { ...field, name: HEADER_OF_FIELD[field.name], source: 'header' }
      : field,
  );
}
