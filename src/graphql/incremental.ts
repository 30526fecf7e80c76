import { MopError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import {
  type JsonMember,
  type JsonObject,
  type JsonValue,
  member,
  memberItems,
  memberText,
} from '../json/value.ts';
import { excerpt } from '../redaction/redact.ts';
import {
  asResponse,
  type GraphqlResponse,
  hasNext,
  pieceError,
  RESPONSE_LIMIT,
} from './response.ts';

/** The fields of a request that messages need: the host to name, and the secrets to redact. */
type SentRequest = Pick<HttpRequest, 'url' | 'secrets'>;

type Responses = AsyncIterable<GraphqlResponse>;

/** Members of a payload that control merging. The result omits them. */
const DELIVERY: readonly string[] = ['hasNext', 'pending', 'incremental', 'completed'];

/**
 * Merges the parts of each result that does not arrive whole (`@defer`, `@stream`). Reads the
 * payloads of graphql-js 17 (`pending`, `completed`), those of 2022 (`incremental` with a `path`),
 * and those of 2020 (a `path` at the top).
 *
 * @throws {MopError} `api` when parts are missing at the end, do not fit the result, or have more
 *   than 64 MiB together.
 */
export async function* mergedResults(
  parts: Responses,
  request: SentRequest,
): AsyncGenerator<GraphqlResponse> {
  let open: Merge | undefined;
  for await (const part of parts) {
    if (open) {
      open.add(part.json);
    } else if (hasNext(part) !== undefined) {
      open = new Merge(part.json, request);
    } else {
      yield part;
      continue;
    }
    if (hasNext(part)) continue;
    yield open.result();
    open = undefined;
  }
  if (open) throw incompleteError(request);
}

/**
 * Yields the parts of one result, up to the last.
 *
 * @throws {MopError} `api` when parts are missing.
 */
export async function* partsOfOne(
  parts: Responses,
  request: SentRequest,
): AsyncGenerator<GraphqlResponse> {
  let isEmpty = true;
  for await (const part of parts) {
    yield part;
    if (!hasNext(part)) return;
    isEmpty = false;
  }
  throw isEmpty ? noResultError() : incompleteError(request, 'run it without @defer and @stream');
}

/**
 * The first result of an operation that has only one.
 *
 * @throws {MopError} `api` when it is missing.
 */
export async function onlyResult(
  results: AsyncGenerator<GraphqlResponse>,
): Promise<GraphqlResponse> {
  const { value: result } = await results.next();
  await results.return(undefined);
  if (result) return result;
  throw noResultError();
}

function noResultError(): MopError {
  return new MopError('api', 'the operation was completed without a result', {
    hint: '--verbose shows the exchange',
  });
}

function incompleteError(
  { url }: SentRequest,
  hint = 'run it without @defer and @stream; --stream prints the parts that arrive',
): MopError {
  const message = `${url.host} announced more parts of the result, but did not send them`;
  return new MopError('api', message, { hint });
}

/** The parts of one result that have arrived. */
class Merge {
  readonly #request: SentRequest;
  readonly #first: JsonObject;
  #data: JsonValue | undefined;
  #extensions: JsonValue | undefined;
  readonly #errors: JsonValue[] = [];
  /** The characters of all parts: a subscription may announce parts without an end. */
  #length = 0;
  /** Paths of announced parts, by `id`. */
  readonly #pending = new Map<string, readonly JsonValue[]>();

  constructor(part: JsonValue, request: SentRequest) {
    this.#request = request;
    // A stored text would not change with its values.
    const first = parseJson(printJson(part));
    if (first.kind !== 'object' || !(member(first, 'data') ?? member(first, 'errors'))) {
      throw this.#mismatchError(first);
    }
    this.#first = first;
    this.#data = member(first, 'data');
    this.#addPart(first);
  }

  add(part: JsonValue): void {
    // The payloads of 2020.
    if (member(part, 'path')) this.#place(part);
    this.#addPart(part);
  }

  /** @throws {MopError} `api` when announced parts are missing. */
  result(): GraphqlResponse {
    if (this.#pending.size > 0) throw incompleteError(this.#request);
    const merged = new Map<string, JsonValue | undefined>([
      ['data', this.#data],
      ['errors', this.#errors.length > 0 ? { kind: 'array', items: this.#errors } : undefined],
      ['extensions', this.#extensions],
    ]);
    const names = this.#first.members.map(({ name }) => name);
    const members = [...new Set([...names, ...merged.keys()])]
      .filter((name) => !DELIVERY.includes(name))
      .flatMap((name): JsonMember[] => {
        const value = merged.has(name) ? merged.get(name) : member(this.#first, name);
        return value ? [{ name, value }] : [];
      });
    const json: JsonObject = { kind: 'object', members };
    const response = asResponse(json);
    if (response) return response;
    throw this.#mismatchError(json);
  }

  /** Adds all of a payload except its own `data` and `items`. */
  #addPart(part: JsonValue): void {
    this.#length += printJson(part).length;
    if (this.#length > RESPONSE_LIMIT.maxBytes) {
      throw pieceError(this.#request.url.host, 'a result of more than 64 MiB in parts');
    }
    this.#addDetails(part);
    for (const announced of memberItems(part, 'pending')) {
      const id = memberText(announced, 'id');
      const path = member(announced, 'path');
      if (id === undefined || path?.kind !== 'array') throw this.#mismatchError(announced);
      this.#pending.set(id, path.items);
    }
    for (const entry of memberItems(part, 'incremental')) {
      this.#place(entry);
      this.#addDetails(entry);
    }
    for (const done of memberItems(part, 'completed')) {
      this.#addDetails(done);
      if (!this.#pending.delete(memberText(done, 'id') ?? '')) throw this.#mismatchError(done);
    }
  }

  #addDetails(payload: JsonValue): void {
    for (const error of memberItems(payload, 'errors')) this.#errors.push(error);
    const extensions = member(payload, 'extensions');
    if (extensions) this.#extensions = merge(this.#extensions, extensions);
  }

  /** Inserts the `data` or `items` of a payload at their place; null means that they failed. */
  #place(payload: JsonValue): void {
    const id = memberText(payload, 'id');
    const path = id === undefined ? stepsOf(payload, 'path') : this.#pathOf(id, payload);
    const data = member(payload, 'data');
    const items = member(payload, 'items');
    if (!path) throw this.#mismatchError(payload);
    if (items?.kind === 'array') {
      // The path of a payload with an `id` is that of the list. Without it, the path ends with the
      // index of the first new item.
      const [list, from] =
        id === undefined ? this.#parentAndStep(path) : [this.#valueAt(path), undefined];
      if (list?.kind !== 'array') throw this.#mismatchError(payload);
      let at = from === undefined ? list.items.length : indexOf(from);
      for (const item of items.items) this.#putItem(list, at++, item, payload);
    } else if (data && data.kind !== 'null') {
      const [parent, step] = this.#parentAndStep(path);
      if (!step) {
        this.#data = merge(this.#data, data);
      } else if (parent?.kind === 'array') {
        this.#putItem(parent, indexOf(step), data, payload);
      } else {
        const target = this.#valueAt(path);
        if (target?.kind !== 'object' || data.kind !== 'object') throw this.#mismatchError(payload);
        merge(target, data);
      }
    }
  }

  #pathOf(id: string, payload: JsonValue): readonly JsonValue[] | undefined {
    const path = this.#pending.get(id);
    return path && [...path, ...(stepsOf(payload, 'subPath') ?? [])];
  }

  /** The value that contains the end of a path, and its last step. The whole data has no step. */
  #parentAndStep(
    path: readonly JsonValue[],
  ): [parent: JsonValue | undefined, step: JsonValue | undefined] {
    return [this.#valueAt(path.slice(0, -1)), path.at(-1)];
  }

  #valueAt(path: readonly JsonValue[]): JsonValue | undefined {
    return path.reduce(
      (value: JsonValue | undefined, step) =>
        step.kind === 'string'
          ? member(value, step.value)
          : value?.kind === 'array'
            ? value.items[indexOf(step)]
            : undefined,
      this.#data,
    );
  }

  /** Merges into an existing item of a list, or appends the next one. */
  #putItem(
    list: JsonValue & { kind: 'array' },
    at: number,
    item: JsonValue,
    payload: JsonValue,
  ): void {
    if (!(at >= 0 && at <= list.items.length)) throw this.#mismatchError(payload);
    writable(list.items)[at] = merge(list.items[at], item);
  }

  #mismatchError(payload: JsonValue): MopError {
    const { url, secrets } = this.#request;
    const shown = excerpt(printJson(payload), secrets);
    return new MopError('api', `${url.host} sent a part that does not fit the result: ${shown}`, {
      hint: '--stream prints the parts as they arrive',
    });
  }
}

/** A step of a path as an index; NaN when it is not one. */
function indexOf(step: JsonValue): number {
  return step.kind === 'number' && /^\d+$/.test(step.text) ? Number(step.text) : Number.NaN;
}

function stepsOf(payload: JsonValue, name: string): readonly JsonValue[] | undefined {
  const path = member(payload, name);
  return path?.kind === 'array' ? path.items : undefined;
}

/** Merges `value` into `target` in place: members by name, items by index. Other values replace it. */
function merge(target: JsonValue | undefined, value: JsonValue): JsonValue {
  if (target?.kind === 'object' && value.kind === 'object') {
    const members = writable(target.members);
    const places = new Map(members.map(({ name }, at) => [name, at]));
    for (const { name, value: added } of value.members) {
      const at = places.get(name) ?? members.length;
      places.set(name, at);
      members[at] = { name, value: merge(members[at]?.value, added) };
    }
    return target;
  }
  if (target?.kind === 'array' && value.kind === 'array') {
    const items = writable(target.items);
    for (const [at, item] of value.items.entries()) items[at] = merge(items[at], item);
    return target;
  }
  return value;
}

/**
 * Nothing else reads the merged parts, so their lists can be changed in place. Copying a list for
 * each item would take quadratic time.
 */
function writable<T>(items: readonly T[]): T[] {
  return items as T[];
}
