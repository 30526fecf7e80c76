import type { FormField } from '../../http/multipart.ts';
import { printJson } from '../../json/print.ts';
import {
  type JsonObject,
  type JsonValue,
  member,
  memberItems,
  memberText,
} from '../../json/value.ts';
import { base64Bytes, strictUtf8Text } from '../bytes.ts';
import { isBodyText, isEnvelope, type Rank, ranked, rankOf } from './body-names.ts';
import { pairsIn, scalar } from './json-pairs.ts';

export interface DescribedBody {
  readonly rank: Rank;
  readonly content: string | Uint8Array | readonly FormField[];
  readonly type?: string | undefined;
  /** Whether a logger printed the body as an object, not as text. */
  readonly isReprinted?: boolean;
}

/** Names of a body that need not be JSON, such as a form. A text with another name must be JSON. */
const BODY =
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
    const isNamed = BODY.test(name);
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
