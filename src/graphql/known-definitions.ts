import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  parse,
  type TypeDefinitionNode,
  type TypeNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import sdl from './known-definitions.graphql?raw';

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

/** A specification that a schema uses: `@link` of Federation 2, or `@core` before it. */
interface Link {
  /** Its name, such as `federation`. */
  readonly spec: string;
  /** Whether its elements are only for a gateway, as those of `join`. */
  readonly isOfGateway: boolean;
  /** The prefix of its names in the schema, and the name of its main directive. */
  readonly namespace: string;
  /** Imported names, to those in the specification. A directive begins with `@`. */
  readonly imports: ReadonlyMap<string, string>;
}

/** The names that a schema takes from the specifications that it links. */
export class Links {
  readonly #links: readonly Link[];
  readonly #gateways: readonly string[];
  readonly #isDirective: (key: string) => boolean;

  constructor(definitions: readonly DefinitionNode[], isDirective: (key: string) => boolean) {
    this.#links = definitions.flatMap(linksOf);
    this.#isDirective = isDirective;
    const gateways = this.#links.filter(({ isOfGateway }) => isOfGateway);
    this.#gateways = [
      ...gateways.map(({ namespace }) => namespace),
      ...definitions.flatMap(unlinkedGateway),
    ];
  }

  /**
   * The name in its specification: `@key` for `@k`, imported as this, and for `@federation__key`.
   */
  original(key: string): string {
    const [, sign = '', prefix, name = ''] = /^(@?)(.*?)__(.*)$/.exec(key) ?? [];
    for (const { spec, namespace, imports } of this.#links) {
      // Other specifications may have directives of the same names.
      if (spec !== 'federation' && !this.#isDirective(`@${spec}`)) continue;
      const imported = imports.get(key);
      if (key === `@${namespace}` && this.#isDirective(`@${spec}`)) return `@${spec}`;
      const own = imported ?? (prefix === namespace ? sign + name : undefined);
      if (own !== undefined) return own.startsWith('@') ? own : `${spec}__${own}`;
    }
    return key;
  }

  /**
   * Whether a name belongs to the gateway, as `@join__type` does. Subgraphs use those of
   * Federation.
   */
  isOfGateway(key: string): boolean {
    const name = key.replace('@', '');
    return this.#gateways.some((prefix) => key === `@${prefix}` || name.startsWith(`${prefix}__`));
  }
}

/** A printed schema keeps the directives of the gateway, but not its links. */
function unlinkedGateway(node: DefinitionNode): string[] {
  const name = node.kind === Kind.DIRECTIVE_DEFINITION ? node.name.value : '';
  return /^join(?=__(?:type|graph|field)$)/.exec(name)?.slice() ?? [];
}

/** The specifications whose elements a subgraph uses. */
const OF_SUBGRAPHS: readonly string[] = ['federation', 'link', 'connect'];

const SPECIFICATION = /^(https:\/\/specs\.apollo\.dev)?.*\/([A-Za-z][\w-]*)\/v\d[^/]*\/?$/;

function linksOf(node: DefinitionNode): Link[] {
  const isSchema = node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION;
  return isSchema ? (node.directives ?? []).flatMap(linkOf) : [];
}

function linkOf({ arguments: given = [] }: ConstDirectiveNode): Link[] {
  const {
    url,
    feature,
    as,
    import: imports,
  } = Object.fromEntries(
    given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  ) as Readonly<Record<string, unknown>>;
  const [, isOfApollo, spec] = SPECIFICATION.exec(String(url ?? feature)) ?? [];
  if (spec === undefined) return [];
  const items = Array.isArray(imports) ? imports : [];
  const names = items.map((item): [string, string] => {
    // A name, or an object with `name` and `as`.
    const { name, as: alias = name } = typeof item === 'string' ? { name: item } : Object(item);
    return [String(alias), String(name)];
  });
  const isOfGateway = isOfApollo !== undefined && !OF_SUBGRAPHS.includes(spec);
  return [{ spec, isOfGateway, namespace: String(as ?? spec), imports: new Map(names) }];
}

/** The types with which the members of Federation answer their gateway. */
const SUBGRAPH_TYPES: readonly string[] = ['_Entity', '_Service'];

/**
 * The schema that clients of a gateway see; Rover calls it the API schema. Elements with a hidden
 * type are hidden too, because another subgraph may hide them.
 */
export function clientView(document: DocumentNode): DocumentNode {
  const links = linksIn(document.definitions);
  const isInaccessible = (node: ASTNode): boolean =>
    'directives' in node &&
    (node.directives ?? []).some(
      ({ name }) => links.original(`@${name.value}`) === '@inaccessible',
    );
  const hidden = new Set([
    ...SUBGRAPH_TYPES,
    ...document.definitions.filter(isInaccessible).map(nameOf),
  ]);
  const isHiddenType = (name: string): boolean => hidden.has(name) || links.isOfGateway(name);
  const isHidden = (node: ASTNode): boolean => {
    switch (node.kind) {
      case Kind.DIRECTIVE:
        return node.name.value === 'link' || links.isOfGateway(`@${node.name.value}`);
      case Kind.DIRECTIVE_DEFINITION:
        return links.isOfGateway(`@${node.name.value}`);
      case Kind.FIELD_DEFINITION:
      case Kind.INPUT_VALUE_DEFINITION:
        return isInaccessible(node) || isHiddenType(namedType(node.type));
      case Kind.ENUM_VALUE_DEFINITION:
        return isInaccessible(node);
      default:
        return (
          (isTypeDefinitionNode(node) || isTypeExtensionNode(node)) && isHiddenType(node.name.value)
        );
    }
  };
  return visit(document, {
    enter: (node, key) => {
      // In a list: a member of a union, or an interface.
      const isMember = node.kind === Kind.NAMED_TYPE && typeof key === 'number';
      return isHidden(node) || (isMember && isHiddenType(nameOf(node))) ? null : undefined;
    },
  });
}

function nameOf(node: ASTNode): string {
  return 'name' in node ? (node.name?.value ?? '') : '';
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
