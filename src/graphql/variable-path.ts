import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { MopError, quoted } from '../errors.ts';
import { list, object, withMember } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';

/** The steps of a key: `k[a][]` gives `['k', 'a', '']`, where `''` is the next item of a list. */
export function stepsOf(key: string): string[] {
  const [, name = '', steps = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
  if (name === '') {
    throw new MopError('usage', `${JSON.stringify(key)} is not the name of a variable`, {
      hint: 'write k=value, k[]=item or k[field]=value',
    });
  }
  return [name, ...[...steps.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)];
}

export type Leaf = (
  type: GraphQLInputType | undefined,
  /** The steps, with the index of each item of a list. */
  path: readonly string[],
) => JsonValue;

/** A copy of `value` in which the result of `leaf` is at the end of `steps`. */
export function assignAt(
  value: JsonValue | undefined,
  steps: readonly string[],
  type: GraphQLInputType | undefined,
  leaf: Leaf,
  path: readonly string[],
): JsonValue {
  const [step, ...further] = steps;
  if (step === undefined) return leaf(type, path);
  const inner = value?.kind === 'null' ? undefined : value;
  const nextType = typeAfter(type, step);
  const isOfList = inner?.kind === 'array' || isListType(type && getNullableType(type));
  if (isOfList && /^\d{1,9}$/.test(step) && (!inner || inner.kind === 'array')) {
    const items = inner?.items ?? [];
    const index = Number(step);
    if (index > items.length) throw gap(path, items.length);
    const next = assignAt(items[index], further, nextType, leaf, [...path, step]);
    return list(index < items.length ? items.with(index, next) : [...items, next]);
  }
  if (!inner && !type && /^\d+$/.test(step)) throw ambiguous(path, step);
  if (step !== '') {
    if (inner && inner.kind !== 'object') throw contradiction(path, 'an object');
    const next = assignAt(member(inner, step), further, nextType, leaf, [...path, step]);
    return withMember(inner ?? object({}), step, next);
  }
  if (inner && inner.kind !== 'array') throw contradiction(path, 'a list');
  const items = inner?.kind === 'array' ? inner.items : [];
  // Like gh: fields belong to the last item until one of them repeats.
  const last = items.at(-1);
  const continuesItem = further.length > 0 && last?.kind === 'object' && !isAssigned(last, further);
  const kept = continuesItem ? items.slice(0, -1) : items;
  const at = [...path, String(kept.length)];
  const next = assignAt(continuesItem ? last : undefined, further, nextType, leaf, at);
  return list([...kept, next]);
}

/** The declared type after a step; a single object may take the place of a list. */
export function typeAfter(
  type: GraphQLInputType | undefined,
  step: string,
): GraphQLInputType | undefined {
  const wanted = type && getNullableType(type);
  if (isListType(wanted))
    return /^\d*$/.test(step) ? wanted.ofType : typeAfter(wanted.ofType, step);
  return isInputObjectType(wanted) ? wanted.getFields()[step]?.type : undefined;
}

/** Whether a value already exists at the end of the steps; a list always accepts another item. */
function isAssigned(value: JsonValue | undefined, steps: readonly string[]): boolean {
  const [step, ...further] = steps;
  if (step === undefined) return value !== undefined;
  return step !== '' && isAssigned(member(value, step), further);
}

function nextItem([name, ...steps]: readonly string[]): string {
  return `${name}${steps.map((step) => `[${step}]`).join('')}[]`;
}

function ambiguous(path: readonly string[], step: string): MopError {
  const message = `${step} may be an index or a field: the type of ${path.join('.')} is unknown`;
  return new MopError('usage', message, {
    hint: quoted`add --schema, or give the items of a list with ${nextItem(path)}`,
  });
}

function gap(path: readonly string[], next: number): MopError {
  return new MopError('usage', `the next item of ${path.join('.')} has the index ${next}`, {
    hint: quoted`give the items of a list in their order, or without an index: ${nextItem(path)}`,
  });
}

function contradiction(path: readonly string[], subject: string): MopError {
  const message = `${path.join('.')} is given as ${subject} and as another kind of value`;
  return new MopError('usage', message, { hint: 'give each variable as one kind of value' });
}
