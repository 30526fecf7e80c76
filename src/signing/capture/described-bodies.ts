import type { FormField } from '../../http/multipart.ts';
import { jsonObject } from '../../json/parse.ts';
import { printJson } from '../../json/print.ts';
import {
  type JsonObject,
  type JsonValue,
  member,
  memberItems,
  memberText,
} from '../../json/value.ts';
import { base64Bytes, strictUtf8Text } from '../bytes.ts';

/** The order of trying: the lowest rank is the most likely body. */
export const RANK = { ofRequest: 0, body: 1, unnamed: 2, parameters: 3, other: 4 } as const;
export type Rank = (typeof RANK)[keyof typeof RANK];

const BODY =
  /body|payload|data|content|json|^(?:string|text|raw|value|base64|original|encoded|entity|input|args?|dto|form)$|as_(?:string|text|bytes)|req|sen[dt]|post|info|debug/i;
const OF_REQUEST =
  /(?:req|sen[dt]|post|raw).{0,20}(?:body|payload|data|content|param|json|text)|请求/i;
const NOT_BODY =
  /resp|(?:^|\.)res(?:$|[_.-]|[A-Z])|reply|result|return|header|cookie|query|\bpath|path_?param|context|\bmdc\b|transformations|返回|响应/;

/** The rank of a text by its name, such as `request.body`; undefined for another part of a log. */
export function rankOf(name: string | undefined): Rank | undefined {
  if (name === undefined) return RANK.unnamed;
  if (NOT_BODY.test(name) || NOT_BODY.test(name.toLowerCase())) return undefined;
  if (/param/i.test(name)) return RANK.parameters;
  if (OF_REQUEST.test(name)) return RANK.ofRequest;
  return BODY.test(name.split('.').at(-1) ?? '') ? RANK.body : RANK.other;
}

interface Ranked {
  readonly rank: Rank;
  readonly content: unknown;
}

/**
 * The most likely first. Parameters and empty objects count only without a better body: an unsigned
 * body would be right under them.
 */
export function ranked<B extends Ranked>(bodies: readonly B[]): readonly B[] {
  const isEmpty = ({ content }: Ranked): boolean => content === '{}';
  const some = bodies.some((body) => !isEmpty(body))
    ? bodies.filter((body) => !isEmpty(body))
    : bodies;
  const hasNamed = some.some(({ rank }) => rank <= RANK.body);
  return some
    .filter(({ rank }) => !hasNamed || rank !== RANK.parameters)
    .toSorted((a, b) => a.rank - b.rank);
}

const ENVELOPE =
  /^(?:code|err_?(?:no|code|msg)|message|msg|data|result|success|trace_?id|request_?id|time(?:stamp)?)$/i;
const CODE = /^(?:code|err_?(?:no|code)|success)$/i;

/** Whether an object is a response of the platform: `{"code":0,"message":"ok","data":{}}`. */
export function isEnvelope({ members }: JsonObject): boolean {
  return (
    members.length > 1 &&
    members.every(({ name }) => ENVELOPE.test(name)) &&
    members.some(({ name }) => CODE.test(name))
  );
}

