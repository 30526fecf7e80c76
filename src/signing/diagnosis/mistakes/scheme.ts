import {
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  isCommonField,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { capitalizedName, documentedName } from '../../header-name.ts';
import type { Field } from '../../received-request.ts';
import { type Mistake, rarely, type Variant } from '../mistake.ts';
import type { Signer } from '../signer.ts';
import { signedHeaders, VERSION } from './signed-fields.ts';

/** The names of headers, and the rules of the other mode (D1 5.2). */

export const wrongScheme: Mistake = {
  id: 'wrong-scheme',
  fix: 'sign by the rules of the mode of the address: the fields of the body under /open/v1, X-TMS-* headers and the fields of the body under /api/open',
  variants: ({ mode, fields }) => {
    if (mode === 'header') {
      const title = 'a request of header mode was signed by the rules of body mode';
      return [
        {
          title,
          fields: [],
          change: (signer) =>
            signer.with({ fields: asBodyFields(signer) }).withStyle({ nullText: undefined }),
        },
        {
          title: `${title}, but for null`,
          fields: [],
          change: (signer) => signer.with({ fields: asBodyFields(signer) }),
        },
      ];
    }
    const title = 'a request of body mode was signed by the rules of header mode';
    const variants: Variant[] = [];
    for (const version of [[VERSION], []]) {
      const without = version.length === 0 ? `, without ${SIGN_HEADERS.version}` : '';
      variants.push(
        {
          title: title + without,
          fields: [],
          change: (signer) =>
            signer.with({ fields: [...version, ...asHeaders(signer)] }).withStyle({ nullText: '' }),
        },
        {
          title: `${title}${without}, but for null`,
          fields: [],
          change: (signer) => signer.with({ fields: [...version, ...asHeaders(signer)] }),
        },
      );
    }
    const headers = fields.filter(({ source }) => source === 'header');
    if (headers.length > 0) {
      variants.push({
        title: 'the X-TMS-* headers of a request of body mode were signed',
        change: (signer) => signer.with({ fields: [...headers, ...signer.steps.fields] }),
      });
    }
    return variants;
  },
};

export const headerNameCase: Mistake = {
  id: 'header-name-case',
  fix: 'sign the names of headers exactly as they are sent, such as X-TMS-Api-Key',
  variants: (evidence) => {
    if (evidence.mode === 'body') return [];
    const spelled = (how: string, spell: (name: string) => string): readonly Variant[] =>
      signedHeaders(evidence).some(({ name }) => spell(name) !== name)
        ? [
            {
              title: `the names of the headers were signed ${how}`,
              change: (signer) =>
                signer.with({
                  fields: signer.steps.fields.map((field) =>
                    field.source === 'header' ? { ...field, name: spell(field.name) } : field,
                  ),
                }),
            },
          ]
        : [];
    const underscored = (name: string): string => name.replaceAll('-', '_');
    return [
      ...spelled('as the documents spell them', documentedName),
      ...spelled('in lower case', (name) => name.toLowerCase()),
      ...spelled('in upper case', (name) => name.toUpperCase()),
      ...spelled('as Go spells them (X-Tms-Api-Key)', capitalizedName),
      ...rarely([
        ...spelled('with "_" for "-"', underscored),
        ...spelled('in lower case with "_" for "-"', (name) => underscored(name).toLowerCase()),
        ...spelled('in upper case with "_" for "-"', (name) => underscored(name).toUpperCase()),
        ...spelled(
          'as CGI spells them (HTTP_X_TMS_API_KEY)',
          (name) => `HTTP_${underscored(name).toUpperCase()}`,
        ),
        ...spelled('without the prefix X-TMS-', (name) => name.replace(/^x-tms-/i, '')),
      ]),
    ];
  },
};

/** The fields of body mode that say what the headers say. */
function asBodyFields({ steps }: Signer): readonly Field[] {
  return steps.fields.flatMap((field): readonly Field[] => {
    if (field.source !== 'header') return [field];
    const name = COMMON_FIELDS.find((common) => sameName(HEADER_OF_FIELD[common], field.name));
    return name === undefined ? [] : [{ ...field, name, source: 'common' }];
  });
}

/** The headers of header mode that say what the common fields say. */
function asHeaders({ steps }: Signer): readonly Field[] {
  return steps.fields.map((field) =>
    isCommonField(field.name)
      ? { ...field, name: HEADER_OF_FIELD[field.name], source: 'header' }
      : field,
  );
}
