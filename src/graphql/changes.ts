import {
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  OperationTypeNode,
} from 'graphql';
import {
  canonicalDefault,
  defaultText,
  type InputElement,
  inputElements,
} from './input-elements.ts';

/** An effect of a new schema on clients of the old one. */
export interface SchemaChange {
  /** Its kind, such as `FIELD_REMOVED`: the kinds of graphql-js, and a few more. */
  readonly type: string;
  readonly description: string;
}

export interface SchemaChanges {
  /** A document that was valid may now be invalid. */
  readonly breaking: readonly SchemaChange[];
  /** Documents stay valid, but a program may receive a value that it does not expect. */
  readonly dangerous: readonly SchemaChange[];
}

/**
 * The breaking and dangerous changes between two schemas. Harmless additions are omitted. The call
 * modifies both schemas: it removes the defaults of their input elements.
 */
export function schemaChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChanges {
  const common = commonElements(before, after);
  const breaking = [
    ...rootChanges(before, after),
    ...oneOfChanges(before, after),
    ...common.flatMap(inputBreaks),
  ];
  const dangerous = common.flatMap(defaultChanges);
  removeDefaults(common, after);
  const plain = ({ type, description }: SchemaChange): SchemaChange => ({ type, description });
  return {
    breaking: [
      ...breaking,
      ...findBreakingChanges(before, after).map(plain).filter(breaksDocuments),
    ],
    dangerous: [...dangerous, ...findDangerousChanges(before, after).map(plain)],
  };
}

/** A schema omits unused built-in scalars; no document can need them. */
function breaksDocuments({ description }: SchemaChange): boolean {
  return !description.startsWith('Standard scalar ');
}

/** An input element that both schemas have. */
interface CommonElement {
  readonly name: string;
  readonly before: InputElement;
  readonly after: InputElement;
}

function commonElements(before: GraphQLSchema, after: GraphQLSchema): CommonElement[] {
  const now = inputElements(after);
  return [...inputElements(before)].flatMap(([name, element]) => {
    const counterpart = now.get(name);
    return counterpart ? [{ name, before: element, after: counterpart }] : [];
  });
}

/** graphql-js would convert the values to text, which fails for some and rounds others. */
function removeDefaults(common: readonly CommonElement[], after: GraphQLSchema): void {
  for (const element of inputElements(after).values()) {
    // A new element with any default breaks no document.
    if (element.defaultValue !== undefined) element.defaultValue = null;
  }
  for (const element of common) {
    element.before.defaultValue = undefined;
    element.after.defaultValue = undefined;
  }
}

function rootChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  return Object.values(OperationTypeNode).flatMap((kind) => {
    const [old, current] = [before, after].map((schema) => schema.getRootType(kind)?.name);
    if (old === undefined || old === current) return [];
    const description = current
      ? `The type of ${kind} operations changed from ${old} to ${current}.`
      : `The schema no longer has a type for ${kind} operations (was ${old}).`;
    return [{ type: 'ROOT_TYPE_CHANGED', description }];
  });
}

function oneOfChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  return Object.values(after.getTypeMap()).flatMap((type) => {
    const old = before.getType(type.name);
    const becameOneOf =
      isInputObjectType(type) && type.isOneOf && isInputObjectType(old) && !old.isOneOf;
    const description = `${type.name} now accepts exactly one of its fields.`;
    return becameOneOf ? [{ type: 'INPUT_BECAME_ONE_OF', description }] : [];
  });
}

/**
 * Breaking changes that graphql-js does not find: changed types of arguments of directives, and
 * removed defaults of required elements.
 */
function inputBreaks({ name, before, after }: CommonElement): SchemaChange[] {
  if (name.startsWith('@') && !acceptsAll(after.type, before.type)) {
    const description = `${name} changed type from ${before.type} to ${after.type}.`;
    return [{ type: 'DIRECTIVE_ARG_CHANGED_KIND', description }];
  }
  const lostDefault = before.defaultValue !== undefined && after.defaultValue === undefined;
  if (lostDefault && isRequiredInputField(after)) {
    const description = `${name} no longer has a default and is now required.`;
    return [{ type: 'DEFAULT_VALUE_REQUIRED', description }];
  }
  return [];
}

/** Whether a type accepts every value that the other one accepted. */
function acceptsAll(type: GraphQLInputType, other: GraphQLInputType): boolean {
  if (isNonNullType(other))
    return acceptsAll(isNonNullType(type) ? type.ofType : type, other.ofType);
  if (isNonNullType(type)) return false;
  if (isListType(type) && isListType(other)) return acceptsAll(type.ofType, other.ofType);
  return String(type) === String(other);
}

function defaultChanges({ name, before, after }: CommonElement): SchemaChange[] {
  if (canonicalDefault(before) === canonicalDefault(after)) return [];
  const [old, current] = [before, after].map(defaultText);
  if (old === undefined) return [];
  const description =
    current === undefined
      ? `The default of ${name} was removed (was ${old}).`
      : `The default of ${name} changed from ${old} to ${current}.`;
  // graphql-js defines a kind only for the defaults of arguments.
  const type = name.includes('(') ? 'ARG_DEFAULT_VALUE_CHANGE' : 'INPUT_FIELD_DEFAULT_VALUE_CHANGE';
  return [{ type, description }];
}