export function isBodyText(text: string): boolean {
  if (!/^\s*\{/.test(text) || /"x[-_]tms[-_]sign\\*"/i.test(text)) return false;
  const value = jsonObject(text);
  return value !== undefined && !isEnvelope(value);
}

/** The words that begin a request or a response in a log. The first group matches those of a response. */
const MARK =
  /(HTTP\/\d(?:\.\d)? \d{3}|^\s*(?:<|<<<|<--?)\s|<-- \d{3}|\bres(?:p(?:onse)?)?\b|响应|返回)|-->|>>>|\breq(?:uest)?\b|\bpayload\b|请求/gim;
const MAX_DISTANCE = 1000;

/** Whether a text ends within a response: the last of these words in it begins a response. */
export function endsInResponse(before: string): boolean {
  const marks = [...before.slice(-MAX_DISTANCE).matchAll(MARK)];
  return marks.at(-1)?.[1] !== undefined;
}

export interface DescribedBody {
  readonly rank: Rank;
  readonly content: string | Uint8Array | readonly FormField[];
  readonly type?: string | undefined;
  /** Whether a logger printed the body as an object, not as text. */
  readonly isReprinted?: boolean;
}

/** Names of a body that need not be JSON, such as a form. A text with another name must be JSON. */
const FREE_BODY =
  /^(?:(?:http|request|req|raw|post)[ _-]?)*(?:body|data|payload|content|params|json|string|base64)(?:[_-]?(?:text|raw|string|base64))?$/i;
const MAX_DEPTH = 20;

/**
 * The likely bodies in an object: texts and objects with the name of a body, and other JSON texts.
 */
export function bodiesIn(value: JsonObject): readonly DescribedBody[] {
  return ranked([...bodiesBelow(value, '', 0)]);
}

function* bodiesBelow(value: JsonValue, path: string, depth: number): Generator<DescribedBody> {
  if (depth > MAX_DEPTH || (value.kind === 'object' && isEnvelope(value))) return;
  const isBase64 = isTrue(member(value, 'isBase64Encoded'));
  for (const [name, each] of pairsIn(value)) {
    const rank = rankOf(path + name);
    if (rank === undefined) continue;
    const isNamed = FREE_BODY.test(name);
    const body = isNamed ? bodyIn(each, isBase64) : textBody(each);
    const inner = body ? [] : [...bodiesBelow(each, `${path}${name}.`, depth + 1)];
    if (body) yield { ...body, rank };
    else if (
      isNamed &&
      each.kind === 'object' &&
      inner.length === 0 &&
      !memberText(each, 'mimeType')
    )
      yield { content: printJson(each), isReprinted: true, rank };
    else yield* inner;
  }
}

function isTrue(value: JsonValue | undefined): boolean {
  return value !== undefined && printJson(value) === 'true';
}

type Body = Omit<DescribedBody, 'rank'>;

function textBody(value: JsonValue): Body | undefined {
  if (value.kind !== 'string') return undefined;
  const content = bodyText(value.value, false);
  const text = typeof content === 'string' ? content : strictUtf8Text(content);
  return text !== undefined && isBodyText(text) ? { content } : undefined;
}

const FORM =
  /^(?:type|mode|action|options|size|not|charset|encoding|(?:content|mime)_?type|json|params|text|string|content|body|data|base64|encoded|raw\w*|\w*bytes|\w*truncated)$/i;

function bodyIn(value: JsonValue, isBase64: boolean): Body | undefined {
  if (value.kind === 'string' && value.value !== '')
    return { content: bodyText(value.value, isBase64) };
  if (value.kind !== 'object') return undefined;
  if (memberText(value, 'type') === 'Buffer') {
    const numbers = memberItems(value, 'data').map((item) => Number(scalar(item)));
    return { content: Uint8Array.from(numbers) };
  }
  if (!value.members.every(({ name }) => FORM.test(name)) || value.members.length === 0)
    return isEnvelope(value) ? undefined : { content: printJson(value), isReprinted: true };
  const type = memberText(value, 'mimeType');
  const encoding = memberText(value, 'encoding');
  const mode = memberText(value, 'mode');
  const isForm = type !== undefined || encoding !== undefined || mode !== undefined;
  for (const name of ['text', 'raw', 'string', 'content', 'body', 'data']) {
    const text = memberText(value, name);
    const isCertain = isForm || /^(?:text|raw|string)$/.test(name);
    if (text && (isCertain || isBodyText(text)))
      return { content: bodyText(text, /^base64$/i.test(encoding ?? '')), type };
  }
  const params = memberItems(value, 'params');
  return params.length > 0 ? { content: params.map(formField), type } : undefined;
}

function bodyText(text: string, isBase64: boolean): string | Uint8Array {
  return isBase64 || /^e[yw][\w+/-]{20,}={0,2}\s*$/.test(text) ? base64Bytes(text) : text;
}

function formField(param: JsonValue): FormField {
  const name = memberText(param, 'name') ?? '';
  const file = memberText(param, 'fileName');
  return file === undefined ? { name, value: memberText(param, 'value') ?? '' } : { name, file };
}

/** The names and values in an object, or in a list of pairs, such as the attributes of a trace. */
export function pairsIn(value: JsonValue): readonly (readonly [name: string, value: JsonValue])[] {
  if (value.kind === 'object') return value.members.map((each) => [each.name, opened(each.value)]);
  if (value.kind !== 'array') return [];
  return value.items.flatMap((item) => {
    const [name, each] = item.kind === 'array' ? item.items : [nameIn(item), valueIn(item)];
    return name?.kind === 'string' ? [[name.value, opened(each ?? EMPTY)] as const] : [];
  });
}

const EMPTY: JsonValue = { kind: 'string', value: '' };
const nameIn = (item: JsonValue) => firstMember(item, ['name', 'key', 'Name', 'Key']);
const valueIn = (item: JsonValue) => firstMember(item, ['value', 'Value', 'values']);

function firstMember(value: JsonValue, names: readonly string[]): JsonValue | undefined {
  return names.flatMap((name) => member(value, name) ?? [])[0];
}

/** The first value of a list, and the value of a pair or of `{"stringValue": "AB"}`. */
function opened(value: JsonValue): JsonValue {
  if (value.kind === 'array' && value.items.length === 1 && value.items[0])
    return opened(value.items[0]);
  if (value.kind !== 'object') return value;
  const [only] = value.members.filter(({ name }) => /^(?:\w+Value|values?)$/i.test(name));
  return only && value.members.length <= 2 ? opened(only.value) : value;
}

export function scalar(value: JsonValue): string | undefined {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? value.text : undefined;
}
