import { text } from '../../../json/build.ts';
import { isSignedHeaderName } from '../../../protocol/operations.ts';
import type { Header } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  inFamily,
  type Mistake,
  RARE,
  UNCOMMON,
  USUAL,
  type Variant,
  withFields,
} from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';

/** Signed pairs that are not fields of the request. */

/** Fields that other platforms sign. */
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
        value ? [extra(name, value, 'not a field of the request', RARE)] : [],
      );
    return [
      ...EXTRA_FIELDS.filter(([name]) => !names.has(name)).flatMap(([name, ...values]) =>
        inFamily(
          `a constant field was signed, but not sent: ${name}`,
          values.map((value, index) =>
            extra(name, value, 'but not sent', index === 0 ? 3 : UNCOMMON),
          ),
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
          `${Object.keys(extras).join(', ')} were signed as ${platform} requires, but not sent`,
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
          `${names.join(', ')} were signed${index === 0 ? '' : ', in lower case'}, but are not X-TMS-* headers`,
          (signed) => [...signed, ...set.map(([name, value]) => added(spell(name), value))],
        ),
        family: OTHER_HEADERS,
        fields: names,
        cost: 4,
      };
    }),
  );
}

/** Maximum headers that are combined in pairs: clients send fewer. */
const MAX_HEADERS = 12;

/** The query parameters of the address, signed as fields. */
function queryFields(url = ''): readonly Variant[] {
  const query = /\?([^#]+)/.exec(url)?.[1];
  if (query === undefined) return [];
  const parameters = [...new URLSearchParams(query)];
  return [
    {
      ...withFields(
        'the query parameters of the address were signed, but are not fields',
        (signed) => [...signed, ...parameters.map(([name, value]) => added(name, value))],
      ),
      fields: parameters.map(([name]) => name),
    },
  ];
}

/** A field that the request does not contain. */
function added(name: string, value: string): Field {
  return { name, value: text(value), source: 'business', position: NO_POSITION };
}

/** The headers of the request that do not belong to the signature. */
function otherHeaders({ request }: Evidence): readonly Header[] {
  return (request.headers ?? []).filter(([name]) => !isSignedHeaderName(name));
}
