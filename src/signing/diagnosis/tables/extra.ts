import { text } from '../../../json/build.ts';
import { isSignedHeaderName } from '../../../protocol/operations.ts';
import { md5Hex } from '../../../runtime/md5.ts';
import { base64Text, hexText, latin1Text, utf8Text } from '../../bytes.ts';
import type { Field, ReceivedFile } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, UNCOMMON, USUAL } from '../mistake.ts';
import { contentMark, NO_POSITION } from '../signer.ts';
import { type Rows, rowsOf, table } from '../steps.ts';
import PLATFORMS from './other-platforms.json' with { type: 'json' };

// Signed pairs that are not fields of the request.

function pairsOf(text: string): readonly (readonly [name: string, value: string])[] {
  return Array.from(text.matchAll(/(\S+?)=(\S+)/g), ([, name = '', value = '']) => [name, value]);
}

const twice =
  (isTwice: (field: Field) => boolean) =>
  (fields: readonly Field[]): readonly Field[] =>
    fields.flatMap((field) => (isTwice(field) ? [field, field] : [field]));

export const fieldExtra = mistake(
  'field-extra',
  [
    // The usual value of a field of other platforms comes first.
    ...Object.entries(PLATFORMS.constants).flatMap(([name, values]) =>
      values.map((value, index) =>
        extra([[name, value]], 'but not sent', index === 0 ? 3 : UNCOMMON),
      ),
    ),
    // Taobao, JD, Alipay, Alibaba Cloud and Tencent Cloud sign several of them together.
    ...PLATFORMS.constantSets.map((set) => extra(pairsOf(set), 'but not sent', 4)),
    table('fields', '', {
      [RARE]: {
        'every field was signed twice': twice(() => true),
        'the common fields were signed twice': twice(({ source }) => source === 'common'),
        'the business fields were signed twice': twice(({ source }) => source === 'business'),
      },
    }),
  ],
  {
    'headers that are not X-TMS-* headers were signed': otherHeaders,
    'the query, the path or the address was signed as a field, such as url': addressFields,
  },
);

/** Headers that do not belong to the signature: each, every two, and all, as sent or in lower case. */
function otherHeaders({ request }: Evidence): Table {
  const others = (request.headers ?? []).filter(([name]) => !isSignedHeaderName(name));
  const combined = others.slice(0, MAX_COMBINED);
  const pairs = combined.flatMap((first, index) =>
    combined.slice(index + 1).map((second) => [first, second]),
  );
  return [...others.map((header) => [header]), ...pairs, others].flatMap((set) =>
    [(name: string) => name, (name: string) => name.toLowerCase()].flatMap((spell) => {
      const fields = set.map(([name, value]) => [spell(name), value] as const);
      return extra(fields, 'not an X-TMS-* header', set.length === 1 ? 3 : 4);
    }),
  );
}

/** Clients send fewer headers. */
const MAX_COMBINED = 12;

function addressFields({ request: { url = '' } }: Evidence): Table {
  const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*/s, '');
  const short = path.replace(/^\/(?:open\/v1|api\/open)/, '');
  const query = [...new URLSearchParams(/\?([^#]+)/.exec(url)?.[1] ?? '')];
  return [
    ...extra(query, 'not a field of the body', USUAL),
    ...['path', 'uri', 'url', 'method', 'api', 'action'].flatMap((name) =>
      [path, short, short.slice(1), url].flatMap((value) =>
        extra(value === '' ? [] : [[name, value]], 'not a field of the request', RARE),
      ),
    ),
  ];
}

function extra(
  fields: readonly (readonly [name: string, value: string])[],
  how: string,
  cost: number,
): Table {
  if (fields.length === 0) return [];
  const names = fields.map(([name]) => name);
  const pairs = fields.map(([name, value]) => `${name}=${value}`).join(', ');
  const signed = `${fields.length === 1 ? 'was' : 'were'} signed, ${how}`;
  const change = (own: readonly Field[]): readonly Field[] => {
    const present = new Set(own.map(({ name }) => name));
    const added = fields.filter(([name]) => !present.has(name));
    return [...own, ...added.map(([name, value]) => addedField(name, value))];
  };
  const more = { fields: names, slot: `extra ${names}` };
  return table('fields', pairs, { [cost]: { [signed]: change } }, more);
}

function addedField(name: string, value: string): Field {
  return { name, value: text(value), source: 'business', position: NO_POSITION };
}

type FileText = (file: ReceivedFile, content: Uint8Array, index: number) => string;
const FILE_TEXTS: Rows<FileText> = {
  [USUAL]: {
    'with their names': ({ file }) => file,
    'as empty text': () => '',
    'with their content': (_, __, index) => contentMark(index),
    'with their content in Base64': (_, content) => base64Text(content),
    'with the MD5 of their content': (_, content) => md5Hex(content),
  },
  [RARE]: {
    'with @ and their names': ({ file }) => `@${file}`,
    'as [object File]': () => '[object File]',
    'as [object Object]': () => '[object Object]',
    'with their content as Latin-1': (_, content) => latin1Text(content),
    'with their content as UTF-8': (_, content) => utf8Text(content),
    'with their content in hex': (_, content) => hexText(content),
    'with the length of their content': (_, content) => String(content.length),
    'with the MD5 of their content in upper case': (_, content) => md5Hex(content).toUpperCase(),
  },
};

/** Files of a form, which are not signed (D1 5.2). */
export const multipartFileIncluded = mistake('multipart-file-included', [], {
  'files were signed: their names, contents, lengths or digests': ({ files }) => {
    if (files.length === 0) return [];
    const contents = files.map(({ content }) => content ?? new Uint8Array());
    const hasContents = files.every(({ content }) => content !== undefined);
    const texts = rowsOf(FILE_TEXTS).filter(([how]) => hasContents || !how.includes('content'));
    return table(
      'signer',
      'files were signed,',
      texts.map(([how, cost, textOf]) => [
        how,
        cost,
        (signer) => {
          const added = files.map((file, index) =>
            addedField(file.name, textOf(file, contents[index] ?? new Uint8Array(), index)),
          );
          return signer.with({ fields: [...signer.steps.fields, ...added], contents });
        },
      ]),
      { fields: files.map(({ name }) => name) },
    );
  },
});
