import { hash } from 'node:crypto';
import {
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  isCommonField,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { capitalizedName, documentedName } from '../../header-name.ts';
import type { Field, ReceivedFile } from '../../received-request.ts';
import { type Draft, NO_POSITION } from '../draft.ts';
import { type Mistake, rarely, type Variant } from '../mistake.ts';
import { textValue } from '../values.ts';
import { signedHeaders, VERSION } from './selection.ts';

/** Headers, files, and the rules of the other mode (D1 5.2). */

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
          change: (draft) =>
            draft.with({ fields: asBodyFields(draft) }).withStyle({ nullText: undefined }),
        },
        {
          title: `${title}, but for null`,
          fields: [],
          change: (draft) => draft.with({ fields: asBodyFields(draft) }),
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
          change: (draft) =>
            draft.with({ fields: [...version, ...asHeaders(draft)] }).withStyle({ nullText: '' }),
        },
        {
          title: `${title}${without}, but for null`,
          fields: [],
          change: (draft) => draft.with({ fields: [...version, ...asHeaders(draft)] }),
        },
      );
    }
    const headers = fields.filter(({ source }) => source === 'header');
    if (headers.length > 0) {
      variants.push({
        title: 'the X-TMS-* headers of a request of body mode were signed',
        change: (draft) => draft.with({ fields: [...headers, ...draft.steps.fields] }),
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
              change: (draft) =>
                draft.with({
                  fields: draft.steps.fields.map((field) =>
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

export const multipartFileIncluded: Mistake = {
  id: 'multipart-file-included',
  fix: 'sign the text fields of a form alone; the content of a file takes no part',
  variants: ({ files }) => {
    const included = (
      how: string,
      textOf: (file: ReceivedFile, content: Buffer, index: number) => string,
    ): readonly Variant[] => {
      if (files.length === 0) return [];
      const added = files.map((file, index): Field => {
        const text = textOf(file, Buffer.from(file.content ?? []), index);
        return {
          name: file.name,
          value: textValue(text),
          source: 'business',
          position: NO_POSITION,
        };
      });
      return [
        {
          title: `files took part, ${how}`,
          fields: files.map(({ name }) => name),
          change: (draft) =>
            draft.with({
              fields: [...draft.steps.fields, ...added],
              encode: (text) => withContents(draft.steps.encode(text), files),
            }),
        },
      ];
    };
    const isKnown = files.every(({ content }) => content !== undefined);
    return [
      ...included('with their names', ({ file }) => file),
      ...included('as empty text', () => ''),
      ...(isKnown
        ? [
            ...included('with their content', (_, __, index) => contentMark(index)),
            ...included('with their content in Base64', (_, bytes) => bytes.toString('base64')),
            ...included('with the MD5 of their content', (_, bytes) => hash('md5', bytes)),
            ...rarely([
              ...included('with their content as Latin-1', (_, bytes) => bytes.toString('latin1')),
              ...included('with their content as UTF-8', (_, bytes) => bytes.toString('utf8')),
              ...included('with their length', (_, bytes) => String(bytes.length)),
              ...included('with the MD5 of their content in upper case', (_, bytes) =>
                hash('md5', bytes).toUpperCase(),
              ),
            ]),
          ]
        : []),
      ...rarely([
        ...included('with @ and their names', ({ file }) => `@${file}`),
        ...included('as [object File]', () => '[object File]'),
        ...included('as [object Object]', () => '[object Object]'),
      ]),
    ];
  },
};

/** Stands for the bytes of a file in a text: half a surrogate pair, which no request holds. */
function contentMark(index: number): string {
  return String.fromCharCode(FIRST_MARK + index);
}

const FIRST_MARK = 0xdc00;

/** A text as bytes, the contents of files in the place of their marks. */
function withContents(
  text: string | Uint8Array,
  files: readonly ReceivedFile[],
): string | Uint8Array {
  if (typeof text !== 'string' || text.isWellFormed()) return text;
  const parts = text.split(/([\udc00-\udfff])(?<![\ud800-\udbff].)/s);
  return Buffer.concat(
    parts.map((part, index) => {
      const file = index % 2 === 1 ? files[part.charCodeAt(0) - FIRST_MARK] : undefined;
      return file?.content ?? Buffer.from(part);
    }),
  );
}

/** The fields of body mode that say what the headers say. */
function asBodyFields({ steps }: Draft): readonly Field[] {
  return steps.fields.flatMap((field): readonly Field[] => {
    if (field.source !== 'header') return [field];
    const name = COMMON_FIELDS.find(
      (common) => HEADER_OF_FIELD[common].toLowerCase() === field.name.toLowerCase(),
    );
    return name === undefined ? [] : [{ ...field, name, source: 'common' }];
  });
}

/** The headers of header mode that say what the common fields say. */
function asHeaders({ steps }: Draft): readonly Field[] {
  return steps.fields.map((field) =>
    isCommonField(field.name)
      ? { ...field, name: HEADER_OF_FIELD[field.name], source: 'header' }
      : field,
  );
}
