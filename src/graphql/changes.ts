import {
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLDirective,
  GraphQLSchema,
  isInputObjectType,
  Kind,
  OperationTypeNode,
} from 'graphql';
import {
  type CommonElement,
  defaultChanges,
  deprecationChanges,
  inputBreaks,
  isDeprecated,
  type SchemaChange,
  scalarChanges,
  usageChanges,
} from './element-changes.ts';
import type { Omission } from './introspected-schema.ts';
import { isKnownType } from './known-definitions.ts';
import type { LoadedSchema } from './schema.ts';
import { isInput, type SchemaElement, schemaElements } from './schema-elements.ts';

export interface SchemaChanges {
  /** A document that was valid may now be invalid. */
  readonly breaking: readonly SchemaChange[];
  /** A removal of something that was deprecated: it may break documents too. */
  readonly deprecatedRemovals: readonly SchemaChange[];
  /** Documents stay valid, but a program may receive a value that it does not expect. */
  readonly dangerous: readonly SchemaChange[];
  /** Clients need not react. Additions are omitted. */
  readonly informational: readonly SchemaChange[];
  /** The parts that an introspection omits. */
  readonly notCompared: readonly Omission[];
}

/**
 * The changes between two schemas, by their effect on clients. The call modifies both schemas: it
 * removes the defaults of their input elements.
 */
export function schemaChanges(before: LoadedSchema, after: LoadedSchema): SchemaChanges {
  const old = forDocuments(before.schema);
  const current = forDocuments(after.schema);
  const common = commonElements(old, current);
  const omitted = [...new Set([...before.omitted, ...after.omitted])];
  const isKnown = ({ type }: SchemaChange): boolean =>
    !omitted.some((omission) => OMITTED_CHANGES[omission].test(type));
  const breaking = [
    ...rootChanges(old, current),
    ...oneOfChanges(old, current),
    ...common.flatMap(inputBreaks),
  ];
  const dangerous = [
    ...common.flatMap(defaultChanges),
    ...common.flatMap((pair) => usageChanges(pair, before.schema, after.schema)),
    ...common.flatMap(scalarChanges),
  ];
  const removals = deprecatedRemovals(old, current);
  removeDefaults(old, current);
  const found = findBreakingChanges(old, current).filter(breaksDocuments);
  const breaks = [...breaking, ...found.filter(({ description }) => !removals.has(description))];
  return {
    breaking: breaks.filter(isKnown),
    deprecatedRemovals: found.filter(({ description }) => removals.has(description)),
    dangerous: [...dangerous, ...findDangerousChanges(old, current)].filter(isKnown),
    informational: common.flatMap(deprecationChanges).filter(isKnown),
    notCompared: omitted,
  };
}

/** The kinds of changes that an omission of an introspection would only seem to contain. */
const OMITTED_CHANGES: Readonly<Record<Omission, RegExp>> = {
  directives: /^DIRECTIVE_USAGE_/,
  'repeatable directives': /^DIRECTIVE_REPEATABLE_REMOVED$/,
  '@oneOf': /^INPUT_BECAME_ONE_OF$/,
  '@specifiedBy': /^SPECIFIED_BY_CHANGED$/,
  'deprecated arguments': /^INPUT_DEPRECATION_/,
};

/** A schema omits unused built-in scalars, and types that its gateway defines. */
function breaksDocuments({ type, description }: SchemaChange): boolean {
  const [first = ''] = description.split(' ');
  return !(type === 'TYPE_REMOVED' && isKnownType(first)) && !/^Standard scalar /.test(description);
}

/** The schema without the directives that documents cannot use. */
function forDocuments(schema: GraphQLSchema): GraphQLSchema {
  const directives = schema.getDirectives().filter(isForDocuments);
  return new GraphQLSchema({ ...schema.toConfig(), directives });
}

function isForDocuments({ locations }: GraphQLDirective): boolean {
  return locations.some((location) => DOCUMENT_LOCATION.test(location));
}

const DOCUMENT_LOCATION =
  /^(?:QUERY|MUTATION|SUBSCRIPTION|FIELD|INLINE_FRAGMENT|VARIABLE_DEFINITION|FRAGMENT_\w+)$/;

function commonElements(before: GraphQLSchema, after: GraphQLSchema): CommonElement[] {
  const now = schemaElements(after);
  return [...schemaElements(before)].flatMap(([name, element]) => {
    const counterpart = now.get(name);
    return counterpart ? [{ name, before: element, after: counterpart }] : [];
  });
}

/** graphql-js would convert the values to text, which fails for some and rounds others. */
function removeDefaults(before: GraphQLSchema, after: GraphQLSchema): void {
  const old = schemaElements(before);
  for (const element of old.values()) if (isInput(element)) element.defaultValue = undefined;
  for (const [name, element] of schemaElements(after)) {
    if (!isInput(element) || element.defaultValue === undefined) continue;
    // A new element with any default breaks no document.
    element.defaultValue = old.has(name) ? undefined : null;
  }
}

/**
 * The descriptions that graphql-js gives the removals of deprecated elements. A change has no other
 * reference to its element.
 */
function deprecatedRemovals(before: GraphQLSchema, after: GraphQLSchema): ReadonlySet<string> {
  const now = schemaElements(after);
  return new Set(
    [...schemaElements(before)]
      .filter(([name, element]) => isDeprecated(element) && !now.has(name))
      .map(([name, element]) => removalOf(name, element)),
  );
}

function removalOf(name: string, { astNode }: SchemaElement): string {
  const [first, second, third] = name.match(/\w+/g) ?? [];
  if (name.startsWith('@')) return `${second} was removed from ${first}.`;
  if (astNode?.kind === Kind.ENUM_VALUE_DEFINITION) {
    return `${second} was removed from enum type ${first}.`;
  }
  return third === undefined
    ? `${name} was removed.`
    : `${first}.${second} arg ${third} was removed.`;
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
