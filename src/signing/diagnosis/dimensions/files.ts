import { hash } from 'node:crypto';
import { text } from '../../../json/build.ts';
import type { Field, ReceivedFile } from '../../received-request.ts';
import { type Mistake, rarely, type Variant } from '../mistake.ts';
import { contentMark, NO_POSITION } from '../signer.ts';

/** Files of a form, which are not signed (D1 5.2). */

export const multipartFileIncluded: Mistake = {
  id: 'multipart-file-included',
  fix: 'sign only the text fields of a form, not its files',
  variants: ({ files }) => {
    if (files.length === 0) return [];
    const contents = files.map(({ content }) => Buffer.from(content ?? []));
    const included = (
      how: string,
      textOf: (file: ReceivedFile, content: Buffer, index: number) => string,
    ): Variant => {
      const added = files.map(
        (file, index): Field => ({
          name: file.name,
          value: text(textOf(file, contents[index] ?? Buffer.of(), index)),
          source: 'business',
          position: NO_POSITION,
        }),
      );
      return {
        title: `files were signed, ${how}`,
        fields: files.map(({ name }) => name),
        change: (signer) => signer.with({ fields: [...signer.steps.fields, ...added], contents }),
      };
    };
    const withNames = [
      included('with their names', ({ file }) => file),
      included('as empty text', () => ''),
      ...rarely([
        included('with @ and their names', ({ file }) => `@${file}`),
        included('as [object File]', () => '[object File]'),
        included('as [object Object]', () => '[object Object]'),
      ]),
    ];
    if (files.some(({ content }) => content === undefined)) return withNames;
    return [
      ...withNames,
      included('with their content', (_, __, index) => contentMark(index)),
      included('with their content in Base64', (_, bytes) => bytes.toString('base64')),
      included('with the MD5 of their content', (_, bytes) => hash('md5', bytes, 'hex')),
      ...rarely([
        included('with their content as Latin-1', (_, bytes) => bytes.toString('latin1')),
        included('with their content as UTF-8', (_, bytes) => bytes.toString('utf8')),
        included('with their length', (_, bytes) => String(bytes.length)),
        included('with the MD5 of their content in upper case', (_, bytes) =>
          hash('md5', bytes, 'hex').toUpperCase(),
        ),
      ]),
    ];
  },
};
