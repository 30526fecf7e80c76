import { text } from '../../../json/build.ts';
import { isSignedHeaderName } from '../../../protocol/operations.ts';
import { hashHex } from '../../../runtime/digests.ts';
import { base64Text, hexText, latin1Text, utf8Text } from '../../bytes.ts';
import type { Header } from '../../header-mode.ts';
import type { Field, ReceivedFile } from '../../received-request.ts';
import { type Evidence, RARE, UNCOMMON, USUAL, type Variant } from '../mistake.ts';
import { contentMark, NO_POSITION } from '../signer.ts';
import { type Row, table } from '../steps.ts';

/** Signed pairs that are not fields of the request. */

/** Fields that other platforms sign, with their values. */
const CONSTANTS: readonly (readonly [name: string, ...values: string[]])[] = [
  ['sign_type', 'MD5', 'md5'],
  ['signType', 'MD5', 'md5'],
  ['sign_method', 'md5', 'MD5'],
  ['signMethod', 'md5', 'MD5'],
  ['signature_method', 'MD5', 'md5'],
  ['version', '1.0', '2.0', 'v1', '1', 'v1.0'],
  ['v', '1.0', '2.0'],
  ['sign_ver', '1.0', '2.0'],
  ['sign_version', '1.0', '2.0'],
  ['api_version', '1.0'],
  ['format', 'json', 'JSON'],
  ['charset', 'utf-8', 'UTF-8'],
  ['input_charset', 'UTF-8', 'utf-8'],
  ['_input_charset', 'utf-8', 'UTF-8'],
  ['lang', 'zh-CN', 'zh_CN', 'zh'],
  ['method', 'POST', 'post'],
  ['http_method', 'POST'],
];

/** The constant fields of well-known platforms, signed together. */
const CONSTANT_SETS: readonly (readonly [
  platform: string,
  fields: Readonly<Record<string, string>>,
])[] = [
  ['Taobao', { sign_method: 'md5', format: 'json', v: '2.0' }],
  ['Taobao', { sign_method: 'md5', format: 'json' }],
  ['Taobao', { sign_method: 'md5', v: '2.0' }],
  ['JD', { sign_method: 'md5', format: 'json', v: '1.0' }],
  ['Alipay', { sign_type: 'MD5', charset: 'utf-8', version: '1.0', format: 'JSON' }],
  ['Alipay', { sign_type: 'MD5', charset: 'utf-8' }],
  ['Alipay', { sign_type: 'MD5', _input_charset: 'utf-8' }],
  ['Alibaba Cloud', { SignatureMethod: 'HMAC-SHA1', SignatureVersion: '1.0', Format: 'JSON' }],
  ['Tencent Cloud', { SignatureMethod: 'HmacSHA256' }],
];

export const CONSTANT_FIELDS = table('field-extra', 'fields', '', [
  ...CONSTANTS.flatMap(([name, ...values]) =>
    values.map((value, index) =>
      extra({ [name]: value }, 'but not sent', index === 0 ? 3 : UNCOMMON),
    ),
  ),
  ...CONSTANT_SETS.map(([platform, fields]) =>
    extra(fields, `as ${platform} requires, but not sent`, 4),
  ),
]);

/** Headers that do not belong to the signature: each, every two, and all, as sent or in lower case. */
export function otherHeaders({ request }: Evidence): readonly Variant[] {
  const others = (request.headers ?? []).filter(([name]) => !isSignedHeaderName(name));
  const single = others.map((header): readonly Header[] => [header]);
  const combined = others.slice(0, MAX_COMBINED);
  const pairs = combined.flatMap((first, index) =>
    combined.slice(index + 1).map((second): readonly Header[] => [first, second]),
  );
  const sets = [...single, ...pairs, ...(others.length > 2 ? [others] : [])];
  return table(
    'field-extra',
    'fields',
    '',
    sets.flatMap((set) =>
      [(name: string) => name, (name: string) => name.toLowerCase()].map((spell) => {
        const fields = Object.fromEntries(set.map(([name, value]) => [spell(name), value]));
        return extra(fields, 'but are not X-TMS-* headers', set.length === 1 ? 3 : 4);
      }),
    ),
  );
}

/** Clients send fewer headers. */
const MAX_COMBINED = 12;

/** The query, the path and the address, signed as fields. */
export function addressFields({ request: { url = '' } }: Evidence): readonly Variant[] {
  const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*/s, '');
  const short = path.replace(/^\/(?:open\/v1|api\/open)/, '');
  const values = new Set([path, short, short.slice(1), url].filter((value) => value !== ''));
  const query = Object.fromEntries(new URLSearchParams(/\?([^#]+)/.exec(url)?.[1] ?? ''));
  return table('field-extra', 'fields', '', [
    ...(Object.keys(query).length > 0
      ? [extra(query, 'parameters of the address that are not fields', USUAL)]
      : []),
    ...[...values].flatMap((value) =>
      ['path', 'uri', 'url', 'method', 'api', 'action'].map((name) =>
        extra({ [name]: value }, 'not a field of the request', RARE),
      ),
    ),
  ]);
}

function extra(fields: Readonly<Record<string, string>>, how: string, cost: number): Row<'fields'> {
  const names = Object.keys(fields);
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return [
    names.length === 1
      ? `${pairs} was signed, ${how.replace('are not X-TMS-* headers', 'is not an X-TMS-* header')}`
      : `${names.join(', ')} were signed, ${how}`,
    cost,
    (signed) => {
      const present = new Set(signed.map(({ name }) => name));
      const added = Object.entries(fields).filter(([name]) => !present.has(name));
      return [...signed, ...added.map(([name, value]) => addedField(name, value))];
    },
    { fields: names, slot: `extra ${names}` },
  ];
}

/** A field that the request does not contain. */
function addedField(name: string, value: string): Field {
  return { name, value: text(value), source: 'business', position: NO_POSITION };
}

/** Texts of a file of a form, which is not signed (D1 5.2). */
const FILE_TEXTS: readonly (readonly [
  how: string,
  cost: number,
  textOf: (file: ReceivedFile, content: Uint8Array, index: number) => string,
])[] = [
  ['with their names', 2, ({ file }) => file],
  ['as empty text', 2, () => ''],
  ['with @ and their names', RARE, ({ file }) => `@${file}`],
  ['as [object File]', RARE, () => '[object File]'],
  ['as [object Object]', RARE, () => '[object Object]'],
  ['with their content', 2, (_, __, index) => contentMark(index)],
  ['with their content in Base64', 2, (_, content) => base64Text(content)],
  ['with the MD5 of their content', 2, (_, content) => hashHex('md5', content)],
  ['with their content as Latin-1', RARE, (_, content) => latin1Text(content)],
  ['with their content as UTF-8', RARE, (_, content) => utf8Text(content)],
  ['with their content in hex', RARE, (_, content) => hexText(content)],
  ['with their length', RARE, (_, content) => String(content.length)],
  [
    'with the MD5 of their content in upper case',
    RARE,
    (_, content) => hashHex('md5', content).toUpperCase(),
  ],
];

/** Files that were signed like fields. */
export function filesIncluded({ files }: Evidence): readonly Variant[] {
  if (files.length === 0) return [];
  const contents = files.map(({ content }) => content ?? new Uint8Array());
  const hasContents = files.every(({ content }) => content !== undefined);
  const texts = FILE_TEXTS.filter(([, , textOf]) => hasContents || textOf.length < 2);
  return table(
    'multipart-file-included',
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
      { fields: files.map(({ name }) => name) },
    ]),
  );
}
