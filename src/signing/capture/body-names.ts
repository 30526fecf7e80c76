import { jsonObject } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';

/** Names and words around a text show whether it is the body of the request. */

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
