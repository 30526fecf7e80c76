import { MopError } from '../errors.ts';
import { describe, type JsonValue } from '../json/value.ts';

type Kind = JsonValue['kind'];
type OfKind<K extends Kind> = Extract<JsonValue, { readonly kind: K }>;

/**
 * A field of an answer that may be absent or null.
 *
 * @param path How a message names it.
 * @throws {MopError} `api` for one of another kind, or that stands twice.
 */
export function optional<K extends Kind>(
  json: JsonValue,
  name: string,
  kind: K,
  path = name,
): OfKind<K> | undefined {
  const members = json.kind === 'object' ? json.members : [];
  const [found, second] = members.filter((each) => each.name === name);
  // One reader takes the first, another the last.
  if (second) throw brokenContract(path, 'stands more than once');
  if (!found || found.value.kind === 'null') return undefined;
  if (found.value.kind === kind) return found.value as OfKind<K>;
  throw brokenContract(path, `is no ${kind} but ${describe(found.value)}`);
}

/** A field that must be there, as {@link optional}. */
export function needed<K extends Kind>(
  json: JsonValue,
  name: string,
  kind: K,
  path = name,
): OfKind<K> {
  const value = optional(json, name, kind, path);
  if (value) return value;
  throw brokenContract(path, 'is missing');
}

/** An answer that breaks D2: exit code 5, with the field that does. */
export function brokenContract(field: string, fault: string): MopError {
  return new MopError('api', `the service's answer breaks the contract: ${field} ${fault}`, {
    hint: 'run again with --verbose to see the answer, and show it to those who run the service',
  });
}
