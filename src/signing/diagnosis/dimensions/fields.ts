import { text } from '../../../json/build.ts';
import { printJson } from '../../../json/print.ts';
import { isNested, type JsonValue } from '../../../json/value.ts';
import {
  isSignedHeaderName,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { type Header, sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  inFamily,
  type Mistake,
  ODD,
  RARE,
  rarely,
  styled,
  USUAL,
  type Variant,
  variantsIf,
  withCost,
  withFields,
} from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';

/** Which fields take part (D1 5.1 step 1, 5.2 steps 1 and 2). */

export const nullIncluded: Mistake = {
  id: 'null-included',
  fix: 'leave a field that is null out in body mode; in header mode sign it as an empty value, or as the reading null-in-header says',
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

export const emptyDropped: Mistake = {
  id: 'empty-dropped',
  looksInside: true,
  fix: 'sign fields with an empty value as well, as name=',
  variants: ({ nullAs, fields, mode }) => {
    const dropped = (what: string, isEmpty: (value: JsonValue) => boolean): readonly Variant[] =>
      variantsIf(
        fields.some(({ value }) => isEmpty(value)),
        keepFields(`${what} were left out`, ({ value }) => !isEmpty(value)),
      );
    const isEmptyText = (value: JsonValue): boolean => isText(value, '');
    const isNull = (value: JsonValue): boolean => nullAs !== 'omit' && value.kind === 'null';
    return [
      ...dropped('fields with an empty value', (value) => isEmptyText(value) || isNull(value)),
      ...dropped('fields that are null', isNull),
      ...dropped('fields that JavaScript takes for false', (value) =>
        [isEmptyText, isNull, isFalse].some((test) => test(value)),
      ),
      ...dropped(
        'fields that PHP calls empty',
        (value) =>
          [isEmptyText, isNull, isFalse, isBare].some((test) => test(value)) || isText(value, '0'),
      ),
      ...rarely([
        ...dropped('fields that are empty text, but not null,', isEmptyText),
        ...dropped(
          'empty texts, lists and objects',
          (value) => isEmptyText(value) || isBare(value),
        ),
        ...dropped('empty lists and objects', isBare),
        ...dropped('fields of white space alone', isBlank),
        ...dropped('fields that are zero', (value) => value.kind === 'number' && isFalse(value)),
        ...dropped('fields that are false', (value) => value.kind === 'boolean' && !value.value),
      ]),
      ...droppedInside(fields, mode),
    ];
  },
};

export const signIncluded: Mistake = {
  id: 'sign-included',
  fix: 'leave the signature itself out before signing',
  variants: ({ fields, signatureName }) => {
    const sign = fields.filter(({ name }) => name === signatureName);
    const as = (content: string): Variant => {
      const placeholders = sign.map((field) => ({ ...field, value: text(content) }));
      return {
        ...withFields(
          `the field ${signatureName} took part itself, as ${shown(content)}`,
          (signed) => [...signed, ...placeholders],
        ),
        family: `the signature took part itself, as ${shown(content)}`,
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
    const group = (what: string, isMissing: (field: Field) => boolean): readonly Variant[] =>
      variantsIf(
        own.filter(isMissing).length > 1,
        keepFields(`${what} were not signed`, (field) => !isMissing(field)),
      );
    return [
      ...inFamily(
        'some fields were not signed',
        own.map(({ name }) => leaveOut([name])),
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
  fix: 'sign every X-TMS-* header that is sent but X-TMS-Sign, and send every one that is signed',
  variants: (evidence) => {
    if (evidence.mode === 'body') return [];
    const headers = signedHeaders(evidence);
    const documented: readonly string[] = Object.values(SIGN_HEADERS);
    const additional = headers.map(({ name }) => name).filter((name) => !documented.includes(name));
    const version = headers.some(({ name }) => sameName(name, VERSION.name));
    return [
      ...inFamily(
        'some X-TMS-* headers were not signed',
        headers.map(({ name }) => leaveOut([name])),
      ),
      keepFields('none of the X-TMS-* headers was signed', ({ source }) => source !== 'header'),
      ...inFamily(
        'the additional X-TMS-* headers were not signed',
        variantsIf(additional.length > 1, leaveOut(additional)),
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

/** Fields that the signatures of other platforms have. */
const EXTRA_FIELDS: readonly (readonly [name: string, ...values: string[]])[] = [
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
const EXTRA_SETS: readonly (readonly [
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

export const fieldExtra: Mistake = {
  id: 'field-extra',
  fix: 'sign only the fields that are sent, or send every field that is signed',
  variants: (evidence) => {
    const { fields, request } = evidence;
    const names = new Set(fields.map(({ name }) => name));
    const path = request.url?.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*/s, '');
    const extra = (name: string, value: string, how: string, cost = USUAL): Variant => ({
      ...withFields(`${name}=${value} was signed, ${how}`, (signed) => [
        ...signed,
        added(name, value),
      ]),
      fields: [name],
      slot: `extra ${name}`,
      cost,
    });
    const ofAddress = (name: string, value: string | undefined): readonly Variant[] =>
      inFamily(
        'the path or the address was signed as a field: path, uri, url, method, api or action',
        value ? [extra(name, value, 'which is not a field of the request', RARE)] : [],
      );
    return [
      ...EXTRA_FIELDS.filter(([name]) => !names.has(name)).flatMap(([name, ...values]) =>
        inFamily(
          `a constant field was signed, but not sent: ${name}`,
          values.map((value, index) => extra(name, value, 'but not sent', index === 0 ? 3 : ODD)),
        ),
      ),
      ...otherHeaders(evidence).flatMap(([name, value]) =>
        inFamily(
          OTHER_HEADERS,
          [...new Set([name, name.toLowerCase()])].map((spelled) =>
            extra(spelled, value, 'a header that is not an X-TMS-* header', 3),
          ),
        ),
      ),
      ...EXTRA_SETS.map(([platform, extras]) => ({
        ...withFields(
          `${Object.keys(extras).join(', ')} were signed as by ${platform}, but not sent`,
          (signed) => [
            ...signed,
            ...Object.entries(extras).map(([name, value]) => added(name, value)),
          ],
        ),
        family: `the constant fields of a platform were signed, but not sent: ${platform}`,
        fields: Object.keys(extras),
        cost: 4,
      })),
      ...headerSets(evidence),
      ...queryFields(request.url),
      ...['path', 'uri', 'url', 'method', 'api', 'action'].flatMap((name) => [
        ...ofAddress(name, path),
        ...ofAddress(name, path?.replace(/^\/(?:open\/v1|api\/open)/, '')),
        ...ofAddress(name, path?.replace(/^\/(?:open\/v1|api\/open)\//, '')),
      ]),
      ...ofAddress('url', request.url),
    ];
  },
};

const OTHER_HEADERS = 'headers that are not X-TMS-* headers were signed';

/** Several headers that do not belong to the signature, signed together. */
function headerSets(evidence: Evidence): readonly Variant[] {
  const others = otherHeaders(evidence).slice(0, MAX_HEADERS);
  const sets = others.flatMap((first, index) =>
    others.slice(index + 1).map((second): readonly Header[] => [first, second]),
  );
  if (others.length > 2) sets.push(others);
  return sets.flatMap((set) =>
    [(name: string) => name, (name: string) => name.toLowerCase()].map((spell, index) => {
      const names = set.map(([name]) => spell(name));
      return {
        ...withFields(
          `${names.join(', ')} were signed${index === 0 ? '' : ', in lower case'}, which are not X-TMS-* headers`,
          (signed) => [...signed, ...set.map(([name, value]) => added(spell(name), value))],
        ),
        family: OTHER_HEADERS,
        fields: names,
        cost: 4,
      };
    }),
  );
}

/** Enough for the pairs of the headers that a client sends. */
const MAX_HEADERS = 12;

/** The query of the address as fields. */
function queryFields(url = ''): readonly Variant[] {
  const query = /\?([^#]+)/.exec(url)?.[1];
  if (query === undefined) return [];
  const parameters = [...new URLSearchParams(query)];
  return [
    {
      ...withFields('the parameters of the address were signed, which are not fields', (signed) => [
        ...signed,
        ...parameters.map(([name, value]) => added(name, value)),
      ]),
      fields: parameters.map(([name]) => name),
    },
  ];
}

/** A pair that the request does not have. */
function added(name: string, value: string): Field {
  return { name, value: text(value), source: 'business', position: NO_POSITION };
}

/** The headers of the request that do not belong to the signature. */
function otherHeaders({ request }: Evidence): readonly Header[] {
  return (request.headers ?? []).filter(([name]) => !isSignedHeaderName(name));
}

/** The header that every request of header mode has. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

/** The headers that take part. */
export function signedHeaders({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name, source }) => source === 'header' && name !== signatureName);
}

/** How many names stand in a title. */
const MAX_NAMES = 8;

/** Some fields or headers of the request left out. */
export function leaveOut(names: readonly string[]): Variant {
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const title = `${listed} ${names.length === 1 ? 'was' : 'were'} not signed`;
  return { ...keepFields(title, ({ name }) => !names.includes(name)), fields: names };
}

function keepFields(title: string, keep: (field: Field) => boolean): Variant {
  return withFields(title, (signed) => signed.filter(keep));
}

function shown(text: string): string {
  return text === '' ? 'empty text' : `"${text}"`;
}

function isText(value: JsonValue, wanted: string): boolean {
  return value.kind === 'string' && value.value === wanted;
}

function isBare(value: JsonValue): boolean {
  return (
    (value.kind === 'array' && value.items.length === 0) ||
    (value.kind === 'object' && value.members.length === 0)
  );
}

function isBlank(value: JsonValue): boolean {
  return value.kind === 'string' && value.value.trim() === '';
}

function isFalse(value: JsonValue): boolean {
  return (
    (value.kind === 'number' && Number(value.text) === 0) ||
    (value.kind === 'boolean' && !value.value)
  );
}

/** Members that serializers leave out of nested JSON, alone and with the fields like them. */
const INSIDE: readonly {
  readonly what: string;
  readonly isEmpty: (value: JsonValue) => boolean;
}[] = [
  { what: 'nulls', isEmpty: ({ kind }) => kind === 'null' },
  { what: 'empty texts', isEmpty: (value) => isText(value, '') },
  { what: 'nulls and empty texts', isEmpty: (value) => value.kind === 'null' || isText(value, '') },
  {
    what: 'nulls, empty texts, lists and objects',
    isEmpty: (value) => value.kind === 'null' || isText(value, '') || isBare(value),
  },
  {
    what: 'values that PHP calls empty',
    isEmpty: (value) =>
      value.kind === 'null' ||
      isText(value, '') ||
      isText(value, '0') ||
      isBare(value) ||
      isFalse(value),
  },
];

function droppedInside(fields: readonly Field[], mode: Evidence['mode']): readonly Variant[] {
  const seen = new Set([shapeOf(fields)]);
  return INSIDE.flatMap(({ what, isEmpty }) => {
    const inside = (all: readonly Field[]): readonly Field[] =>
      all.map((field) => ({ ...field, value: withoutEmpty(field.value, isEmpty) }));
    const everywhere = (all: readonly Field[]): readonly Field[] =>
      inside(all).filter(({ value, source }) => source === 'header' || !isEmpty(value));
    const variants = [
      { title: `${what} inside nested JSON were left out`, change: inside },
      {
        title: `fields that are ${what} were left out, those inside nested JSON too`,
        change: everywhere,
      },
    ];
    return variants.flatMap(({ title, change }) => {
      const shape = shapeOf(change(fields));
      const plain = fields.filter(({ value }) => mode === 'header' || value.kind !== 'null');
      if (seen.has(shape) || shapeOf(inside(fields)) === shapeOf(fields) || plain.length === 0)
        return [];
      seen.add(shape);
      return [withFields(title, change)];
    });
  });
}

function shapeOf(fields: readonly Field[]): string {
  return fields.map(({ name, value }) => `${name}=${printJson(value)}`).join('\n');
}

function hasInside(value: JsonValue, isEmpty: (value: JsonValue) => boolean): boolean {
  if (value.kind === 'array') return value.items.some((item) => hasInside(item, isEmpty));
  if (value.kind !== 'object') return false;
  return value.members.some((member) => isEmpty(member.value) || hasInside(member.value, isEmpty));
}

/** An object without some members, at every level; items of lists stay. */
function withoutEmpty(value: JsonValue, isEmpty: (value: JsonValue) => boolean): JsonValue {
  // A value that loses nothing keeps the characters with which it was sent.
  if (!hasInside(value, isEmpty)) return value;
  if (value.kind === 'array') {
    return { kind: 'array', items: value.items.map((item) => withoutEmpty(item, isEmpty)) };
  }
  if (value.kind !== 'object') return value;
  const members = value.members
    .filter((member) => !isEmpty(member.value))
    .map((member) => ({ ...member, value: withoutEmpty(member.value, isEmpty) }));
  return { kind: 'object', members };
}
