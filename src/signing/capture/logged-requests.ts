import type { MopError } from '../../errors.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { captureFault } from './capture-fault.ts';
import { shown } from './captured-request.ts';
import {
  bodiesIn,
  type DescribedBody,
  endsInResponse,
  isBodyText,
  isEnvelope,
  RANK,
  ranked,
  rankOf,
} from './described-bodies.ts';
import { capturedRequest, type DescribedRequest, signedRequests } from './described-request.ts';
import { type HeaderGroup, headerGroups, lastOfEach } from './logged-headers.ts';
import { type FoundObject, objectsIn } from './objects.ts';
import { type CaptureEntry, type CaptureReader, mentionsSignature } from './source.ts';

/**
 * Reads the requests that JSON objects describe, and headers with the bodies near them. Each body
 * is a reading of the request.
 */
export const LOGGED_REQUESTS: CaptureReader = {
  format: 'log',
  isFormat: ({ text }) => mentionsSignature(text.replaceAll('_', '-')) && text.includes('{'),
  read: ({ text }) => {
    const groups = headerGroups(text);
    const places = [...placesIn(text, groups.length > 0)];
    const described = places.flatMap(({ start, end, requests }) =>
      requests.map((request) => placed(start, request, addressNear(text, start, end))),
    );
    return [...described, ...groupEntries(text, groups, places)]
      .sort((a, b) => a.start - b.start)
      .map(({ entry }) => entry);
  },
};

/** An object of a log: the requests in it, or else the bodies that it may be or contain. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly requests: readonly DescribedRequest[];
  readonly bodies: readonly DescribedBody[];
  /** Whether headers in it belong to its requests, or to a text below a layer. */
  readonly ownsHeaders: boolean;
}

function* placesIn(text: string, hasHeaders: boolean): Generator<Place> {
  for (const object of objectsIn(text)) {
    const { start, end } = object;
    const requests = signedRequests(object.value, object.text);
    const isBelow = /x-tms-sign/i.test(object.text) && !/"x-tms-sign/i.test(object.text);
    const bodies = hasHeaders && requests.length === 0 ? bodiesOf(object, text) : [];
    yield { start, end, requests, bodies, ownsHeaders: requests.length > 0 || isBelow };
  }
}

/** The name before a value: `body=`, `"payload": "`, `the body was: `, `text: |-` of YAML. */
const LABEL =
  /([A-Za-z_][\w.]*)(?: (?:is|was|are|follows|here|below)){0,2}["']?\s?[=:：]\s?(?:(?:!!\w+ )?[|>]-?\s+|["'])?$/;
const LOG_MEMBER = /^(?:@timestamp|ts|level|lvl|severity|msg|message|log|logger)$/i;

function bodiesOf({ value, text, start, isInner }: FoundObject, log: string): DescribedBody[] {
  const before = log.slice(Math.max(0, start - 40), start);
  const isMember = /":\s*\[\s*$/.test(before) || (isInner && /(?:[[,]|"\s*:)\s*$/.test(before));
  if (isMember || /"x[-_]tms[-_]sign/i.test(text)) return [];
  const [label = '', name] = LABEL.exec(before) ?? [];
  const named = rankOf(name);
  // A title in its own line may be in any language.
  const rank = named === RANK.other && label.includes('\n') ? RANK.unnamed : named;
  if (rank === undefined) return [];
  const isLine = rank > RANK.body && value.members.some(({ name }) => LOG_MEMBER.test(name));
  const own = { content: text, rank: isLine || isEnvelope(value) ? RANK.other : rank };
  const inner = bodiesIn(value).filter(
    ({ content }) => typeof content !== 'string' || isBodyText(content),
  );
  // The members of a body may have the names of bodies too.
  const least = isLine ? RANK.unnamed : RANK.other;
  return [own, ...inner.map((body) => ({ ...body, rank: least }))];
}

interface PlacedEntry {
  readonly start: number;
  readonly entry: CaptureEntry;
}

