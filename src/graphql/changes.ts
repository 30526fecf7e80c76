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
import type { Omission } from './introspection.ts';
import { isKnownType, type Links, linksIn } from './known-definitions.ts';
import type { LoadedSchema } from './schema.ts';
import { directivesOf, isInput, type SchemaElement, schemaElements } from './schema-elements.ts';

export interface SchemaChanges {
  /** A document that was valid may now be invalid. */
  readonly breaking: readonly SchemaChange[];
  /** A removal of something that was deprecated: it may break documents too. */
  readonly deprecatedRemovals: readonly SchemaChange[];
  /** Documents stay valid, but a program may receive a value that it does not expect. */
  readonly dangerous: readonly SchemaChange[];
  /** Clients need not react. Additions are omitted. */
  readonly informational: readonly SchemaChange[];
  readonly notCompared: readonly Omission[];
}

/**
 * The changes by their effect on clients. Removes the defaults of input elements in both schemas.
 */
export function schemaChanges(before: LoadedSchema, after: LoadedSchema): SchemaChanges {
  const old = forDocuments(before.schema);
  const current = forDocuments(after.schema);
  const common = commonElements(old, current);
  const omitted = [...new Set([...before.omitted, ...after.omitted])];
  const links = [before, after].map(({ document }) => linksIn(document.definitions));
  const removed = missingIn(current, old);
  const unknown = new Set([
    ...removed.filter(isOmittedBy(after)).map(removalOf),
    ...missingIn(old, current).filter(isOmittedBy(before)).map(additionOf),
    // Another subgraph defines them.
    ...removed.filter(([, element]) => isExternal(element, links)).map(removalOf),
  ]);
  const isKnown = ({ type, description }: SchemaChange): boolean =>
    !unknown.has(description) && !omitted.some((omission) => OMITTED_CHANGES[omission].test(type));
  const breaking = [
    ...rootChanges(old, current),
    ...oneOfChanges(old, current),
    ...common.flatMap((pair) => inputBreaks(pair, current)),
  ];
  const dangerous = [
    ...common.flatMap(defaultChanges),
    ...common.flatMap((pair) => usageChanges(pair, before.schema, after.schema)),
    ...common.flatMap(scalarChanges),
  ];
  const removals = new Set(removed.filter(([, each]) => isDeprecated(each)).map(removalOf));
  const isDeprecatedRemoval = ({ type, description }: SchemaChange): boolean =>
    removals.has(description) && type !== 'DIRECTIVE_LOCATION_REMOVED';
  removeDefaults(old, current);
  const found = findBreakingChanges(old, current).filter((change) =>
    breaksDocuments(change, links),
  );
  const breaks = [...breaking, ...found.filter((change) => !isDeprecatedRemoval(change))];
  return {
    breaking: breaks.filter(isKnown),
    deprecatedRemovals: found.filter(isDeprecatedRemoval).filter(isKnown),
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
  'deprecated elements': /^DEPRECATION_/,
  'deprecated arguments': /^INPUT_DEPRECATION_/,
};

/** Whether a change that graphql-js calls breaking can break a document. */
function breaksDocuments({ type, description }: SchemaChange, links: readonly Links[]): boolean {
  const [first = ''] = description.split(' ');
  if (type === 'DIRECTIVE_LOCATION_REMOVED') return DOCUMENT_LOCATION.test(first);
  // A schema omits unused built-in scalars, and types that its gateway defines.
  const isKnown = links.some((each) => isKnownType(each.original(first)));
  const isOmitted = isKnown || /^Standard scalar /.test(description);
  return type !== 'TYPE_REMOVED' || !isOmitted;
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

type NamedElement = readonly [name: string, element: SchemaElement];

function missingIn(schema: GraphQLSchema, other: GraphQLSchema): NamedElement[] {
  const known = schemaElements(schema);
  return [...schemaElements(other)].filter(([name]) => !known.has(name));
}

/** Whether an introspection omits an element because it is deprecated. */
function isOmittedBy({ omitted }: LoadedSchema) {
  return ([, element]: NamedElement): boolean =>
    isDeprecated(element) &&
    omitted.includes(isInput(element) ? 'deprecated arguments' : 'deprecated elements');
}

function isExternal(element: SchemaElement, links: readonly Links[]): boolean {
  return directivesOf(element).some(({ name }) =>
    links.some((each) => each.original(`@${name.value}`) === '@external'),
  );
}

/** The words of graphql-js for a removal: a change has no other reference to its element. */
function removalOf([name, { astNode }]: NamedElement): string {
  const [first, second, third] = name.match(/\w+/g) ?? [];
  if (name.startsWith('@')) return `${second} was removed from ${first}.`;
  if (astNode?.kind === Kind.ENUM_VALUE_DEFINITION) {
    return `${second} was removed from enum type ${first}.`;
  }
  return third === undefined
    ? `${name} was removed.`
    : `${first}.${second} arg ${third} was removed.`;
}

/** The description that graphql-js gives the addition of an input element or of an enum value. */
function additionOf([name, { astNode }]: NamedElement): string {
  const [first, second, third] = name.match(/\w+/g) ?? [];
  if (astNode?.kind === Kind.ENUM_VALUE_DEFINITION) {
    return `${second} was added to enum type ${first}.`;
  }
  return third === undefined
    ? `An optional field ${second} on input type ${first} was added.`
    : `An optional arg ${third} on ${first}.${second} was added.`;
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
