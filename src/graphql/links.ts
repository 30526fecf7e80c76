import { type ConstDirectiveNode, type DefinitionNode, Kind, valueFromASTUntyped } from 'graphql';

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
  /** The prefixes of the names of the gateway. */
  readonly #gateways: readonly string[];
  readonly #isDirective: (key: string) => boolean;

  /** @param isDirective Whether a name with `@` is a known directive. */
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

/** The address of a specification. */
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
