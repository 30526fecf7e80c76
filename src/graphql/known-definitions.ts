import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  parse,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import sdl from './known-definitions.graphql?raw';
import { Links } from './links.ts';

type Definition = TypeDefinitionNode | DirectiveDefinitionNode;

/** The known definitions by key: the name of a type, or of a directive with `@`. */
const KNOWN = new Map(
  parse(sdl)
    .definitions.filter(isDefinition)
    .map((node) => [keyOf(node), node]),
);

/** Whether a type belongs to a gateway or service, and so exists without a definition. */
export function isKnownType(name: string): boolean {
  return KNOWN.has(name);
}

/** The names that a schema takes from Federation and other linked specifications. */
export function linksIn(definitions: readonly DefinitionNode[]): Links {
  return new Links(definitions, (key) => KNOWN.has(key));
}

/** A schema with everything that it takes from its gateway or service. */
export interface CompletedSchema {
  readonly document: DocumentNode;
  /** Whether the document is a part of a larger schema, which may define the root types. */
  readonly isPart: boolean;
}

/**
 * Adds the definitions of Federation and AppSync that a schema uses, also under the names of an
 * `@link`. The first extension of a type without a definition becomes its definition.
 */
export function completeSchema({ kind, definitions: given }: DocumentNode): CompletedSchema {
  const definitions = withDefinedTypes(given);
  const defined = new Set(definitions.filter(isDefinition).map(keyOf));
  const links = linksIn(definitions);
  const used = new Set(definitions.flatMap(keysUsedIn));
  const added: Definition[] = [];
  // The loop appends the types of each added definition.
  for (const key of used) {
    const known = defined.has(key) ? undefined : KNOWN.get(links.original(key));
    if (!known) continue;
    added.push({ ...known, name: { kind: Kind.NAME, value: key.replace('@', '') } });
    for (const each of keysUsedIn(known)) used.add(each);
  }
  const isPart =
    definitions.some((node, at) => node !== given[at]) ||
    added.some((node) => node.kind === Kind.DIRECTIVE_DEFINITION);
  return { document: { kind, definitions: [...definitions, ...added] }, isPart };
}

function withDefinedTypes(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set(definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value));
  return definitions.map((node) => {
    if (!isTypeExtensionNode(node) || defined.has(node.name.value)) return node;
    defined.add(node.name.value);
    // Both kinds of node have the same fields.
    return { ...node, kind: node.kind.replace('Extension', 'Definition') } as TypeDefinitionNode;
  });
}

function isDefinition(node: DefinitionNode): node is Definition {
  return isTypeDefinitionNode(node) || node.kind === Kind.DIRECTIVE_DEFINITION;
}

function keyOf({ kind, name }: Definition): string {
  return kind === Kind.DIRECTIVE_DEFINITION ? `@${name.value}` : name.value;
}

function keysUsedIn(definition: DefinitionNode): string[] {
  const keys: string[] = [];
  visit(definition, {
    Directive: ({ name }) => void keys.push(`@${name.value}`),
    NamedType: ({ name }) => void keys.push(name.value),
  });
  return keys;
}
