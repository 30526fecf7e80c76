import { append } from '../any-length.ts';
import { MopError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { list, object } from '../json/build.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { type JsonObject, type JsonValue, member, memberItems, memberText } from '../json/value.ts';
import { excerpt } from '../redaction/redact.ts';
import {
  asResponse,
  type GraphqlResponse,
  hasNext,
  pieceError,
  RESPONSE_LIMIT,
  TRACE_HINT,
} from './response.ts';

/** The fields of a request that messages need: the host to name, and the secrets to redact. */
type SentRequest = Pick<HttpRequest, 'url' | 'secrets'>;

type Responses = AsyncIterable<GraphqlResponse>;

/**
 * Merges the parts of each result (`@defer`, `@stream`): the payloads of graphql-js 17 (`pending`,
 * `completed`), and those of yoga and Apollo Server (`incremental` with a `path`).
 */
export async function* mergedResults(
  parts: Responses,
  request: SentRequest,
): AsyncGenerator<GraphqlResponse> {
  let open: Merge | undefined;
  for await (const part of parts) {
    if (!open && hasNext(part) === undefined) {
      yield part;
      continue;
    }
    open ??= new Merge(request);
    open.add(part);
    if (hasNext(part)) continue;
    yield open.result();
    open = undefined;
  }
  if (open) throw incompleteError(request);
}

/** Yields the parts of one result, up to the last; throws `api` when parts are missing. */
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
  throw isEmpty ? noResultError() : incompleteError(request);
}

export async function onlyResult(
  results: AsyncGenerator<GraphqlResponse>,
): Promise<GraphqlResponse> {
  const { value: result } = await results.next();
  await results.return(undefined);
  if (result) return result;
  throw noResultError();
}

/** Members that only the entries of a later part may have. */
const CONTENT: readonly string[] = ['data', 'items', 'path'];

class Merge {
  readonly #request: SentRequest;
  /** The first part. The others are merged into it in place. */
  #result: JsonObject | undefined;
  /** The characters of all parts: a subscription may announce parts without an end. */
  #length = 0;
  readonly #pending = new Map<string, readonly JsonValue[]>();

  constructor(request: SentRequest) {
    this.#request = request;
  }

  add({ json }: GraphqlResponse): void {
    const text = printJson(json);
    this.#length += text.length;
    if (this.#length > RESPONSE_LIMIT.maxBytes) {
      throw pieceError(
        this.#request.url.host,
        `a result of more than ${RESPONSE_LIMIT.maxBytes / 1024 ** 2} MiB in parts`,
      );
    }
    // A member that is stored as text would not change with its values.
    const part = parseJson(text);
    if (this.#result) {
      // Refuse the oldest dialect, whose parts have a path and data of their own.
      const isPart = hasNext({ json: part }) !== undefined;
      if (!isPart || CONTENT.some((name) => member(part, name))) this.#misfit(part);
      this.#addDetails(part);
    } else this.#result = this.#withoutControl(part);
    for (const announced of memberItems(part, 'pending')) {
      const id = memberText(announced, 'id') ?? this.#misfit(announced);
      this.#pending.set(id, pathIn(announced, 'path') ?? this.#misfit(announced));
    }
    for (const entry of memberItems(part, 'incremental')) {
      this.#place(entry);
      this.#addDetails(entry);
    }
    for (const done of memberItems(part, 'completed')) {
      this.#addDetails(done);
      if (!this.#pending.delete(memberText(done, 'id') ?? '')) this.#misfit(done);
    }
  }

  result(): GraphqlResponse {
    if (this.#pending.size > 0) throw incompleteError(this.#request);
    return asResponse(this.#result) ?? this.#misfit(this.#result);
  }

  /** The first part without the members that control merging. */
  #withoutControl(part: JsonValue): JsonObject {
    const control = ['hasNext', 'pending', 'incremental', 'completed'];
    if (part.kind !== 'object' || !(member(part, 'data') ?? member(part, 'errors'))) {
      return this.#misfit(part);
    }
    return { kind: 'object', members: part.members.filter(({ name }) => !control.includes(name)) };
  }

  #addDetails(payload: JsonValue): void {
    const errors = memberItems(payload, 'errors');
    const known = memberItems(this.#result, 'errors');
    if (known.length > 0) append(writable(known), errors);
    else if (errors.length > 0) this.#merge({ errors: list(errors) });
    const extensions = member(payload, 'extensions');
    if (extensions) this.#merge({ extensions });
  }

  /** Inserts the `data` or `items` of a payload at their place; null means that they failed. */
  #place(entry: JsonValue): void {
    const id = memberText(entry, 'id');
    const path =
      id === undefined
        ? (pathIn(entry, 'path') ?? this.#misfit(entry))
        : [...(this.#pending.get(id) ?? this.#misfit(entry)), ...(pathIn(entry, 'subPath') ?? [])];
    const items = member(entry, 'items');
    const data = member(entry, 'data');
    const hasFailed = memberItems(entry, 'errors').length > 0;
    if ((items ?? data)?.kind === 'null' && !hasFailed) this.#misfit(entry);
    if (items?.kind === 'array') {
      // Without an `id`, the path ends with the index of the first new item.
      const target = this.#valueAt(id === undefined ? path.slice(0, -1) : path);
      if (target?.kind !== 'array') this.#misfit(entry);
      let at = id === undefined ? indexOf(path.at(-1)) : target.items.length;
      if (!(at <= target.items.length)) this.#misfit(entry);
      for (const item of items.items) {
        writable(target.items)[at] = merge(target.items[at], item);
        at++;
      }
    } else if (data && path.length === 0) {
      if (data.kind !== 'null') this.#merge({ data });
    } else if (data && data.kind !== 'null') {
      const target = this.#valueAt(path);
      if (target?.kind !== 'object' || data.kind !== 'object') this.#misfit(entry);
      merge(target, data);
    }
  }

  #merge(members: Readonly<Record<string, JsonValue>>): void {
    merge(this.#result, object(members));
  }

  #valueAt(path: readonly JsonValue[]): JsonValue | undefined {
    return path.reduce(
      (value: JsonValue | undefined, step) => {
        if (step.kind === 'string') return member(value, step.value);
        return value?.kind === 'array' ? value.items[indexOf(step)] : undefined;
      },
      member(this.#result, 'data'),
    );
  }

  #misfit(payload: JsonValue = { kind: 'null' }): never {
    const { url, secrets } = this.#request;
    const shown = excerpt(printJson(payload), secrets);
    throw new MopError('api', `${url.host} sent a part that does not fit the result: ${shown}`, {
      hint: 'take the parts as they arrive (--stream)',
    });
  }
}

function pathIn(payload: JsonValue, name: string): readonly JsonValue[] | undefined {
  const path = member(payload, name);
  return path?.kind === 'array' ? path.items : undefined;
}

/** A step of a path as an index; NaN when it is not one. */
function indexOf(step: JsonValue | undefined): number {
  return step?.kind === 'number' && /^\d+$/.test(step.text) ? Number(step.text) : Number.NaN;
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

/** Only this module reads the merged parts. Copying a list for each item takes quadratic time. */
function writable<T>(items: readonly T[]): T[] {
  return items as T[];
}

function noResultError(): MopError {
  return new MopError('api', 'the operation was completed without a result', { hint: TRACE_HINT });
}

function incompleteError({ url }: SentRequest): MopError {
  const message = `${url.host} announced more parts of the result, but did not send them`;
  return new MopError('api', message, {
    hint: 'run it without @defer and @stream, or take the parts that arrive (--stream)',
  });
}