/** The requests whose headers are outside the objects that describe a request. */
function groupEntries(
  text: string,
  groups: readonly HeaderGroup[],
  places: readonly Place[],
): readonly PlacedEntry[] {
  const entries: PlacedEntry[] = [];
  const lost: HeaderGroup[] = [];
  const judged = new Set(places.flatMap(({ requests }) => requests.map(signatureIn)));
  let first = 0;
  let after = 0;
  for (const [index, group] of groups.entries()) {
    const from = groups[index - 1]?.end ?? 0;
    const to = groups[index + 1]?.start ?? text.length;
    while (first < places.length && (places[first]?.end ?? 0) < from) first++;
    after = Math.max(after, first);
    while (after < places.length && (places[after]?.start ?? 0) < group.start) after++;
    const near = places
      .slice(Math.max(first, after - MAX_BODIES), after + MAX_BODIES)
      .filter(({ start }) => start < to);
    const isOwned = near.some(
      ({ ownsHeaders, start, end }) => ownsHeaders && start <= group.start && group.end <= end,
    );
    if (isOwned) continue;
    const bodies = rankedBodies(near, group, from, text);
    const [body] = bodies;
    if (body === undefined) {
      lost.push(group);
      continue;
    }
    judged.add(signatureIn(group));
    const address = addressNear(text, Math.max(from, group.start), group.end);
    const doubt = body.rank === RANK.other ? bodyNotFound(group) : undefined;
    const request = { headers: lastOfEach(group.headers), bodies, doubt };
    entries.push(placed(group.start, request, address));
  }
  const isJudged = (group: HeaderGroup): boolean => judged.has(signatureIn(group));
  return [...entries, ...lost.filter((group) => !isJudged(group)).map(withoutBody)];
}

const MAX_BODIES = 50;

/**
 * The bodies by their names, then those after the headers. An object without a name in a line
 * before the headers is rarely their body.
 */
function rankedBodies(
  places: readonly Place[],
  { start, end }: HeaderGroup,
  from: number,
  text: string,
): readonly DescribedBody[] {
  const after = places.filter((place) => place.start > start);
  const before = places.filter((place) => place.start < start).reverse();
  const line = text.lastIndexOf('\n', start);
  const bodies = [...after, ...before].flatMap((place) => {
    if (endsInResponse(text.slice(place.start < start ? from : end, place.start))) return [];
    const isFar = place.end <= line;
    return place.bodies.map((body) =>
      isFar && body.rank === RANK.unnamed ? { ...body, rank: RANK.other } : body,
    );
  });
  return ranked(bodies);
}

function placed(start: number, request: DescribedRequest, address: Address): PlacedEntry {
  const { method = address.method, url = address.url } = request;
  const read = () => capturedRequest({ ...request, method, url }, 'log');
  return { start, entry: { looksSigned: true, read } };
}

/** An entry for headers whose body was not found: no request is dropped. */
function withoutBody(group: HeaderGroup): PlacedEntry {
  const read = () => {
    throw bodyNotFound(group);
  };
  return { start: group.start, entry: { looksSigned: true, read } };
}

function bodyNotFound(group: HeaderGroup): MopError {
  return captureFault('log', 'body-not-found', [shown(signatureIn(group))]);
}

function signatureIn({ headers }: { readonly headers: readonly Header[] }): string {
  return headerValue(headers, SIGN_HEADERS.sign) ?? '';
}

interface Address {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

const ADDRESS =
  /\b([A-Z]{3,10})["']?[ ,]{1,2}["']?((?:https?:\/\/|\/)[^\s"'\\,]{0,2000}[^\s"'\\,:])/;
const URL_MEMBER =
  /\b(?:url|uri|request_uri|path|endpoint)["']?\s{0,4}[:=]\s{0,4}["']?((?:https?:\/\/|\/)[^\s"'\\,]{1,2000})/i;
const MAX_DISTANCE = 4000;

/** The address in the lines of a request, or else the one before it. */
function addressNear(text: string, start: number, end: number): Address {
  const before = text.slice(Math.max(0, start - MAX_DISTANCE), start);
  const after = text.slice(end, end + MAX_DISTANCE);
  const line = addressIn(
    before.slice(before.lastIndexOf('\n') + 1) + text.slice(start, end) + /^.*/.exec(after)?.[0],
  );
  return line.url === undefined ? { ...addressIn(before), ...line } : line;
}

function addressIn(text: string): Address {
  const [, method, url] = ADDRESS.exec(text) ?? [];
  const found = url ?? URL_MEMBER.exec(text)?.[1];
  return found === undefined ? {} : { method, url: found };
}
